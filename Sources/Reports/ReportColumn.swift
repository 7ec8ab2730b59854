import Rendering

/// A column of the tables that people read, with a cell for each run or estimate.
struct ReportColumn<Row>: Sendable {
  /// The title, unit included.
  let title: String
  /// Numbers meet on the right.
  let alignment: TextTable.Alignment
  /// The text of its cell; nil where a row does not have it. A column that no row has is left out.
  let text: @Sendable (Row) -> String?
  /// The exact value, by which the largest of runs is marked as best; nil for columns without a mark.
  let merit: (@Sendable (Row) -> Double?)?
  /// The member of the results document that stands in it; nil where it is more than one.
  let key: String?
  /// True if the column serves only to tell rows apart, and is left out where all say the same.
  let distinguishes: Bool
  /// True for sentences, which may take several lines.
  let isProse: Bool
  /// The order in which columns give way on a narrow screen. 0: what tells runs apart and the hit ratio,
  /// which stay; 1: what the experiment is for; 2: the plain replay's results; 3: comparisons and tails;
  /// 4: everything else.
  let rank: Int

  init(
    _ title: String, _ alignment: TextTable.Alignment = .right, key: String? = nil, rank: Int = 4,
    isProse: Bool = false, distinguishes: Bool = false,
    merit: (@Sendable (Row) -> Double?)? = nil, text: @escaping @Sendable (Row) -> String?
  ) {
    self.title = title
    self.alignment = alignment
    self.key = key
    self.rank = rank
    self.isProse = isProse
    self.distinguishes = distinguishes
    self.merit = merit
    self.text = text
  }

  /// Returns true if the column says anything about these rows.
  func isWanted(for rows: [Row]) -> Bool {
    let texts = Set(rows.map(text))
    return distinguishes ? texts.count > 1 : texts != [nil]
  }

  /// The column as one of a table.
  var ofTable: TextTable.Column {
    TextTable.Column(title, alignment, key: key, rank: rank, isProse: isProse)
  }
}

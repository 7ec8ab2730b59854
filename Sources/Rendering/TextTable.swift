/// A table of aligned columns for terminals and text files.
///
///     policy  hit ratio %    hits
///     lru           32.83  300122
///     arc           38.95* 356015
package struct TextTable: Sendable {
  /// On which side the texts of a column meet.
  package enum Alignment: Sendable {
    /// Texts.
    case left
    /// Numbers.
    case right
  }

  /// A column's title and alignment.
  package struct Column: Sendable {
    /// The title of the column.
    package let title: String
    /// On which side its texts meet.
    package let alignment: Alignment
    /// The member of the results document that its cells show; nil where they show none.
    package let key: String?
    /// The order in which columns give way where there is no room: the highest rank first, of one rank
    /// the last first; those of rank 0 stay.
    package let rank: Int
    /// True for sentences, which may take several lines.
    package let isProse: Bool

    /// A column.
    package init(
      _ title: String, _ alignment: Alignment = .left, key: String? = nil, rank: Int = 0,
      isProse: Bool = false
    ) {
      self.title = title
      self.alignment = alignment
      self.key = key
      self.rank = rank
      self.isProse = isProse
    }
  }

  /// The content of one place of the table.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    /// The text; controls in it, which would do something to a terminal, are question marks.
    package let text: String
    /// True if it is the best of its group, and marked.
    package let isBest: Bool
    /// The value in full precision, for forms that can carry it beside the text.
    package let exact: String?

    /// A cell.
    package init(_ text: String, isBest: Bool = false, exact: String? = nil) {
      self.text = text.printable
      self.isBest = isBest
      self.exact = exact
    }

    /// A cell with that text.
    package init(stringLiteral text: String) { self.init(text) }
  }

  /// The columns.
  package let columns: [Column]
  /// The rows, in groups that are set apart by an empty line.
  package private(set) var groups: [[[Cell]]] = [[]]

  /// A table without rows.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Appends a row: one cell for each column.
  package mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row has one cell for each column")
    groups[groups.count - 1].append(row)
  }

  /// Sets the next rows apart from those before.
  package mutating func beginGroup() {
    if groups.last?.isEmpty == false { groups.append([]) }
  }

  /// The table as text, each line ended, within the style's width.
  package func text(style: ReportStyle = .plain) -> String {
    let layout = TableLayout(self, width: style.width)
    let heading = layout.lines(of: columns.map { Cell($0.title) }, isHeading: true, style: style)
    return heading
      + groups.map { rows in
        rows.map { layout.lines(of: $0, isHeading: false, style: style) }.joined()
      }.joined(separator: "\n")
  }

  /// The titles of the columns for which that style has no room.
  package func titlesLeftOut(style: ReportStyle) -> [String] {
    let shown = TableLayout(self, width: style.width).columns
    return columns.indices.filter { !shown.contains($0) }.map { columns[$0].title }
  }
}

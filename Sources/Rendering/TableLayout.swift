/// The columns of a table that fit a width, and the width of each.
///
/// The widest column that can becomes narrower: a heading takes more lines, and so does prose. Where that
/// is not enough, columns give way in the order of their ranks.
struct TableLayout {
  /// The columns that are shown.
  let columns: [Int]
  private let widths: [Int]
  private let table: TextTable
  private let marked: Set<Int>

  /// The layout of a table in that many columns of a terminal; nil for no limit.
  init(_ table: TextTable, width: Int?) {
    let extents = table.columns.indices.map { Extent(table, column: $0) }
    let marked = Set(extents.indices.filter { extents[$0].isMarked })
    var columns = Array(extents.indices)
    var widths = extents.map(\.natural)
    if let width {
      func excess() -> Int {
        columns.reduce(-2 - width) { $0 + widths[$1] + 2 + (marked.contains($1) ? 1 : 0) }
      }
      func narrow() {
        while excess() > 0 {
          let narrower = columns.map { (column: $0, width: extents[$0].narrower(than: widths[$0])) }
          let most = narrower.filter { $0.width < widths[$0.column] }
            .max { widths[$0.column] < widths[$1.column] }
          guard let most else { return }
          widths[most.column] = most.width
        }
      }
      narrow()
      while excess() > 0, let rank = columns.map({ table.columns[$0].rank }).max(), rank > 0,
        let last = columns.lastIndex(where: { table.columns[$0].rank == rank })
      {
        columns.remove(at: last)
        widths = extents.map(\.natural)
        narrow()
      }
    }
    self.columns = columns
    self.widths = widths
    self.table = table
    self.marked = marked
  }

  /// A row as text, each line ended; a heading stands at the bottom of its lines, other cells at the top.
  func lines(of row: [TextTable.Cell], isHeading: Bool, style: ReportStyle) -> String {
    let cells = columns.map { column in
      isHeading
        ? row[column].text.titleLines(width: widths[column])
        : row[column].text.lines(width: widths[column])
    }
    let height = cells.map(\.count).max() ?? 0
    return (0..<height).map { number in
      var line = ""
      for (cell, column) in zip(cells, columns) {
        let place = isHeading ? number - (height - cell.count) : number
        let text = cell.indices.contains(place) ? cell[place] : ""
        let isBest = row[column].isBest && place == 0
        let padding = String(repeating: " ", count: widths[column] - text.displayWidth)
        let paint: Paint? = isBest ? .best : isHeading ? .title : nil
        let painted = style.isColored && !text.isEmpty ? paint?.applied(to: text) ?? text : text
        let mark = marked.contains(column) ? (isBest ? "*" : " ") : ""
        let isLeft = table.columns[column].alignment == .left
        line += (isLeft ? painted + mark + padding : padding + painted + mark) + "  "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// The widths that a column can have.
  private struct Extent {
    let isMarked: Bool
    private let title: String
    /// The cells whose text may take several lines.
    private let prose: [String]
    /// The width of the other cells.
    private let least: Int

    init(_ table: TextTable, column: Int) {
      let cells = table.groups.joined().map { $0[column] }
      isMarked = cells.contains { $0.isBest }
      title = table.columns[column].title
      prose = table.columns[column].isProse ? cells.map(\.text) : []
      least = prose.isEmpty ? cells.map(\.text.displayWidth).max() ?? 0 : 0
    }

    var natural: Int { prose.map(\.displayWidth).reduce(max(least, title.displayWidth), max) }

    /// The next smaller width; `width` where there is none.
    func narrower(than width: Int) -> Int {
      let heading = title.titleLines(width: width - 1).map(\.displayWidth).max() ?? 0
      return prose.map { $0.lines(width: width - 1).map(\.displayWidth).max() ?? 0 }
        .reduce(max(least, heading), max)
    }
  }

  private enum Paint: String {
    case title = "1"
    case best = "1;32"

    func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
  }
}

extension String {
  /// The lines of a text in a cell.
  fileprivate func lines(width: Int) -> [String] {
    displayWidth <= width ? [self] : wrapped(width: width)
  }

  /// The lines of a heading; units and signs stay on the line of their word.
  fileprivate func titleLines(width: Int) -> [String] {
    replacing(#/ (?=\S{1,2}(?: |$))/#, with: "\u{A0}").lines(width: width)
      .map { $0.replacing("\u{A0}", with: " ") }
  }
}

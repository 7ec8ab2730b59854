/// A table of aligned columns for terminals and text files.
///
///     policy  hit ratio %    hits
///     lru           32.83  300122
///     arc           38.95* 356015
public struct TextTable: Sendable {
  /// On which side the texts of a column meet.
  public enum Alignment: Sendable {
    /// Texts.
    case left
    /// Numbers.
    case right
  }

  /// A column's title and alignment.
  public struct Column: Sendable {
    /// The title of the column.
    public let title: String
    /// On which side its texts meet.
    public let alignment: Alignment
    /// The member of the results document that its cells show; nil where they show none.
    public let key: String?

    /// A column.
    public init(_ title: String, _ alignment: Alignment = .left, key: String? = nil) {
      self.title = title
      self.alignment = alignment
      self.key = key
    }
  }

  /// The content of one place of the table.
  public struct Cell: Sendable, ExpressibleByStringInterpolation {
    /// The text; controls in it, which would do something to a terminal, are question marks.
    public let text: String
    /// True if it is the best of its group, and marked.
    public let isBest: Bool
    /// The value in full precision, for forms that can carry it beside the text.
    public let exact: String?

    /// A cell.
    public init(_ text: String, isBest: Bool = false, exact: String? = nil) {
      self.text = text.printable
      self.isBest = isBest
      self.exact = exact
    }

    /// A cell with that text.
    public init(stringLiteral text: String) { self.init(text) }
  }

  /// The columns.
  public let columns: [Column]
  /// The rows, in groups that are set apart by an empty line.
  public private(set) var groups: [[[Cell]]] = [[]]

  /// A table without rows.
  public init(_ columns: [Column]) { self.columns = columns }

  /// Appends a row: one cell for each column.
  public mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row has one cell for each column")
    groups[groups.count - 1].append(row)
  }

  /// Sets the next rows apart from those before.
  public mutating func beginGroup() {
    if groups.last?.isEmpty == false { groups.append([]) }
  }

  /// The table as text, each line ended.
  public func text(style: ReportStyle = .plain) -> String {
    let widths = columns.indices.map { column in
      groups.joined().map { $0[column].text.displayWidth }
        .reduce(columns[column].title.displayWidth, max)
    }
    let marked = columns.indices.map { column in
      groups.joined().contains { $0[column].isBest }
    }
    func line(_ cells: [Cell], paint: Paint?) -> String {
      var line = ""
      for (index, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[index] - cell.text.displayWidth)
        let cellPaint = cell.isBest ? Paint.best : paint
        let text = style.isColored ? cellPaint?.applied(to: cell.text) ?? cell.text : cell.text
        let mark = marked[index] ? (cell.isBest ? "*" : " ") : ""
        line += columns[index].alignment == .left ? text + mark + padding : padding + text + mark
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    return line(columns.map { Cell($0.title) }, paint: .title)
      + groups.map { rows in rows.map { line($0, paint: nil) }.joined() }.joined(separator: "\n")
  }

  private enum Paint: String {
    case title = "1"
    case best = "1;32"

    func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
  }
}

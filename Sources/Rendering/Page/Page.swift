/// A page for a browser: one file that loads nothing, says everything without its script, and follows the
/// reader's choice of light or dark.
package struct Page {
  let title: String
  /// The kind of page, beside the title in the browser's bar.
  let kind: String
  /// The headline, a sentence.
  let lead: String?
  /// The grounds of the sentence.
  let support: String?
  /// The notes before everything else.
  let notes: [String]
  let sections: [PageSection]
  /// True if there is a choice of sections.
  private let hasContents: Bool
  private let sheet = PageStyle.sheet
  /// The script; nil where there is nothing for it to do.
  private let script: String?

  package init(
    title: String, kind: String, lead: String? = nil, support: String? = nil, notes: [String] = [],
    sections: [PageSection]
  ) {
    self.title = title
    self.kind = kind
    self.lead = lead?.readable
    self.support = support?.readable
    self.notes = notes.map(\.readable)
    self.sections = sections
    hasContents = sections.count > 1
    script = sections.contains { $0.tables.contains(where: \.isSortable) } ? PageScript.text : nil
  }

  /// The page's text, its last line ended.
  package var html: String { PageTemplates.render(self) }
}

/// A part of a page under a heading of its own. Templates read its stored properties by name.
package struct PageSection {
  /// Names the place on the page.
  package let id: String
  package let heading: String
  let texts: [String]
  let facts: [PageFact]
  let tables: [PageTable]
  let figures: [PageFigure]
  /// Figures that are folded away.
  let moreFigures: [PageFigure]
  /// The charts of all figures.
  package let charts: [Chart]
  let commands: [String]
  /// The notes after everything else.
  let notes: [String]
  /// The notes behind a summary, which opens them.
  let foldedNotes: [String]
  let foldedSummary: String
  private let hasFolded: Bool
  private let hasFacts: Bool
  private let hasFigures: Bool
  private let hasMore: Bool

  /// A section; figures past the first `figureLimit` are folded away.
  package init(
    id: String, heading: String, texts: [String] = [], facts: [PageFact] = [],
    tables: [PageTable] = [], charts: [Chart] = [], figureLimit: Int = .max,
    commands: [String] = [], notes: [String] = [],
    folded: (summary: String, notes: [String]) = ("", [])
  ) {
    self.id = id
    self.heading = heading
    self.texts = texts.map(\.readable)
    self.facts = facts
    self.tables = tables
    self.charts = charts
    let figures = charts.map { PageFigure($0) }
    self.figures = Array(figures.prefix(figureLimit))
    moreFigures = Array(figures.dropFirst(figureLimit))
    self.commands = commands
    self.notes = notes.map(\.readable)
    foldedSummary = folded.summary
    foldedNotes = folded.notes.map(\.readable)
    hasFolded = !folded.notes.isEmpty
    hasFacts = !facts.isEmpty
    hasFigures = !figures.isEmpty
    hasMore = !moreFigures.isEmpty
  }
}

/// A label and a value.
package struct PageFact {
  let label: String
  let fact: String

  package init(_ label: String, _ fact: String) {
    self.label = label
    self.fact = fact.readable
  }
}

/// A chart with its title.
struct PageFigure {
  let caption: String
  /// The series, where it is the only one.
  let note: String?
  let drawing: String

  init(_ chart: Chart) {
    caption = chart.title.withThousands
    note = chart.series.count == 1 ? chart.series[0].name : nil
    drawing = chart.svg
  }
}

/// A table of a page.
package struct PageTable {
  let caption: String
  let columns: [Column]
  let groups: [Group]
  /// The meaning of its colours.
  let legend: [Entry]
  /// Rows can be sorted and filtered.
  let isSortable: Bool
  /// True for a table behind its caption, which opens it.
  let isFolded: Bool
  private let hasLegend: Bool
  private let kind: String

  /// A colour and its meaning.
  package struct Entry {
    let text: String
    package let classes: String

    package init(_ text: String, classes: String) {
      self.text = text
      self.classes = classes
    }
  }

  package struct Column {
    let title: String
    /// The member of the results document that stands in it.
    let key: String?
    let isNumber: Bool

    package init(title: String, key: String? = nil, isNumber: Bool) {
      self.title = title.withThousands
      self.key = key
      self.isNumber = isNumber
    }
  }

  /// Rows that belong together.
  package struct Group {
    let rows: [Row]

    package init(rows: [Row]) { self.rows = rows }
  }

  package struct Row {
    let cells: [Cell]

    package init(cells: [Cell]) { self.cells = cells }
  }

  package struct Cell {
    let text: String
    /// The exact value.
    let exact: String?
    let classes: String?
    /// An element that stands behind the text.
    let drawing: String?
    let isHeader: Bool

    package init(
      _ text: String, exact: String? = nil, classes: String? = nil, drawing: String? = nil,
      isHeader: Bool = false
    ) {
      self.text = text
      self.exact = exact
      self.classes = classes
      self.drawing = drawing
      self.isHeader = isHeader
    }

    /// The name of a row.
    package static func name(_ text: String) -> Cell { Cell(text.withThousands, isHeader: true) }

    /// A number.
    package static func number(
      _ text: String, exact: String? = nil, isBest: Bool = false
    ) -> Cell {
      Cell(text.withThousands, exact: exact, classes: isBest ? "number best" : "number")
    }
  }

  /// A table.
  ///
  /// - Parameter isOfPolicies: Its rows bear the names of series.
  package init(
    caption: String, columns: [Column], rows: [Row], legend: [Entry] = [],
    isOfPolicies: Bool = false
  ) {
    self.init(
      caption: caption, columns: columns, groups: [Group(rows: rows)], legend: legend,
      isSortable: false, isFolded: false, kind: isOfPolicies ? "numbers named-rows" : "numbers")
  }

  private init(
    caption: String, columns: [Column], groups: [Group], legend: [Entry], isSortable: Bool,
    isFolded: Bool, kind: String
  ) {
    self.caption = caption.withThousands
    self.columns = columns
    self.groups = groups
    self.legend = legend
    self.isSortable = isSortable
    self.isFolded = isFolded
    hasLegend = !legend.isEmpty
    self.kind = kind
  }

  /// A table as terminals show it. The first column of texts names the rows, and comes first where rows are sorted.
  ///
  /// - Parameters:
  ///   - foldingLimit: The largest number of rows that are shown unfolded.
  ///   - movesConstants: A column of equal cells becomes a part of the caption.
  package init(
    _ table: TextTable, caption: String, isSortable: Bool = false, foldingLimit: Int = .max,
    movesConstants: Bool = false
  ) {
    let rows = Array(table.groups.joined())
    let names = table.columns.firstIndex { $0.alignment == .left }
    let constants = table.columns.indices.filter { column in
      movesConstants && column != names && rows.count > 1
        && rows.allSatisfy { $0[column].text == rows[0][column].text }
    }
    let others = table.columns.indices.filter { !constants.contains($0) }
    // Wide tables scroll beside the names of their rows.
    let shown = isSortable ? others.filter { $0 == names } + others.filter { $0 != names } : others
    self.init(
      caption: ([caption] + constants.map { "\(table.columns[$0].title): \(rows[0][$0].text)" })
        .joined(separator: "; "),
      columns: shown.map { column in
        Column(
          title: table.columns[column].title, key: table.columns[column].key,
          isNumber: table.columns[column].alignment == .right)
      },
      groups: table.groups.filter { !$0.isEmpty }.map { rows in
        Group(
          rows: rows.map { row in
            Row(
              cells: shown.map { column in
                let cell = row[column]
                let isNumber = table.columns[column].alignment == .right
                // Of thousands of rows most cells are numbers, which then need no class, and many show their
                // exact value.
                let classes = [
                  isSortable ? (isNumber ? nil : "text") : (isNumber ? "number" : nil),
                  cell.isBest ? "best" : nil,
                ].compactMap(\.self).joined(separator: " ")
                let text = isNumber ? cell.text.withMinus.groupedNumber : cell.text
                let exact = cell.exact ?? (text == cell.text ? nil : cell.text)
                return Cell(
                  text, exact: isSortable && exact == text ? nil : exact,
                  classes: classes.isEmpty ? nil : classes, isHeader: column == names)
              })
          })
      }, legend: [], isSortable: isSortable, isFolded: rows.count > foldingLimit,
      kind: isSortable ? "numbers sortable" : "numbers")
  }
}

/// A page for a browser: one file that loads nothing, runs no script, and follows the reader's choice of
/// light or dark.
package struct Page {
  let title: String
  /// The headline, a sentence.
  let lead: String?
  /// The notes before everything else.
  let notes: [String]
  let sections: [PageSection]
  /// True if there is a choice of sections.
  private let hasContents: Bool
  private let sheet = PageStyle.sheet

  package init(title: String, lead: String? = nil, notes: [String] = [], sections: [PageSection]) {
    self.title = title
    self.lead = lead
    self.notes = notes
    self.sections = sections
    hasContents = sections.count > 1
  }

  /// The page's text, its last line ended.
  package var html: String { PageTemplates.render(self) }
}

/// A part of a page under a heading of its own. Templates read its stored properties by name.
package struct PageSection {
  /// Names the place on the page.
  let id: String
  let heading: String
  let texts: [String]
  let facts: [PageFact]
  let tables: [PageTable]
  let figures: [PageFigure]
  /// Figures that are folded away.
  let moreFigures: [PageFigure]
  let commands: [String]
  private let hasFacts: Bool
  private let hasMore: Bool

  /// A section; figures past the first `figureLimit` are folded away.
  package init(
    id: String, heading: String, texts: [String] = [], facts: [PageFact] = [],
    tables: [PageTable] = [], charts: [Chart] = [], figureLimit: Int = .max,
    commands: [String] = []
  ) {
    self.id = id
    self.heading = heading
    self.texts = texts
    self.facts = facts
    self.tables = tables
    let figures = charts.map { PageFigure($0) }
    self.figures = Array(figures.prefix(figureLimit))
    moreFigures = Array(figures.dropFirst(figureLimit))
    self.commands = commands
    hasFacts = !facts.isEmpty
    hasMore = !moreFigures.isEmpty
  }
}

/// A label and a value.
package struct PageFact {
  let label: String
  let fact: String

  package init(_ label: String, _ fact: String) {
    self.label = label
    self.fact = fact
  }
}

/// A chart with its title and legend.
struct PageFigure {
  let caption: String
  let drawing: String
  let legend: [Entry]
  private let hasLegend: Bool

  struct Entry {
    let name: String
    let sample: String
  }

  init(_ chart: Chart) {
    caption = chart.title
    drawing = chart.svg
    let faint = chart.series.indices.filter { chart.ink(of: $0) == .faint }
    var legend = chart.series.indices.filter { chart.ink(of: $0) != .faint }.map {
      Entry(name: chart.series[$0].name, sample: chart.sample(of: $0))
    }
    if let first = faint.first {
      legend.append(Entry(name: "\(faint.count) more", sample: chart.sample(of: first)))
    }
    self.legend = legend
    hasLegend = !legend.isEmpty
  }
}

/// A table of a page.
package struct PageTable {
  let caption: String
  let columns: [Column]
  let groups: [Group]

  package struct Column {
    let title: String
    /// The member of the results document that stands in it.
    let key: String?
    let isNumber: Bool

    package init(title: String, key: String? = nil, isNumber: Bool) {
      self.title = title
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
    let isHeader: Bool

    package init(
      _ text: String, exact: String? = nil, classes: String? = nil, isHeader: Bool = false
    ) {
      self.text = text
      self.exact = exact
      self.classes = classes
      self.isHeader = isHeader
    }
  }

  package init(caption: String, columns: [Column], groups: [Group]) {
    self.caption = caption
    self.columns = columns
    self.groups = groups
  }

  /// A table as terminals show it. The first column of texts names the rows.
  package init(_ table: TextTable, caption: String) {
    let names = table.columns.firstIndex { $0.alignment == .left }
    self.init(
      caption: caption,
      columns: table.columns.map {
        Column(title: $0.title, key: $0.key, isNumber: $0.alignment == .right)
      },
      groups: table.groups.map { rows in
        Group(
          rows: rows.map { row in
            Row(
              cells: row.enumerated().map { index, cell in
                let classes = [
                  table.columns[index].alignment == .right ? "number" : nil,
                  cell.isBest ? "best" : nil,
                ].compactMap(\.self).joined(separator: " ")
                return Cell(
                  cell.text, exact: cell.exact, classes: classes.isEmpty ? nil : classes,
                  isHeader: index == names)
              })
          })
      })
  }
}

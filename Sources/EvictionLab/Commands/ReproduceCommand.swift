import ArgumentParser
import Experiments
import Parameters
import Runner
import Traces

/// `evict reproduce`: published tables, computed again cell by cell.
struct ReproduceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reproduce",
    abstract: "Compute published tables again.",
    discussion: """
      Examples:
        evict reproduce arc-oltp
        evict reproduce arc-oltp --format json

      Prints each cell as published and as computed here. Traces are looked for in the folders given, in \
      traces, and where EVICTIONLAB_TRACES says (evict trace fetch gets them). Exit code 1 if a count \
      is not the one expected here, by as little as one hit, also where the published value differs.

      Tables:
      \(PublishedTables.all.map { "  \($0.id)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("Tables; by default all.", valueName: "id"))
  var ids: [String] = []

  @Option(
    name: .customLong("traces"), help: ArgumentHelp("A folder of traces.", valueName: "folder"))
  var folders: [String] = []

  @OptionGroup var form: CatalogOptions

  func validate() throws { _ = try tables() }

  func run() throws {
    Interruption.install()
    let tables = try tables()
    let search = TraceSearch(folders: folders)
    let line = ProgressLine()
    let reproductions = try tables.map { table in
      try Reproduction(table, path: { search.path(of: $0) }) { done in
        line.show("reproducing \(table.id): \(done) of \(table.cells.count) cells")
      }
    }
    line.clear()
    try form.print(
      table: { style in reproductions.map { $0.text(style: style) }.joined(separator: "\n") },
      catalogs: { [("tables", reproductions.map(\.json))] })
    try judge(reproductions)
  }

  private func tables() throws -> [PublishedTable] {
    if ids.isEmpty { return PublishedTables.all }
    return try ids.map { id in
      guard let table = PublishedTables.all.first(where: { $0.id == id }) else {
        let known = PublishedTables.all.map(\.id)
        throw ValidationError("no published table is called “\(id)”; \(known.remedy(for: id))")
      }
      return table
    }
  }

  private func judge(_ reproductions: [Reproduction]) throws {
    let cells = reproductions.flatMap(\.cells)
    let failures = cells.count { $0.isFailure }
    if failures > 0 {
      throw Failed(description: "\(failures) of \(cells.count) cells changed")
    }
    if let cell = cells.first, cells.allSatisfy({ $0.computed == nil }) {
      throw TraceError.missing(file: cell.published.trace)
    }
  }
}

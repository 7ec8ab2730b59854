import ArgumentParser
import EvictionCore
import Parameters
import Rendering
import Runner
import Traces

/// `evict locks`: the catalog of locks.
struct LocksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locks",
    abstract: "List the locks of a replay.",
    discussion: """
      Examples:
        evict locks
        evict locks --format json
      """)

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let entries = LockCatalog.all.map {
      CatalogEntry(name: $0.information.name, summary: $0.information.summary)
    }
    try catalog.print(
      table: { style in
        TextTable("lock", "what waits, and how", entries.map { ($0.name, $0.summary) })
          .text(style: style)
      },
      catalogs: { [("locks", entries.map(\.json))] })
  }
}

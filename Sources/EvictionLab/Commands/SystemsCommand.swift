import ArgumentParser
import Parameters
import Rendering
import Runner
import Systems
import Traces

/// `evict systems`: the catalog of systems.
struct SystemsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "systems",
    abstract: "List the systems that a replay can drive.",
    discussion: """
      Examples:
        evict systems
        evict replay traces/search.txt.zst --policy lru --capacity 10% \\
          --system yycache:memory=0.2 --repeat 1
      """)

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let systems = SystemCatalog.all.map { $0.information }
    try catalog.print(
      table: { style in
        let table = TextTable(
          [
            TextTable.Column("system"), TextTable.Column("compared with"),
            TextTable.Column("lock"), TextTable.Column("description", isProse: true),
          ],
          rows: systems.map {
            ["\($0.name)", "\($0.policy)", "\($0.lock ?? "--lock")", "\($0.summary)"]
          })
        let parameters = TextTable(
          [
            TextTable.Column("system"), TextTable.Column("parameter"),
            TextTable.Column("default"), TextTable.Column("effect", isProse: true),
          ],
          rows: systems.flatMap { system in
            system.parameters.map {
              let value = $0.defaultValue?.description ?? "–"
              return ["\(system.name)", "\($0.name)", "\(value)", "\($0.help)"]
            }
          })
        return table.text(style: style) + "\n" + parameters.text(style: style)
      },
      catalogs: {
        [
          (
            "systems",
            systems.map {
              CatalogEntry(name: $0.name, summary: $0.summary, parameters: $0.parameters).json
            }
          )
        ]
      })
  }
}

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
        var table = TextTable([
          TextTable.Column("system"), TextTable.Column("compared with"), TextTable.Column("lock"),
          TextTable.Column("description", isProse: true),
        ])
        for system in systems {
          table.append([
            "\(system.name)", "\(system.policy)", "\(system.lock ?? "--lock")", "\(system.summary)",
          ])
        }
        var parameters = TextTable([
          TextTable.Column("system"), TextTable.Column("parameter"), TextTable.Column("default"),
          TextTable.Column("effect", isProse: true),
        ])
        for system in systems {
          for parameter in system.parameters {
            parameters.append([
              "\(system.name)", "\(parameter.name)",
              "\(parameter.defaultValue.map { "\($0)" } ?? "–")", "\(parameter.help)",
            ])
          }
        }
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

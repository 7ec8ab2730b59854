import ArgumentParser
import Parameters
import Rendering
import Systems
import Traces

/// `evict systems`: the catalog of systems.
struct SystemsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "systems",
    abstract: "List the systems that a replay can drive.",
    discussion: """
      Parameters follow the name, as in --system yycache:memory=0.2.

      Example:
        evict systems
      """)

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let systems = SystemCatalog.all.map { $0.information }
    try catalog.print(
      table: {
        var table = TextTable([
          TextTable.Column("system"), TextTable.Column("compared with"), TextTable.Column("lock"),
          TextTable.Column("description"),
        ])
        for system in systems {
          table.append([
            "\(system.name)", "\(system.policy)", "\(system.lock ?? "--lock")", "\(system.summary)",
          ])
        }
        var parameters = TextTable([
          TextTable.Column("system"), TextTable.Column("parameter"), TextTable.Column("default"),
          TextTable.Column("effect"),
        ])
        for system in systems {
          for parameter in system.parameters {
            parameters.append([
              "\(system.name)", "\(parameter.name)",
              "\(parameter.defaultValue.map { "\($0)" } ?? "–")", "\(parameter.help)",
            ])
          }
        }
        return table.text() + "\n" + parameters.text()
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

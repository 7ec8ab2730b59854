import ArgumentParser
import Laboratory

/// `evict policies`: the catalog of policies.
struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "List the policies, or describe one.",
    discussion: """
      Examples:
        evict policies
        evict policies slru
      """)

  @Argument(help: ArgumentHelp("A policy to describe with its parameters.", valueName: "name"))
  var name: String?

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    var policies = EvictionLabCommand.policies
    if let name { policies = [try PolicyChoice.runner(named: name, among: policies)] }
    try catalog.print(
      table: { name == nil ? list(policies) : describe(policies[0]) },
      catalogs: { [("policies", policies.map(\.json))] })
  }

  private func list(_ policies: [PolicyRunner]) -> String {
    var table = TextTable([
      TextTable.Column("policy"), TextTable.Column("bytes per entry", .right),
      TextTable.Column("what it does"),
    ])
    for policy in policies.map(\.information) {
      table.append(["\(policy.name)", "\(policy.bytesPerSlot)", "\(policy.summary)"])
    }
    return table.text()
  }

  private func describe(_ policy: PolicyRunner) -> String {
    let information = policy.information
    return """
      \(information.name): \(information.summary)
      paper: \(information.paper)
      bytes per entry: \(information.bytesPerSlot)
      smallest capacity: \(information.minimumCapacity)

      \(TextTable(parameters: policy.parameters).text())
      """
  }
}

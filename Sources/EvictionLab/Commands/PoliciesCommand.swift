import ArgumentParser
import Laboratory

/// `evict policies`: the catalog of policies, and what is done with it.
struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "List the policies, print the page of one, verify them.",
    discussion: """
      Examples:
        evict policies
        evict policies slru
        evict policies verify results/vectors.json
      """,
    subcommands: [
      PoliciesShowCommand.self, PoliciesVectorsCommand.self, PoliciesVerifyCommand.self,
    ],
    defaultSubcommand: PoliciesShowCommand.self)
}

/// `evict policies show`, and `evict policies` alone: the list, or a page.
struct PoliciesShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "List the policies, or print the page of one (the default).",
    discussion: """
      A policy's page says where it comes from, what it does on a hit, on a miss and at an
      eviction, what it costs, and where other implementations differ.

      Examples:
        evict policies show
        evict policies show slru
      """)

  @Argument(help: ArgumentHelp("A policy whose page to print.", valueName: "name"))
  var name: String?

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    var policies = EvictionLabCommand.policies
    if let name { policies = [try PolicyChoice.runner(named: name, among: policies)] }
    try catalog.print(
      table: { name == nil ? list(policies) : PolicyPage(policies[0]).text() },
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
}

import ArgumentParser
import EvictionCore
import Experiments
import Rendering
import Traces

/// `evict policies`: the catalogs of policies and admission filters, and what is done with it.
struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "List the policies, show one, check or verify them.",
    discussion: """
      Examples:
        evict policies
        evict policies slru
      """,
    subcommands: [
      PoliciesShowCommand.self, PoliciesCheckCommand.self, PoliciesVectorsCommand.self,
      PoliciesVerifyCommand.self,
    ],
    defaultSubcommand: PoliciesShowCommand.self)
}

/// `evict policies show`, and `evict policies` alone: the list, or a page.
struct PoliciesShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "List policies and filters, or print the page of one (the default).",
    discussion: """
      Examples:
        evict policies show
        evict policies show tinylfu

      A policy's page says where it comes from, what it does on a hit, on a miss and at an \
      eviction, what it costs, and where other implementations differ. An admission filter goes \
      with any policy, as in lru:admission=tinylfu.
      """)

  @Argument(help: ArgumentHelp("A policy or filter whose page to print.", valueName: "name"))
  var name: String?

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    var policies = KnownPolicies.all
    var filters = AdmissionCatalog.all.map { $0.information }
    if let name {
      filters = filters.filter { $0.name == name }
      policies =
        filters.isEmpty ? [try PolicyChoice.entry(named: name, among: policies)] : []
    }
    try catalog.print(
      table: { style in
        if name == nil { return list(policies, style) + "\n" + list(filters, style) }
        let pages = policies.map { PolicyPage($0.description) } + filters.map { PolicyPage($0) }
        return pages[0].text(style: style)
      },
      catalogs: {
        [("policies", policies.map(\.description.json)), ("admission", filters.map(\.json))]
          .filter { !$0.1.isEmpty }
      })
  }

  private func list(_ policies: [RunnablePolicyEntry], _ style: ReportStyle) -> String {
    var table = TextTable([
      TextTable.Column("policy"), TextTable.Column("bytes per entry", .right),
      TextTable.Column("what it does", isProse: true),
    ])
    for policy in policies.map(\.information) {
      table.append(["\(policy.name)", "\(policy.bytesPerSlot)", "\(policy.markedSummary)"])
    }
    return table.text(style: style)
  }

  private func list(_ filters: [AdmissionInformation], _ style: ReportStyle) -> String {
    var table = TextTable([
      TextTable.Column("admission filter"), TextTable.Column("what it does", isProse: true),
    ])
    for filter in filters { table.append(["\(filter.name)", "\(filter.summary)"]) }
    return table.text(style: style)
  }
}

import ArgumentParser
import EvictionCore
import Experiments
import Parameters
import Prefixes
import Rendering
import Requests
import Runner
import Traces

/// `evict policies`: the catalogs of policies, admission filters, prefetchers and orders for prefixes, and what is done with them.
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
    abstract: "List policies and what goes with them, or print the page of one (the default).",
    discussion: """
      Examples:
        evict policies show
        evict policies show tinylfu

      A policy's page says where it comes from, what it does on a hit, on a miss and at an \
      eviction, what it costs, and where other implementations differ. An admission filter goes \
      with any policy, as in lru:admission=tinylfu, and in a sweep a prefetcher, as in \
      lru:prefetch=obl. Orders are for evict prefix only.
      """)

  @Argument(
    help: ArgumentHelp(
      "A policy, filter, prefetcher or order whose page to print.", valueName: "name"))
  var name: String?

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    var policies = KnownPolicies.all
    var filters = AdmissionCatalog.all.map { $0.information }
    var prefetchers = PrefetcherCatalog.all.map { $0.information }
    var orders = LeafOrders.all
    if let name {
      try KnownPolicies.openPlugins(among: [name])
      if let plugin = PluginLibrary.named(name) { policies.append(plugin.entry) }
      let known = (policies.map(\.information.name) + orders.map(\.information.name))
      policies = policies.filter { $0.information.name == name }
      filters = filters.filter { $0.name == name }
      prefetchers = prefetchers.filter { $0.name == name }
      orders = orders.filter { $0.information.name == name }
      if policies.isEmpty && filters.isEmpty && prefetchers.isEmpty && orders.isEmpty {
        throw PolicyError.unknown(name: name, known: known)
      }
    }
    try catalog.print(
      table: { style in
        if name == nil {
          return [
            table(of: policies.map(\.information)),
            TextTable(
              "admission filter", "what it does", filters.map { ($0.name, $0.summary) }),
            TextTable("prefetcher", "what it fetches", prefetchers.map { ($0.name, $0.summary) }),
            TextTable(
              "order for prefixes", "what it does",
              orders.map { ($0.information.name, $0.information.summary) }),
          ].map { $0.text(style: style) }.joined(separator: "\n")
        }
        let pages =
          policies.map { PolicyPage($0.description) } + filters.map { PolicyPage($0) }
          + prefetchers.map { PolicyPage($0) } + orders.map { PolicyPage(order: $0) }
        return pages[0].text(style: style)
      },
      catalogs: {
        [
          ("policies", policies.map(\.description.json)), ("admission", filters.map(\.json)),
          ("prefetchers", prefetchers.map(\.json)), ("orders", orders.map(\.json)),
        ].filter { !$0.1.isEmpty }
      })
  }

  private func table(of policies: [PolicyInformation]) -> TextTable {
    TextTable(
      [
        TextTable.Column("policy"), TextTable.Column("bytes per entry", .right),
        TextTable.Column("what it does", isProse: true),
      ], rows: policies.map { ["\($0.name)", "\($0.bytesPerSlot)", "\($0.markedSummary)"] })
  }
}

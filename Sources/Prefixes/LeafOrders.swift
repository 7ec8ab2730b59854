import Parameters
import Requests

/// Every order for caches of prefixes.
package enum LeafOrders {
  /// The orders, each one line.
  package static let all: [LeafOrderEntry] = [
    LeafOrderEntry(ReuseDuel.self),
    LeafOrderEntry(ReuseOdds.self),
    LeafOrderEntry(Frequency.self),
    LeafOrderEntry(DepthCost.self),
    LeafOrderEntry(SubtreeSize.self),
    LeafOrderEntry(Priority.self),
    LeafOrderEntry(HitsPerToken.self),
    LeafOrderEntry(TimeToLive.self),
    LeafOrderEntry(SessionTurns.self),
    LeafOrderEntry(TailLRU.self),
    LeafOrderEntry(CacheTTL.self),
  ]
}

/// An order that can be run by name.
package struct LeafOrderEntry: Sendable {
  /// Name, summary and parameters.
  package let information: CatalogEntry
  /// The paper or program that it follows; or that it follows none, and one that is near to it.
  package let origin: String
  private let simulate: @Sendable (PromptForest, PrefixOptions, (Int) -> Bool) -> PrefixCounts?

  /// The entry of an order's type.
  package init<Order: LeafOrder>(_ order: Order.Type) {
    information = order.information
    origin = order.origin
    simulate = { forest, options, observer in
      LeafScan<Order>.run(forest, options: options, observer: observer)
    }
  }

  /// An entry that runs in its own way.
  init(
    _ information: CatalogEntry,
    run: @escaping @Sendable (PromptForest, PrefixOptions, (Int) -> Bool) -> PrefixCounts?
  ) {
    self.information = information
    origin = "none"
    simulate = run
  }

  /// Runs the order.
  ///
  /// - Returns: The counts, or nil if `observer`, called now and then with the number of blocks done, stopped the run.
  package func run(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool = { _ in true }
  ) -> PrefixCounts? {
    simulate(forest, options, observer)
  }
}

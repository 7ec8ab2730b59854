import Experiments
import Synchronization

/// The policies that the commands know: the catalog's, and those that another package adds.
enum KnownPolicies {
  private static let added = Mutex<[RunnablePolicyEntry]>([])

  /// Every policy.
  static var all: [RunnablePolicyEntry] { RunnablePolicyEntry.catalog + added.withLock { $0 } }

  /// The names of those that no cache could run.
  static var bounds: Set<String> {
    Set(all.map(\.information).filter(\.isBound).map(\.name))
  }

  /// Adds the policies of another package.
  static func add(_ policies: [RunnablePolicyEntry]) { added.withLock { $0 = policies } }
}

import CacheReplay
import Conformance
import EvictionCore
import Parameters
import Requests
import Simulation

/// A policy with an entry for each engine, so that every command runs it by name.
public struct RunnablePolicyEntry: Sendable {
  /// The policy's page, needs and parameters.
  public let description: PolicyDescription
  /// The policy alone over a key stream.
  public let simulator: PolicySimulator
  /// The policy inside real caches.
  public let caches: PolicyCaches

  /// An entry compiled for a policy's type, for every engine.
  ///
  /// Policies of the catalog are compiled beside the engines instead; see ``catalog``.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(simulator: PolicySimulator(policy), caches: PolicyCaches(policy))
  }

  @usableFromInline
  init(simulator: PolicySimulator, caches: PolicyCaches) {
    description = simulator.description
    self.simulator = simulator
    self.caches = caches
  }

  /// The policy's page in the catalog.
  public var information: PolicyInformation { description.information }

  /// The policy's conformance suite.
  package var conformance: ErasedConformance { simulator.conformance }

  /// The fields of a request that the policy reads beyond slot and size.
  public var needs: RequestNeeds { description.needs }

  /// Every policy of the catalog, in its order: the engines' own catalogs, joined by name.
  public static let catalog: [RunnablePolicyEntry] = {
    let caches = Dictionary(
      uniqueKeysWithValues: PolicyCaches.catalog.map { ($0.description.information.name, $0) })
    return PolicySimulator.catalog.map { simulator in
      guard let caches = caches[simulator.description.information.name] else {
        preconditionFailure("the engines' catalogs hold the same policies")
      }
      return RunnablePolicyEntry(simulator: simulator, caches: caches)
    }
  }()
}

/// A policy of another package, ready for everything that the laboratory does with its own.
///
/// Conformance is one line, and nothing need be written:
///
///     extension MyPolicy: RunnablePolicy {}
///
/// The line belongs in the module that defines the policy: there the compiler sees its type, and
/// compiles the simulator's and the replay's loops for it, as for the policies of the catalog.
public protocol RunnablePolicy: ReplacementPolicy, ~Copyable {
  /// The policy's entry for each engine.
  static var entry: RunnablePolicyEntry { get }
}

extension RunnablePolicy where Self: ~Copyable {
  /// An entry compiled for this very type.
  @inlinable
  public static var entry: RunnablePolicyEntry { RunnablePolicyEntry(Self.self) }
}

import Conformance
import EvictionCore
import Parameters
import Requests
import Simulation

/// A policy that every command runs by name.
public struct RunnablePolicyEntry: Sendable {
  /// The policy's page, needs and parameters.
  public let description: PolicyDescription
  /// The policy alone over a key stream.
  public let simulator: PolicySimulator

  /// An entry compiled for a policy's type.
  ///
  /// Policies of the catalog are compiled beside the simulator instead; see ``catalog``.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(simulator: PolicySimulator(policy))
  }

  @usableFromInline
  init(simulator: PolicySimulator) {
    description = simulator.description
    self.simulator = simulator
  }

  /// The policy as real caches take it.
  public var policy: CachePolicy { description.policy }

  /// The policy's page in the catalog.
  public var information: PolicyInformation { description.information }

  /// The policy's conformance suite.
  package var conformance: ErasedConformance { simulator.conformance }

  /// The fields of a request that the policy reads beyond slot and size.
  public var needs: RequestNeeds { description.needs }

  /// Every policy of the catalog, in its order.
  public static let catalog = PolicySimulator.catalog.map { RunnablePolicyEntry(simulator: $0) }
}

/// A policy of another package, ready for everything that the laboratory does with its own.
///
/// Conformance is one line, and nothing need be written:
///
///     extension MyPolicy: RunnablePolicy {}
///
/// The line belongs in the module that defines the policy: there the compiler sees its type, and
/// compiles the simulator's loops for it, as for the policies of the catalog.
public protocol RunnablePolicy: ReplacementPolicy, ~Copyable {
  /// The policy's entry for each engine.
  static var entry: RunnablePolicyEntry { get }
}

extension RunnablePolicy where Self: ~Copyable {
  /// An entry compiled for this very type.
  @inlinable
  public static var entry: RunnablePolicyEntry { RunnablePolicyEntry(Self.self) }
}

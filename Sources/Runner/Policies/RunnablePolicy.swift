import Conformance
import EvictionCore
import Parameters
import Prefixes
import Requests
import Simulation

/// A policy that every command runs by name.
public struct RunnablePolicyEntry: Sendable {
  /// The policy's page, needs and parameters.
  package let description: PolicyDescription
  /// The policy alone over a key stream.
  package let simulator: PolicySimulator
  /// The policy as a cache of prefixes.
  package let prefixes: PrefixSimulator
  /// The plug-in that it is from; nil for a policy in Swift.
  package let plugin: PluginLibrary?

  /// An entry compiled for a policy's type.
  ///
  /// Policies of the catalog are compiled beside the simulator instead: `catalog`.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(PolicySimulator(policy), PrefixSimulator(policy))
  }

  /// The same for a policy that can also keep chains of prefixes.
  @inlinable
  public init<Policy: PinnablePolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(PolicySimulator(policy), PrefixSimulator(policy))
  }

  @usableFromInline
  package init(_ simulator: PolicySimulator, _ prefixes: PrefixSimulator) {
    self.init(simulator, prefixes, plugin: nil)
  }

  package init(
    _ simulator: PolicySimulator, _ prefixes: PrefixSimulator, plugin: PluginLibrary?
  ) {
    self.plugin = plugin
    description = simulator.description
    self.simulator = simulator
    self.prefixes = prefixes
  }

  /// The policy as real caches take it.
  package var policy: CachePolicy { description.policy }

  /// The policy's page in the catalog.
  package var information: PolicyInformation { description.information }

  /// The fields of a request that the policy reads beyond slot and size.
  package var needs: RequestNeeds { description.needs }

  /// Every policy of the catalog, in its order.
  package static let catalog = zip(PolicySimulator.catalog, PrefixSimulator.catalog).map {
    RunnablePolicyEntry($0, $1)
  }

  /// True if it may crash or hang, and runs in a child where others would suffer.
  package var isForeign: Bool { plugin.map { !$0.isInProgram } ?? false }

  /// The violations of the policy's conformance suite; see ``ErasedConformance``.
  ///
  /// - Parameters:
  ///   - isSilent: True inside another program, whose signals and alarm it leaves alone.
  ///   - goesOn: Called before each property, which is left out if it returns false.
  package func violations(
    of specification: Specification, seeds: Range<UInt64>, operations: Int, isSilent: Bool = false,
    goesOn: (ConformanceProperty) -> Bool = { _ in true }
  ) throws(PolicyError) -> [ConformanceViolation] {
    try simulator.conformance.violations(
      of: specification, isPinnable: prefixes.keepsChains, seeds: seeds, operations: operations,
      isSilent: isSilent, goesOn: goesOn)
  }
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

extension RunnablePolicy where Self: PinnablePolicy & ~Copyable {
  /// An entry compiled for this very type.
  @inlinable
  public static var entry: RunnablePolicyEntry { RunnablePolicyEntry(Self.self) }
}

/// Rules of another package, whose policy is ready for everything that the laboratory does with its own:
///
///     extension MyRules: RunnableRules {}
///
/// The line belongs in the module that defines the rules, as that of a ``RunnablePolicy`` does.
public protocol RunnableRules: ListRules, ~Copyable {
  /// The entry of the rules' policy for each engine.
  static var entry: RunnablePolicyEntry { get }
}

extension RunnableRules where Self: ~Copyable {
  /// An entry compiled for these very rules, in links and in logs.
  @inlinable
  public static var entry: RunnablePolicyEntry {
    RunnablePolicyEntry(ListedPolicy<Self, SlotLists<UInt8>>.self)
  }
}

extension ListedPolicy: RunnablePolicy
where Rules: RunnableRules & ~Copyable, Lists == SlotLists<UInt8> {
  /// The rules' entry.
  @inlinable
  public static var entry: RunnablePolicyEntry { Rules.entry }
}

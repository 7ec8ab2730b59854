import Eviction

/// A policy of another package, ready for everything that the laboratory does with its own.
///
/// Conformance is one line, and nothing need be written:
///
///     extension MyPolicy: RunnablePolicy {}
///
/// The line belongs in the module that defines the policy: there the compiler sees its type, and
/// compiles the simulator's and the replay's loops for it, as for the policies of the catalog.
public protocol RunnablePolicy: ReplacementPolicy, ~Copyable {
  /// What runs the policy.
  static var runner: PolicyRunner { get }
}

extension RunnablePolicy where Self: ~Copyable {
  /// A runner compiled for this very type.
  @inlinable
  public static var runner: PolicyRunner { PolicyRunner(Self.self) }
}

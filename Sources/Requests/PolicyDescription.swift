import EvictionCore
import Parameters

/// A policy before it runs: its page in the catalog, its needs and its parameters.
public struct PolicyDescription: Sendable {
  /// The policy as caches take it, with its default parameters.
  package let policy: CachePolicy

  /// Describes a policy's type.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(CachePolicy(policy))
  }

  /// Describes a policy as caches take it.
  @usableFromInline
  package init(_ policy: CachePolicy) { self.policy = policy }

  /// The policy's page in the catalog.
  @usableFromInline package var information: PolicyInformation { policy.information }

  /// The fields of a request that the policy reads beyond slot and size.
  @usableFromInline package var needs: RequestNeeds { policy.needs }

  /// The policy's own parameters, and those that every policy has.
  package var parameters: [Parameter] {
    information.parameters + PolicyDescription.commonParameters
  }

  /// Parameters that every policy has.
  package static let commonParameters = [
    Parameter(
      "resize", .flag, default: .flag(false),
      help: "in a sized run, a get that hits gives the object its size, as a set does"),
    PolicyDescription.admissionParameter, PolicyDescription.prefetchParameter,
  ]

  /// The parameters of `specification` that are the policy's own.
  package static func ownParameters(of specification: Specification) -> Specification {
    specification.withoutNested("admission").withoutNested("prefetch").without(commonParameters)
  }

  /// Checks that the policy can run at `capacity` with `arguments`, without running it.
  ///
  /// - Throws: The `PolicyError` that a run would throw.
  package func check(
    capacity: Int, isSized: Bool, arguments: Arguments
  ) throws(PolicyError) {
    try checkMinimum(capacity, isSized: isSized)
    try policy.check(
      PolicyConfiguration(capacity: capacity, isSized: isSized, arguments: arguments))
    _ = try PolicyDescription.filter(
      RunOptions(capacity: capacity, arguments: arguments), policy: information.name,
      isSized: isSized)
  }

  /// The baseline that the policy is with these parameters; nil for none.
  package func baseline(with arguments: Arguments) -> PolicyInformation.Baseline? {
    information.baselines.first { isSame($0.value, arguments) }?.key
  }

  /// True if the policy with these parameters is Belady's MIN as long as objects count one.
  package func isOptimumWithoutSizes(with arguments: Arguments) -> Bool {
    information.optimumWithoutSizes.map { isSame($0, arguments) } ?? false
  }

  private func isSame(_ specification: Specification, _ arguments: Arguments) -> Bool {
    guard let own = try? self.arguments(of: specification) else { return false }
    return parameters.allSatisfy { own.value($0.name) == arguments.value($0.name) }
  }

  package func checkMinimum(_ capacity: Int, isSized: Bool) throws(PolicyError) {
    if !isSized && capacity < information.minimumCapacity {
      throw .capacityTooSmall(
        policy: information.name, capacity: capacity, minimum: information.minimumCapacity)
    }
  }
}

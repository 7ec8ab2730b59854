import EvictionCore
import Parameters

/// What every policy must do, whatever it evicts: run it on your own policy in your own tests.
///
///     @Test func myPolicyKeepsTheContract() throws {
///       try PolicyConformance<MyPolicy>().check()
///       try PolicyConformance<MyPolicy>("window=0.1").check()
///     }
///
/// Each property is checked on random workloads (skewed, looping, scanning, with removals, trims,
/// changes of the capacity, and sizes). A failure names the property, the seed of the workload and the
/// operation.
public struct PolicyConformance<Policy: ReplacementPolicy & ~Copyable>: Sendable {
  /// The policy's parameters, as after its name on a command line.
  public let parameters: String
  /// The seeds of the workloads.
  public let seeds: Range<UInt64>
  /// Properties that the policy's definition contradicts.
  public let exceptions: Set<ConformanceProperty>

  /// A suite for the policy with these parameters.
  public init(
    _ parameters: String = "", seeds: Range<UInt64> = 0..<30,
    except exceptions: Set<ConformanceProperty> = []
  ) {
    self.parameters = parameters
    self.seeds = seeds
    self.exceptions = exceptions
  }

  /// The first violation of `property`, or nil if it holds.
  ///
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run with these parameters.
  public func violation(of property: ConformanceProperty) throws(PolicyError) -> String? {
    if property == .hitOrder && Policy.information.hitsReorder { return try idleHitOrder() }
    for seed in seeds {
      for features in property.features {
        let workload = Workload(
          seed: seed, features: features,
          minimumCapacity: Policy.information.minimumCapacity)
        if let violation = try violation(of: property, in: workload) {
          return "\(violation) (seed \(seed), features \(features.rawValue), "
            + "capacity \(workload.capacity))"
        }
      }
    }
    return nil
  }

  /// The policy with its parameters, as on a command line.
  package var specification: String {
    parameters.isEmpty ? Policy.information.name : "\(Policy.information.name):\(parameters)"
  }

  /// The parameters, typed.
  func arguments() throws(PolicyError) -> Arguments {
    do throws(SpecificationError) {
      return try Specification(parsing: specification).arguments(
        for: Policy.information.parameters)
    } catch {
      throw .specification(error)
    }
  }

  func run(
    _ workload: Workload, naming: SlotNaming = .identity, isSized: Bool? = nil,
    telling: HitTelling = .all
  ) throws(PolicyError) -> PolicyDriver<Policy>.Run {
    try PolicyDriver<Policy>.run(
      workload, arguments: arguments(), naming: naming, isSized: isSized,
      telling: telling)
  }
}

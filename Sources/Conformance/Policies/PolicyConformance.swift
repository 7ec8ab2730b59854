import EvictionCore
import Parameters

/// The duties of every policy, whatever it evicts: run them on your own policy in your own tests.
///
///     @Test func myPolicyKeepsTheContract() throws {
///       try PolicyConformance<MyPolicy>().check()
///       try PolicyConformance<MyPolicy>("window=0.1").check()
///     }
///
/// Each property is checked on random workloads (skewed, looping, scanning, with removals, trims,
/// changes of the capacity, and sizes: none, huge, growing). After each operation all numbers that
/// ``EvictionCore/ReplacementPolicy/showInternals(_:)`` shows must be finite. A failure names the property, the seed of the workload and the
/// operation, also if the policy traps or never returns.
public struct PolicyConformance<Policy: ReplacementPolicy & ~Copyable>: Sendable {
  /// The policy's parameters, as after its name on a command line.
  public let parameters: String
  /// The seeds of the workloads.
  public let seeds: Range<UInt64>
  /// The operations of a workload.
  public let operations: Int
  /// True if the host may pin residents.
  let isPinnable: Bool
  /// The policy's page.
  let information: PolicyInformation
  /// The fields of a request that it reads beyond slot and size.
  let needs: RequestNeeds

  /// A suite for the policy with these parameters.
  public init(
    _ parameters: String = "", seeds: Range<UInt64> = 0..<30, operations: Int = 200
  ) {
    self.init(parameters, isPinnable: false, seeds: seeds, operations: operations)
  }

  init(
    _ parameters: String, isPinnable: Bool, seeds: Range<UInt64>, operations: Int,
    information: PolicyInformation = Policy.information, needs: RequestNeeds = Policy.needs
  ) {
    self.isPinnable = isPinnable
    self.information = information
    self.needs = needs
    self.parameters = parameters
    self.seeds = seeds
    self.operations = operations
  }

  /// The first violation of each property that does not hold. A broken contract is the last one: under
  /// the other properties the same fault would show again.
  ///
  /// - Parameter progress: Called before each property.
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run with these parameters.
  public func violations(
    progress: (ConformanceProperty) -> Void = { _ in }
  ) throws(PolicyError) -> [ConformanceViolation] {
    try violations(BreakdownReport()) {
      progress($0)
      return true
    }
  }

  /// The same, as long as `goesOn` returns true before a property.
  func violations(
    _ report: borrowing BreakdownReport, goesOn: (ConformanceProperty) -> Bool
  ) throws(PolicyError) -> [ConformanceViolation] {
    var violations: [ConformanceViolation] = []
    for property in ConformanceProperty.allCases where goesOn(property) {
      guard let violation = try violation(of: property, report) else { continue }
      violations.append(violation)
      if violation.breaksContract { break }
    }
    return violations
  }

  /// The first violation of `property`, or nil if it holds.
  ///
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run with these parameters.
  public func violation(
    of property: ConformanceProperty
  ) throws(PolicyError) -> ConformanceViolation? {
    try violation(of: property, BreakdownReport())
  }

  private func violation(
    of property: ConformanceProperty, _ report: borrowing BreakdownReport
  ) throws(PolicyError) -> ConformanceViolation? {
    if property == .hitOrder && information.hitsReorder {
      return try idleHitOrder(report)
    }
    for seed in seeds {
      for features in property.features {
        let workload = Workload(
          seed: seed, features: features, minimumCapacity: information.minimumCapacity,
          length: operations)
        let violation = try violation(of: property, in: workload, report)
        if let violation { return violation }
      }
    }
    return nil
  }

  /// The violation of `property` in one workload, or nil if it holds there.
  func violation(
    of property: ConformanceProperty, in workload: Workload, _ report: borrowing BreakdownReport
  ) throws(PolicyError) -> ConformanceViolation? {
    report.begin(workload, of: property, specification)
    return try finding(on: property, in: workload).map {
      ConformanceViolation(
        property: property, breaksContract: $0.breaksContract, fault: "\($0.fault), \(workload)")
    }
  }

  /// The policy with its parameters, as on a command line.
  package var specification: String {
    parameters.isEmpty ? information.name : "\(information.name):\(parameters)"
  }

  /// The parameters, typed.
  func arguments() throws(PolicyError) -> Arguments {
    do throws(SpecificationError) {
      return try Specification(parsing: specification).arguments(
        for: information.parameters)
    } catch {
      throw .specification(error)
    }
  }

  func run(
    _ workload: Workload, naming: SlotNaming = .identity, isSized: Bool? = nil,
    telling: HitTelling = .all, goesOnFromCopies: Bool = false
  ) throws(PolicyError) -> PolicyDriver<Policy>.Run {
    try PolicyDriver<Policy>.run(
      workload, arguments: arguments(), needs: needs, naming: naming, isSized: isSized,
      telling: telling, goesOnFromCopies: goesOnFromCopies)
  }
}

extension PolicyConformance where Policy: PinnablePolicy & ~Copyable {
  /// A suite for the policy with these parameters, on a host that also pins residents.
  public init(
    _ parameters: String = "", seeds: Range<UInt64> = 0..<30, operations: Int = 200
  ) {
    self.init(parameters, isPinnable: true, seeds: seeds, operations: operations)
  }
}

/// The conformance suite of a policy whose type is erased.
public struct ErasedConformance: Sendable {
  private let check:
    @Sendable (Specification, Bool, Range<UInt64>, Int, Bool, (ConformanceProperty) -> Bool)
      throws(PolicyError) -> [ConformanceViolation]

  /// The suite of a policy's type, whose page and needs are these. It is not specialised: builds stay short.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, information: PolicyInformation, needs: RequestNeeds
  ) {
    check = {
      (specification, isPinnable, seeds, operations, isSilent, goesOn) throws(PolicyError) in
      let parameters = "\(specification)".dropFirst(specification.name.count + 1)
      return try PolicyConformance<Policy>(
        String(parameters), isPinnable: isPinnable, seeds: seeds, operations: operations,
        information: information, needs: needs
      ).violations(BreakdownReport(isSilent: isSilent), goesOn: goesOn)
    }
  }

  /// The violations of the policy with the parameters of its specification.
  ///
  /// - Parameters:
  ///   - specification: The policy's name and parameters.
  ///   - isPinnable: True if the policy is a ``EvictionCore/PinnablePolicy``.
  ///   - seeds: The seeds of the workloads.
  ///   - operations: The operations of a workload.
  ///   - isSilent: True if the program's signals are left as they are: then a trap has no report.
  ///   - goesOn: Called before each property; it is left out if this returns false.
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run with these parameters.
  package func violations(
    of specification: Specification, isPinnable: Bool, seeds: Range<UInt64>, operations: Int,
    isSilent: Bool, goesOn: (ConformanceProperty) -> Bool
  ) throws(PolicyError) -> [ConformanceViolation] {
    try check(specification, isPinnable, seeds, operations, isSilent, goesOn)
  }
}

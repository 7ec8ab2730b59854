import EvictionCore

/// One thing that every policy must do.
public enum ConformanceProperty: String, CaseIterable, Sendable {
  /// Capacity, membership, evictions, ghosts and removals, as the driver checks them.
  case contract = "keeps the contract with its host"
  /// Two runs of one seed are the same.
  case determinism = "does the same for the same seed"
  /// Shuffled slots change nothing.
  case naming = "decides nothing by a slot's number"
  /// Recycled slots, and room that is reserved late, change nothing.
  case recycling = "treats a forgotten slot as new, and room reserved late as room"
  /// A policy that has read the state of another, made alike, does what that one would do; unless it passes none on.
  case state = "goes on from a state that it has passed on"
  /// A hit that the policy says it ignores may as well not be told.
  case ignoredHits = "learns nothing from a hit that it ignores"
  /// Hits told in another order change something, or nothing, as the policy declares.
  case hitOrder = "reorders on hits exactly if it says so"
  /// A sized run in which all sizes are 1 is a run without sizes.
  case unitSizes = "counts objects as it counts bytes"
  /// A victim that the host keeps stays, and the newcomer is refused.
  case admission = "asks before it evicts, and takes no for an answer"
  /// The contract holds, and what is learned is a finite number, whatever the sizes and costs.
  case extremes = "bears empty, huge and growing objects and any cost, and learns finite numbers"
  /// A resident that the host pins stays, if the policy says that it can pass over it.
  case pins = "passes over what the host has pinned"
  /// No more hits than Belady's MIN.
  case optimum = "misses at least as often as Belady's MIN"

  /// The features of the property's workloads.
  var features: [Workload.Features] {
    switch self {
    case .contract, .recycling, .naming, .state, .ignoredHits, .hitOrder: Workload.Features.samples
    case .admission: Workload.Features.samples.map { $0.union(.refusals) }
    case .determinism: [.disturbances, [.sizes, .disturbances]]
    case .unitSizes: [[], .disturbances]
    case .extremes: Workload.Features.extremes
    case .pins, .optimum: [[]]
    }
  }
}

/// A property that does not hold.
public struct ConformanceViolation: Sendable, CustomStringConvertible {
  /// The property.
  public let property: ConformanceProperty
  /// True if the policy broke the contract with its host, under whichever property.
  public let breaksContract: Bool
  let fault: String

  /// The property, the fault, the operation and the workload, in one line.
  public var description: String { "\(property.rawValue): \(fault)" }
}

extension PolicyConformance where Policy: ~Copyable {
  typealias Finding = (breaksContract: Bool, fault: String)

  func finding(
    on property: ConformanceProperty, in workload: Workload
  ) throws(PolicyError) -> Finding? {
    switch property {
    case .contract, .admission, .extremes:
      try run(workload).violation.map { (true, $0) }
    case .determinism:
      try difference(run(workload), run(workload))
    case .naming:
      try difference(run(workload), run(workload, naming: .shuffled))
    case .recycling:
      try difference(run(workload), run(workload, naming: .recycled))
    case .state:
      try difference(run(workload), run(workload, goesOnFromCopies: true))
    case .ignoredHits:
      try difference(run(workload), run(workload, telling: .allButIgnored))
    case .hitOrder:
      // The future cannot change places.
      needs.contains(.nextUse)
        ? nil : try difference(run(workload), run(workload, telling: .reversed))
    case .unitSizes:
      // A least capacity counts objects, and holds in no run with sizes.
      information.minimumCapacity > 1
        ? nil : try difference(run(workload, isSized: false), run(workload, isSized: true))
    case .pins:
      isPinnable ? try lostPin(workload).map { (true, $0) } : nil
    case .optimum:
      try betterThanOptimum(workload)
    }
  }

  /// A policy that declares that its hits reorder, if none of many workloads shows it. Parameters may
  /// make it so, and the declaration is about the policy without any.
  func idleHitOrder(
    _ report: borrowing BreakdownReport
  ) throws(PolicyError) -> ConformanceViolation? {
    if !parameters.isEmpty || needs.contains(.nextUse) { return nil }
    let workloads = 100
    for seed in 0..<UInt64(workloads) {
      // Some policies learn of an order only in large caches, and slowly.
      let workload = Workload(
        seed: seed, features: seed < 80 ? [] : .sizes,
        minimumCapacity: information.minimumCapacity, length: seed < 80 ? 200 : 2_000)
      if try violation(of: .hitOrder, in: workload, report) != nil { return nil }
    }
    return ConformanceViolation(
      property: .hitOrder, breaksContract: false,
      fault: "the order of hits decides nothing in \(workloads) workloads; "
        + "declare that (Swift: hitsReorder: false, C: no EVL_HITS_REORDER, "
        + "Python: hits_reorder = False)")
  }

  private func difference(
    _ left: PolicyDriver<Policy>.Run, _ right: PolicyDriver<Policy>.Run
  ) -> Finding? {
    if let breach = left.violation ?? right.violation { return (true, breach) }
    return firstDifference(left.events, right.events).map { (false, $0) }
  }

  private func betterThanOptimum(_ workload: Workload) throws(PolicyError) -> Finding? {
    let run = try run(workload)
    if let breach = run.violation { return (true, breach) }
    let hits = run.events.count { if case .hit = $0 { true } else { false } }
    let rejects = run.events.contains { if case .rejected = $0 { true } else { false } }
    let keys = workload.requestedKeys
    let fewest = BeladyMinimum.misses(keys, capacity: workload.capacity, bypass: rejects)
    return keys.count - hits < fewest
      ? (false, "\(keys.count - hits) misses, where the fewest possible are \(fewest)") : nil
  }
}

/// Returns the first difference of two event logs, in words; nil if they are equal.
public func firstDifference(_ left: [CacheEvent], _ right: [CacheEvent]) -> String? {
  if left == right { return nil }
  let common = zip(left, right).prefix { $0 == $1 }.count
  func event(_ events: [CacheEvent]) -> String {
    common < events.count ? "\(events[common])" : "the end"
  }
  return "event \(common) is \(event(left)) in one run and \(event(right)) in the other"
}

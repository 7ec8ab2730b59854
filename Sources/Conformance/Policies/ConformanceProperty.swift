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
  /// A hit that the policy says it ignores may as well not be told.
  case ignoredHits = "learns nothing from a hit that it ignores"
  /// Hits told in another order change something, or nothing, as the policy declares.
  case hitOrder = "reorders on hits exactly if it says so"
  /// A sized run in which all sizes are 1 is a run without sizes.
  case unitSizes = "counts objects as it counts bytes"
  /// A victim that the host keeps stays, and the newcomer is refused.
  case admission = "asks before it evicts, and takes no for an answer"
  /// No more hits than Belady's MIN.
  case optimum = "misses at least as often as Belady's MIN"

  /// What the workloads of the property have.
  var features: [Workload.Features] {
    switch self {
    case .contract, .recycling, .naming, .ignoredHits, .hitOrder: Workload.Features.samples
    case .admission: Workload.Features.samples.map { $0.union(.refusals) }
    case .determinism: [.disturbances, [.sizes, .disturbances]]
    case .unitSizes: [[], .disturbances]
    case .optimum: [[]]
    }
  }
}

extension PolicyConformance where Policy: ~Copyable {
  func violation(
    of property: ConformanceProperty, in workload: Workload
  ) throws(PolicyError) -> String? {
    switch property {
    case .contract, .admission:
      try run(workload).violation
    case .determinism:
      try difference(run(workload), run(workload))
    case .naming:
      try difference(run(workload), run(workload, naming: .shuffled))
    case .recycling:
      try difference(run(workload), run(workload, naming: .recycled))
    case .ignoredHits:
      try difference(run(workload), run(workload, telling: .allButIgnored))
    case .hitOrder:
      try differenceByHitOrder(workload)
    case .unitSizes:
      try difference(run(workload, isSized: false), run(workload, isSized: true))
    case .optimum:
      try betterThanOptimum(workload)
    }
  }

  /// What tells a run from one whose hits change places; nil for a policy that knows the future, as
  /// theirs cannot.
  private func differenceByHitOrder(_ workload: Workload) throws(PolicyError) -> String? {
    if Policy.needs.contains(.nextUse) { return nil }
    return try difference(run(workload), run(workload, telling: .reversed))
  }

  /// A complaint about a policy that declares that its hits reorder, if none of many workloads shows
  /// it. Parameters may make it so, and the declaration is about the policy without any.
  func idleHitOrder() throws(PolicyError) -> String? {
    if !parameters.isEmpty || Policy.needs.contains(.nextUse) { return nil }
    let workloads = 100
    for seed in 0..<UInt64(workloads) {
      let workload = Workload(seed: seed, minimumCapacity: Policy.information.minimumCapacity)
      if try differenceByHitOrder(workload) != nil { return nil }
    }
    return "the order of hits decides nothing in \(workloads) workloads; "
      + "its information should say hitsReorder: false"
  }

  private func difference(
    _ left: PolicyDriver<Policy>.Run, _ right: PolicyDriver<Policy>.Run
  ) -> String? {
    if let violation = left.violation ?? right.violation { return violation }
    return firstDifference(left.events, right.events)
  }

  private func betterThanOptimum(_ workload: Workload) throws(PolicyError) -> String? {
    let run = try run(workload)
    if let violation = run.violation { return violation }
    let hits = run.events.count { if case .hit = $0 { true } else { false } }
    let rejects = run.events.contains { if case .rejected = $0 { true } else { false } }
    let keys = workload.requestedKeys
    let fewest = BeladyMinimum.misses(keys, capacity: workload.capacity, bypass: rejects)
    return keys.count - hits < fewest
      ? "\(keys.count - hits) misses, where the fewest possible are \(fewest)" : nil
  }
}

/// Where two event logs part, in words; nil if they are equal.
public func firstDifference(_ left: [CacheEvent], _ right: [CacheEvent]) -> String? {
  if left == right { return nil }
  let common = zip(left, right).prefix { $0 == $1 }.count
  func event(_ events: [CacheEvent]) -> String {
    common < events.count ? "\(events[common])" : "the end"
  }
  return "event \(common) is \(event(left)) in one run and \(event(right)) in the other"
}

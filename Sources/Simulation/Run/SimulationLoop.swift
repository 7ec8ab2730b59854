import Conformance
import EvictionCore
import Parameters
import Requests
import Results
import Traces

/// The options of one simulation: those of any run, and the logs that it fills.
@usableFromInline
package struct SimulationOptions: Sendable {
  /// Capacity, parameters, seed and warm-up.
  @usableFromInline package var run: RunOptions
  /// Takes the evictions; nil for none. Slows the run.
  @usableFromInline package var evictions: EvictionLog?
  /// Takes the hits; nil for none. Slows the run.
  @usableFromInline package var hits: HitLog?
  /// Checks that the policy keeps the contract; nil for not at all. A breach stops the run.
  @usableFromInline package var account: SlotAccount?
  /// Takes the counts of each window; nil for none. Costs nothing a request.
  @usableFromInline package var windows: WindowLog?
  /// Takes the latencies of a run whose misses take time; nil for none.
  @usableFromInline package var latencies: LatencyLog?
  /// The one that counts plain gets of objects that count one.
  @usableFromInline package var answer = Answer.compared

  /// The one that counts, where nothing but counts is wanted.
  @usableFromInline
  package enum Answer: Sendable {
    /// The fastest that knows, after a comparison with the policy's own steps over the first requests.
    case compared
    /// The policy, as a sweep runs it.
    case policy
    /// The theorem about a baseline, if the policy is one.
    case theorem
  }

  /// Options without logs.
  @usableFromInline package init(_ run: RunOptions) { self.run = run }

  /// True if the host has more to do than to count.
  @usableFromInline var areObserved: Bool { evictions != nil || hits != nil || account != nil }
}

/// Runs one policy alone over a key stream: no cache, no values, nothing else in the loop.
///
/// - Complexity: O(requests) times the policy's own cost.
@usableFromInline
struct SimulationLoop<Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  /// Begins a run.
  ///
  /// - Throws: ``PolicyError`` if the policy cannot run with these options.
  @inlinable
  static func begin(
    _ options: SimulationOptions, over shape: RequestShape
  ) throws(PolicyError) -> BlockSimulation {
    let run = options.run
    if run.delay != nil { return try beginDelayed(options, over: shape) }
    if run.prefetches { return try beginPrefetching(options, over: shape) }
    let configuration = configuration(of: run, isSized: shape.isSized, slots: shape.slots)
    let policy = try Policy(configuration)
    let filter = try PolicyDescription.filter(
      run, policy: Policy.information.name, isSized: shape.isSized)
    return BlockSimulation(
      PolicyCounter<Policy, SizedHost, ColumnSource>(
        policy,
        host: SizedHost(
          capacity: configuration.capacity, slots: shape.slots, filter: filter, options: options),
        options: options, slots: shape.slots, resizes: run.arguments.flag("resize")), options)
  }

  /// Begins a run of plain gets of objects that count one, with nothing to do but to count.
  ///
  /// - Throws: ``PolicyError`` if the policy cannot run with these options.
  @inlinable
  static func beginPlain(
    _ options: SimulationOptions, over shape: RequestShape
  ) throws(PolicyError) -> BlockSimulation {
    let configuration = configuration(of: options.run, isSized: false, slots: shape.slots)
    return BlockSimulation(
      PolicyCounter<Policy, UnitHost, PlainSource>(
        try Policy(configuration), host: UnitHost(capacity: configuration.capacity),
        options: options, slots: shape.slots, resizes: false), options)
  }

  @inlinable
  static func configuration(of run: RunOptions, isSized: Bool, slots: Int) -> PolicyConfiguration {
    PolicyConfiguration(
      capacity: Policy.information.ignoresCapacity ? .max : run.capacity, isSized: isSized,
      seed: run.seed, slots: slots, arguments: run.arguments)
  }

  @inlinable
  static func run<Host: SimulationHost & ~Copyable, Source: RequestSource>(
    _ range: Range<Int>, of requests: Int, source: Source, policy: inout Policy,
    host: inout Host, counts: inout RequestCounts, countsSets: Bool, resizes: Bool
  ) {
    if Host.isPlain {
      return runPlain(
        range, of: requests, source: source, policy: &policy, host: &host, counts: &counts)
    }
    let last = requests &- 1
    // Counted in registers; a request is put together where it is known what becomes of it.
    var seen = counts
    for index in range {
      prefetch(index, last: last, source: source, policy: policy, host: host)
      let slot = source.slot(at: index)
      host.begin(index)
      let role = source.role(at: index)
      if host.lifetimes != nil {
        seen.expirations &+= expire(
          before: index, role: role, source: source, policy: &policy, host: &host)
      }
      if role == .removal {
        if policy.contains(slot) { host.removed(slot) }
        policy.remove(slot, host: &host)
        continue
      }
      if role == .renewal {
        renew(slot, at: index, source: source, policy: &policy, host: &host)
        continue
      }
      let isCounted = role == .reference || countsSets
      if policy.contains(slot) {
        var request = source.request(at: index, needs: Policy.needs)
        if isCounted { seen.count(request, isHit: true, weighs: source.weighs) }
        host.record(request, isHit: true)
        let size = request.size
        let brings = source.weighs && (resizes || source.writes(at: index))
        if brings && role == .update && size > host.capacity {
          // As a cache refuses such a set before its policy learns of it.
          outgrow(slot, policy: &policy, host: &host)
          seen.rejections &+= 1
          continue
        }
        // A cache knows a resident by its own size, and a read leaves its expiry as it is.
        request.size = host.size(of: slot)
        if role == .reference { request.expiry = .max }
        if role == .update && host.lifetimes != nil {
          request.expiry = min(request.expiry, .max - 1)
        }
        policy.hit(request, host: &host)
        if role == .update { host.lifetimes?.start(slot) }
        if brings {
          if role == .reference && host.lifetimes != nil && (resizes || source.tellsSizes) {
            seen.expirations &+= removeDue(for: request, size: size, policy: &policy, host: &host)
          }
          resize(slot, to: size, policy: &policy, host: &host)
        }
        if role == .reference && host.lifetimes != nil && source.writes(at: index) {
          renew(slot, at: index, source: source, policy: &policy, host: &host)
        }
      } else {
        let request = source.request(at: index, needs: Policy.needs)
        if source.weighs && request.size == Source.unknownSize {
          if isCounted { seen.countUnknownSize() }
          host.missed()
          continue
        }
        if isCounted { seen.count(request, isHit: false, weighs: source.weighs) }
        host.record(request, isHit: false)
        if insert(request, at: index, policy: &policy, host: &host) {
          seen.insertions &+= 1
        } else {
          seen.rejections &+= 1
        }
      }
    }
    counts = seen
  }

  /// Offers a newcomer to the policy, if it fits the capacity and passes the filter.
  @inlinable @inline(__always)
  static func insert<Host: SimulationHost & ~Copyable>(
    _ request: Request, at index: Int, policy: inout Policy, host: inout Host
  ) -> Bool {
    guard request.size <= host.capacity, host.admits(request, at: index) else { return false }
    let isAdmitted = policy.insert(request, host: &host)
    host.inserted(request, isAdmitted: isAdmitted)
    return isAdmitted
  }

  /// Brings near what the requests after `index` will read: first a slot's record, then what it leads to.
  @inlinable @inline(__always)
  static func prefetch<Host: SimulationHost & ~Copyable>(
    _ index: Int, last: Int, source: some RequestSource, policy: borrowing Policy,
    host: borrowing Host
  ) {
    let far = min(index &+ prefetchDistance, last)
    let near = min(index &+ prefetchDistance / 2, last)
    policy.prefetch(source.slot(at: far))
    host.prefetch(source.slot(at: far))
    if Policy.needs.contains(.keyHash) { source.prefetchKeyHash(at: far) }
    policy.prefetchFurther(
      source.slot(at: near),
      keyHash: Policy.needs.contains(.keyHash) ? source.keyHash(at: near) : 0)
  }

  /// The requests ahead at which the coming slot is prefetched: about the latency of memory.
  @inlinable static var prefetchDistance: Int { 16 }

  /// Gives a resident the size of its latest request, and restores the limits. One that is larger than the cache
  /// leaves, and no other.
  @inlinable
  static func resize<Host: SimulationHost & ~Copyable>(
    _ slot: Slot, to size: Int, policy: inout Policy, host: inout Host
  ) {
    let old = host.size(of: slot)
    if size == old { return }
    if size > host.capacity { return outgrow(slot, policy: &policy, host: &host) }
    policy.changeSize(of: slot, by: size - old)
    host.resized(slot, to: size)
    policy.resize(to: host.capacity, host: &host)
    while host.isOverfull { policy.evict(for: nil, host: &host) }
  }

  /// Removes a resident that has grown larger than the cache.
  @inlinable
  static func outgrow<Host: SimulationHost & ~Copyable>(
    _ slot: Slot, policy: inout Policy, host: inout Host
  ) {
    host.outgrew(slot)
    policy.remove(slot, host: &host)
  }
}

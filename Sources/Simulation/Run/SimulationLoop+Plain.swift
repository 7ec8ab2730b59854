import EvictionCore
import Requests
import Results

extension SimulationLoop where Policy: ~Copyable {
  /// Runs plain gets of objects that count one, in blocks: before each the policy says whether requests only move slots
  /// now.
  @inlinable
  static func runPlain<Host: SimulationHost & ~Copyable>(
    _ range: Range<Int>, of requests: Int, source: some RequestSource, policy: inout Policy,
    host: inout Host, counts: inout RequestCounts
  ) {
    var next = range.lowerBound
    while next < range.upperBound {
      // The last few have none to prefetch.
      let ahead = next + prefetchDistance < requests ? prefetchDistance : 0
      let end = min(next + blockLength, range.upperBound, requests - ahead)
      policy.tidy()
      while next < end {
        let isFull = host.used == host.capacity
        if isFull, let steady = policy.steady() {
          next = runSteady(
            next..<end, ahead: ahead, steady, source: source, policy: &policy, host: &host,
            counts: &counts)
        }
        let rest = next..<min(next + stepLength, end)
        runBlock(
          rest, ahead: ahead, source: source, policy: &policy, host: &host, counts: &counts)
        next = rest.upperBound
      }
    }
  }

  /// The requests before a policy may tidy up.
  @inlinable static var blockLength: Int { 1 << 16 }
  /// The requests before a policy is asked again whether requests only move slots.
  @inlinable static var stepLength: Int { 1 << 10 }

  @inlinable @inline(__always)
  static func runBlock<Host: SimulationHost & ~Copyable>(
    _ block: Range<Int>, ahead: Int, source: some RequestSource, policy: inout Policy,
    host: inout Host, counts: inout RequestCounts
  ) {
    var misses = 0
    let before = host.evictions &+ host.used
    var index = block.lowerBound
    while index < block.upperBound {
      prefetch(index, ahead: ahead, source: source, policy: policy)
      var request = source.request(at: index, needs: Policy.needs)
      if policy.contains(request.slot) {
        // A read leaves the object's expiry as it is.
        request.expiry = .max
        policy.hit(request, host: &host)
      } else {
        misses &+= 1
        let isAdmitted = policy.insert(request, host: &host)
        host.inserted(request, isAdmitted: isAdmitted)
      }
      index &+= 1
    }
    counts.count(
      misses: misses, insertions: host.evictions &+ host.used &- before, of: block.count)
  }

  /// Runs requests of a full cache as long as most only move slots.
  ///
  /// - Returns: The first that was not run.
  @inlinable @inline(never)
  static func runSteady<Host: SimulationHost & ~Copyable>(
    _ block: Range<Int>, ahead: Int, _ steady: SteadyLists, source: some RequestSource,
    policy: inout Policy, host: inout Host, counts: inout RequestCounts
  ) -> Int {
    var (misses, elsewhere) = (0, 0)
    var index = block.lowerBound
    while index < block.upperBound {
      prefetch(index, ahead: ahead, source: source, policy: policy)
      if let missed = policy.steadyRequest(of: source.slot(at: index), in: steady) {
        misses &+= missed
        index &+= 1
        continue
      }
      runElsewhere(index, source: source, policy: &policy, host: &host, counts: &counts)
      elsewhere &+= 1
      index &+= 1
      if policy.steady() == nil { break }
    }
    host.replaced(misses)
    counts.count(
      misses: misses, insertions: misses, of: index &- block.lowerBound &- elsewhere)
    return index
  }

  /// A hit or miss that does more. A function of its own, so that the loop has all registers.
  @inlinable @inline(never)
  static func runElsewhere<Host: SimulationHost & ~Copyable>(
    _ index: Int, source: some RequestSource, policy: inout Policy, host: inout Host,
    counts: inout RequestCounts
  ) {
    runBlock(
      index..<index + 1, ahead: 0, source: source, policy: &policy, host: &host, counts: &counts)
  }

  @inlinable @inline(__always)
  static func prefetch(
    _ index: Int, ahead: Int, source: some RequestSource, policy: borrowing Policy
  ) {
    let far = index &+ ahead
    policy.prefetch(source.slot(at: far))
    if Policy.needs.contains(.keyHash) { source.prefetchKeyHash(at: far) }
    let near = index &+ ahead / 2
    policy.prefetchFurther(
      source.slot(at: near),
      keyHash: Policy.needs.contains(.keyHash) ? source.keyHash(at: near) : 0)
  }
}

extension RequestCounts {
  /// Counts requests, given how many missed, and how many of these were admitted.
  @usableFromInline
  package mutating func count(misses: Int, insertions: Int, of requests: Int) {
    self.requests += requests
    hits += requests - misses
    self.insertions += insertions
    rejections += misses - insertions
  }
}

import EvictionCore
import Requests
import Traces

// Times to live: what a run does only where objects expire.
extension SimulationLoop where Policy: ~Copyable {
  /// Removes what a cache removes before it does what a request asks: the object itself if its time is over, and before
  /// a set others, too. A removal removes its own object.
  ///
  /// - Returns: The number of residents whose time was over.
  @inlinable @inline(never)
  static func expire<Host: SimulationHost & ~Copyable, Source: RequestSource>(
    before index: Int, role: TraceOperation.Role, source: Source, policy: inout Policy,
    host: inout Host
  ) -> Int {
    guard let lifetimes = host.lifetimes else { return 0 }
    let slot = source.slot(at: index)
    lifetimes.begin(at: source.time(at: index))
    if role == .renewal { return 0 }
    var count = 0
    if role != .update && policy.contains(slot) {
      if !lifetimes.isOver(slot) { return 0 }
      if role == .removal { return 1 }
      remove(slot, policy: &policy, host: &host)
      count = 1
    }
    if role == .removal { return count }
    let request = source.request(at: index, needs: [])
    if source.weighs && request.size == Source.unknownSize { return count }
    lifetimes.beginArrival(timeToLive: source.timeToLive(at: index))
    count += removeDue(for: request, size: request.size, policy: &policy, host: &host)
    if role == .update && policy.contains(slot) && lifetimes.isOver(slot) {
      remove(slot, policy: &policy, host: &host)
      count += 1
    }
    return count
  }

  /// Removes residents whose time is over, up to a bound, and beyond it only as long as otherwise something else would
  /// have to leave for an object of `size`.
  ///
  /// - Returns: Their number.
  @inlinable @inline(never)
  static func removeDue<Host: SimulationHost & ~Copyable>(
    for request: Request, size: Int, policy: inout Policy, host: inout Host
  ) -> Int {
    guard let lifetimes = host.lifetimes else { return 0 }
    var count = 0
    var steps = SlotLifetimes.mostRemovedAtOnce
    while let due = lifetimes.due(within: &steps) {
      remove(due, policy: &policy, host: &host)
      count += 1
      if steps > 0 || size > host.capacity { continue }
      let isResident = policy.contains(request.slot) && !lifetimes.isOver(request.slot)
      let old = isResident ? host.size(of: request.slot) : 0
      if host.used - old > host.capacity - size { steps = SlotLifetimes.mostRemovedAtOnce }
    }
    return count
  }

  /// Removes every resident whose time is over, as a cache does before it says what it counted.
  ///
  /// - Returns: Their number.
  @inlinable
  static func removeAllDue<Host: SimulationHost & ~Copyable>(
    policy: inout Policy, host: inout Host
  ) -> Int {
    guard let lifetimes = host.lifetimes else { return 0 }
    lifetimes.readClock()
    var count = 0
    var steps = Int.max
    while let due = lifetimes.due(within: &steps) {
      remove(due, policy: &policy, host: &host)
      count += 1
    }
    return count
  }

  /// Gives the resident `slot` the request's time to live from now on, if it is resident and not over.
  @inlinable @inline(never)
  static func renew<Host: SimulationHost & ~Copyable>(
    _ slot: Slot, at index: Int, source: some RequestSource, policy: inout Policy,
    host: inout Host
  ) {
    guard let lifetimes = host.lifetimes, policy.contains(slot), !lifetimes.isOver(slot) else {
      return
    }
    lifetimes.beginArrival(timeToLive: source.timeToLive(at: index))
    lifetimes.start(slot)
    if Policy.needs.contains(.expiry) {
      policy.changeExpiry(of: slot, to: lifetimes.expiry(of: slot))
    }
  }

  @inlinable
  static func remove<Host: SimulationHost & ~Copyable>(
    _ slot: Slot, policy: inout Policy, host: inout Host
  ) {
    host.removed(slot)
    policy.remove(slot, host: &host)
  }
}

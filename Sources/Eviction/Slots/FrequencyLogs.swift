/// Slots ordered by a count of their requests, kept as logs, for simulations of objects that count one: see
/// ``FrequencyOrder``.
///
/// The slots of each low frequency are in a log of their own, all others in one, by their last requests. Which of the
/// others is the least frequent is asked when no slot of a low frequency is left. Then more frequencies are low, twice that
/// of one slot, so that this happens no more often than a frequency can be doubled. From 4096 on it is asked each
/// time, which takes a newcomer that was requested as many times.
///
/// - Complexity: amortized O(1). Memory: 8 bytes a slot, and at most about 66 for each that is counted.
public struct FrequencyLogs: FrequencyOrder, ~Copyable {
  /// By frequency the low ones, and at 0 all others. A slot's owner is its frequency.
  @usableFromInline var logs: SlotLogs
  @usableFromInline var lows: Int
  /// No log of a lower frequency has a slot.
  @usableFromInline var least = 1

  /// The low frequencies, at most: each takes a log.
  static var mostLows: Int { 1 << 12 }
  /// The largest frequency that is counted.
  @inlinable static var mostRequests: Int { 1 << 32 - 1 }

  /// The bytes that the logs take.
  @inlinable public static var bytesPerObject: Int { SlotLogs.bytesPerObject }

  /// Creates empty lists with room for `slots` slots.
  @inlinable
  public init(slots: Int) {
    logs = SlotLogs(count: 3, slots: slots)
    lows = 4
  }

  /// Returns true if `slot` is counted.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { logs.ownerNumber(of: slot) != 0 }

  /// Starts counting `slot` with its first request.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Slot) {
    logs.append(slot, to: 1, owner: 1)
    least = 1
  }

  /// Counts another request of `slot`.
  @inlinable @inline(__always)
  public mutating func increment(_ slot: Slot) {
    let frequency = logs.ownerNumber(of: slot)
    let next = min(frequency &+ 1, FrequencyLogs.mostRequests)
    if frequency >= lows {
      logs.renew(slot, in: 0, owner: next)
    } else {
      logs.take(slot, outOf: frequency)
      logs.append(slot, to: next < lows ? next : 0, owner: next)
    }
  }

  /// Stops counting `slot`.
  @inlinable
  public mutating func remove(_ slot: Slot) {
    let frequency = logs.ownerNumber(of: slot)
    logs.take(slot, outOf: frequency < lows ? frequency : 0)
    logs.forget(slot)
  }

  /// Evicts the least recent of the slots of the lowest frequency, and remembers nothing about it.
  @inlinable @inline(__always)
  public mutating func evictLeastFrequent(host: inout some SlotHost & ~Copyable) {
    if logs.isEmpty(log: least) { findLeast() }
    let victim = least < lows ? logs.takeFirst(of: least) : takeFirstOfLeast()
    logs.forget(victim)
    host.didEvictAndForget(victim)
  }

  /// Finds the lowest frequency of all.
  @usableFromInline @inline(never)
  mutating func findLeast() {
    while least < lows && logs.isEmpty(log: least) { least += 1 }
    if least < lows { return }
    least = FrequencyLogs.mostRequests
    logs.forEach(in: 0) { least = min(least, logs.ownerNumber(of: $0)) }
    let more = min(2 * max(least, lows), FrequencyLogs.mostLows)
    if more <= lows { return }
    logs.addLists(upTo: more - 1)
    lows = more
    logs.distribute(0) { $0 < more ? $0 : 0 }
  }

  /// Takes the first slot of the lowest frequency where that is not low.
  @usableFromInline @inline(never)
  mutating func takeFirstOfLeast() -> Slot {
    var first: Slot?
    logs.forEach(in: 0) { slot in
      if first == nil && logs.ownerNumber(of: slot) == least { first = slot }
    }
    guard let first else { preconditionFailure("there is nothing to evict") }
    logs.take(first, outOf: 0)
    return first
  }

  /// Stops counting every slot.
  @inlinable
  public mutating func removeAll() { logs.removeAll() }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots: Int) { logs.reserve(slots: slots) }

  /// Gives back memory that is not used.
  @inlinable
  public mutating func shrink() { logs.shrink() }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { logs.prefetch(slot) }

  /// True while a slot of one request is there, which a newcomer can replace.
  @inlinable @inline(__always)
  public var isSteady: Bool { !logs.isEmpty(log: 1) }

  /// Counts a request of one of the more frequent, or replaces one of one request.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot) -> Int? {
    let frequency = logs.ownerNumber(of: slot)
    if UInt(bitPattern: frequency &- 1) < lows &- 1 { return nil }
    let missed = frequency == 0 ? 1 : 0
    logs.renew(
      slot, in: 0, owner: min(frequency &+ 1, FrequencyLogs.mostRequests), orReplaceFirstOf: 1,
      owner: 1, missed: missed)
    return missed
  }
}

/// Slots ordered by a count of their requests, the recency of the last one within each count.
///
/// Every host is served by ``FrequencyLists``, simulations of objects that count one by ``FrequencyLogs``: their hosts pin no slots
/// and refuse no newcomer.
public protocol FrequencyOrder: ~Copyable {
  /// Passes on the order; refuses by default. See `PolicyState`.
  mutating func visitState(_ state: inout PolicyState)

  /// The bytes that each counted slot takes beside those of slots.
  static var bytesPerObject: Int { get }
  /// Creates empty lists with room for `slots` slots.
  init(slots: Int)
  /// Returns true if `slot` is counted.
  func contains(_ slot: Slot) -> Bool
  /// Starts counting `slot` with its first request.
  mutating func insert(_ slot: Slot)
  /// Counts another request of `slot`.
  mutating func increment(_ slot: Slot)
  /// Stops counting `slot`.
  mutating func remove(_ slot: Slot)
  /// Evicts the least recently used of the slots of the lowest frequency, and remembers nothing about it, if the host
  /// lets it go.
  mutating func evictLeastFrequent(host: inout some SlotHost & ~Copyable)
  /// Stops counting every slot.
  mutating func removeAll()
  /// Makes room for slots below `slots`; never shrinks.
  mutating func reserve(slots: Int)
  /// Gives back memory that is not used: to be called now and then.
  mutating func shrink()
  /// Asks the processor to bring near what a request for `slot` will read.
  func prefetch(_ slot: Slot)

  /// True while a newcomer can replace a slot that was requested once: ``steadyRequest(of:)`` is worth while.
  var isSteady: Bool { get }
  /// Runs a request of a full cache, as `increment`, or `evictLeastFrequent` and `insert`, would: see
  /// `ReplacementPolicy`.
  mutating func steadyRequest(of slot: Slot) -> Int?
}

extension FrequencyOrder where Self: ~Copyable {
  /// The order can't be passed on.
  public mutating func visitState(_ state: inout PolicyState) { state.refuse() }
}

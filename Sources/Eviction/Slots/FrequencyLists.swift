/// Slots ordered by a count of their requests, the recency of the last one within each count.
///
/// Each frequency that some slot has is one list of a `SlotLists`; the lists in use form a chain in
/// ascending order, so the slots of the lowest frequency are always at hand.
///
/// - Paper: K. Shah, A. Mitra and D. Matani, “An O(1) algorithm for implementing the LFU cache eviction
///   scheme”, 2010.
/// - Complexity: every operation is O(1), but growth and ``removeAll()``, which are O(slots). Memory: 12
///   bytes per slot, and 36 per frequency in use, of which there are at most √(2 × requests).
public struct FrequencyLists: FrequencyOrder, ~Copyable {
  @usableFromInline typealias ID = SlotLists<UInt32>.ID

  /// A frequency in use, and its neighbours in the chain; 0 ends the chain.
  @usableFromInline
  struct Level {
    @usableFromInline var frequency: Int
    @usableFromInline var lower: UInt32
    @usableFromInline var higher: UInt32

    @inlinable @inline(__always)
    init(frequency: Int, lower: UInt32, higher: UInt32) {
      self.frequency = frequency
      self.lower = lower
      self.higher = higher
    }
  }

  @usableFromInline var lists: SlotLists<UInt32>
  /// Indexed by a list's number. Level 0 is the chain's end: its `higher` is the lowest frequency.
  @usableFromInline var levels: UnsafeMutablePointer<Level>
  @usableFromInline var capacity: Int
  @usableFromInline var used: UInt32
  /// Lists no longer in use, chained by `higher`.
  @usableFromInline var firstFree: UInt32

  /// Creates empty lists with room for `slots` slots.
  @inlinable
  public init(slots: Int = 0) {
    capacity = 64
    lists = SlotLists(count: capacity, slots: slots)
    levels = .allocate(capacity: capacity + 1)
    levels.initialize(to: Level(frequency: 0, lower: 0, higher: 0))
    used = 0
    firstFree = 0
  }

  deinit { levels.deallocate() }

  /// Returns true if `slot` is counted.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  /// The least recently used of the slots of the lowest frequency that has some which are not pinned, or nil if
  /// there is none.
  @inlinable @inline(__always)
  public func leastFrequent<Host: SlotHost & ~Copyable>(host: borrowing Host) -> Slot? {
    var level = levels[0].higher
    while level != 0 {
      let slot = lists.unpinnedBack(of: ID(level), host: host)
      if slot != nil || !Host.pinsSlots { return slot }
      level = levels[Int(level)].higher
    }
    return nil
  }

  /// Evicts the slot that ``leastFrequent(host:)`` finds and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evictLeastFrequent(host: inout some SlotHost & ~Copyable) {
    var level = levels[0].higher
    while true {
      precondition(level != 0, "there is nothing to evict")
      if let victim = lists.unpinnedBack(of: ID(level), host: host) {
        if !host.mayEvict(victim) { return }
        lists.remove(victim, from: ID(level), size: 1)
        releaseIfEmpty(level)
        host.didEvictAndForget(victim)
        return
      }
      level = levels[Int(level)].higher
    }
  }

  /// The most recently used of the slots of the lowest frequency that has some which are not pinned, or nil if
  /// there is none.
  @inlinable @inline(__always)
  public func leastFrequentNewest<Host: SlotHost & ~Copyable>(host: borrowing Host) -> Slot? {
    var level = levels[0].higher
    while level != 0 {
      var candidate = lists.front(of: ID(level))
      while let slot = candidate, host.isPinned(slot) { candidate = lists.older(than: slot) }
      if candidate != nil || !Host.pinsSlots { return candidate }
      level = levels[Int(level)].higher
    }
    return nil
  }

  /// Starts counting `slot` with its first request.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Slot) {
    let list = level(of: 1, above: 0)
    lists.prepend(slot, to: ID(list), size: 1)
  }

  /// Counts another request of `slot`.
  @inlinable @inline(__always)
  public mutating func increment(_ slot: Slot) {
    let current = lists.owner(of: slot).rawValue
    let (frequency, higher) = (levels[Int(current)].frequency &+ 1, levels[Int(current)].higher)
    if lists.count(of: ID(current)) == 1 && levels[Int(higher)].frequency != frequency {
      // Alone at its frequency, with nobody at the next: the level rises with it. So do most hits of popular keys.
      levels[Int(current)].frequency = frequency
      return
    }
    let next = level(of: frequency, above: current)
    lists.move(slot, from: ID(current), toFrontOf: ID(next), size: 1)
    releaseIfEmpty(current)
  }

  /// Stops counting `slot`.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot) {
    let list = lists.owner(of: slot).rawValue
    lists.remove(slot, from: ID(list), size: 1)
    releaseIfEmpty(list)
  }

  /// Stops counting every slot.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    levels[0] = Level(frequency: 0, lower: 0, higher: 0)
    used = 0
    firstFree = 0
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots: Int) { lists.reserve(slots: slots) }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// The list of `frequency`, whose next lower frequency in use is that of `lower`.
  @inlinable @inline(__always)
  mutating func level(of frequency: Int, above lower: UInt32) -> UInt32 {
    let higher = levels[Int(lower)].higher
    // At the chain's end stands frequency 0.
    if levels[Int(higher)].frequency == frequency { return higher }
    let list = newList()
    (levels + Int(list)).initialize(
      to: Level(frequency: frequency, lower: lower, higher: higher))
    levels[Int(lower)].higher = list
    levels[Int(higher)].lower = list
    assert(higher == 0 || levels[Int(higher)].frequency > frequency, "the chain ascends")
    return list
  }

  @inlinable @inline(__always)
  mutating func newList() -> UInt32 {
    if firstFree != 0 {
      let list = firstFree
      firstFree = levels[Int(list)].higher
      return list
    }
    if Int(used) == capacity { grow() }
    used &+= 1
    return used
  }

  @inlinable @inline(__always)
  mutating func releaseIfEmpty(_ list: UInt32) {
    if !lists.isEmpty(ID(list)) { return }
    let level = levels[Int(list)]
    levels[Int(level.lower)].higher = level.higher
    levels[Int(level.higher)].lower = level.lower
    levels[Int(list)].higher = firstFree
    firstFree = list
  }

  @inlinable
  mutating func grow() {
    lists.addLists(upTo: 2 * capacity)
    let larger = UnsafeMutablePointer<Level>.allocate(capacity: 2 * capacity + 1)
    larger.moveInitialize(from: levels, count: capacity + 1)
    levels.deallocate()
    levels = larger
    capacity *= 2
  }

  /// Slots take all.
  @inlinable public static var bytesPerObject: Int { 0 }

  /// Does nothing: links are as many as slots.
  @inlinable @inline(__always)
  public mutating func shrink() {}

  /// False: no request only moves slots.
  @inlinable @inline(__always)
  public var isSteady: Bool { false }

  /// Runs nothing.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot) -> Int? { nil }
}

import CInline
import Synchronization

/// Events on their way from the thread that uses a cache to the one that records them: a ring of fixed
/// size, without locks, that refuses what doesn't fit.
///
/// One thread at a time appends, as a cache's lock sees to, and one drains. An event takes one word, as what
/// passes through the ring passes through the caches of the processor; one of a cost other than 1 takes two.
@usableFromInline
package final class EventRing: @unchecked Sendable {
  /// An operation of a cache.
  @usableFromInline
  package struct Event: Equatable {
    /// The key's hash except for its last four bits, which are 0.
    @usableFromInline package var keyHash: UInt64
    /// At most ``mostCost``; 0 for a miss, which has none.
    @usableFromInline package var cost: UInt64
    @usableFromInline package var event: CacheAccess

    /// Larger costs are taken for it, so that the sum of a segment's cannot overflow.
    @inlinable package static var mostCost: Int { 1 << 40 }

    @inlinable @inline(__always)
    package init(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
      self.event = event
      self.keyHash = keyHash & ~0xF
      self.cost = UInt64(truncatingIfNeeded: min(cost, Event.mostCost))
    }

    /// True if the cost is what is to be expected.
    @inlinable @inline(__always)
    var isPlain: Bool { (cost == 1) != (event == .miss) }

    /// The first word in the ring: the hash, the event's number, and a bit that is set if the cost comes next.
    @inlinable @inline(__always)
    var word: UInt64 {
      keyHash | UInt64(event.rawValue) &<< 1 | (isPlain ? 0 : 1)
    }

    /// An event as ``append(_:)`` wrote it; of any other word some event.
    @inlinable @inline(__always)
    package init(word: UInt64, cost: () -> UInt64) {
      keyHash = word & ~0xF
      event = CacheAccess(rawValue: UInt8(truncatingIfNeeded: word &>> 1) & 7) ?? .removal
      self.cost = word & 1 == 1 ? cost() : event == .miss ? 0 : 1
    }
  }

  /// The distance from the end at which the ring is taken from the other core: 4 cache lines.
  @inlinable static var ahead: Int { 32 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let mask: Int
  /// Words appended so far; written by the appending thread.
  @usableFromInline let end = Atomic(0)
  private let refused = Atomic(0)
  /// Below it, ``end`` has room for an event of two words, by what the appending thread knows of `start`.
  @usableFromInline let limit: Atomic<Int>
  /// Between what the two threads write.
  private let padding = CacheLinePadding()
  /// Words drained so far; written by the draining thread.
  @usableFromInline let start = Atomic(0)

  /// An empty ring.
  ///
  /// - Parameter capacity: The events of cost 1, or of misses, that it holds, rounded up to a power of two.
  package init(capacity: Int) {
    let count = 1 << (Int.bitWidth - (max(capacity, 2) - 1).leadingZeroBitCount)
    words = .allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
    mask = count - 1
    limit = Atomic(count - 1)
  }

  deinit { words.deallocate() }

  /// The words that it holds.
  package var capacity: Int { mask + 1 }

  /// Events that were refused so far.
  package var dropped: Int { refused.load(ordering: .relaxed) }

  /// Appends an event, or counts it as dropped when the ring is full. O(1), never waits.
  @inlinable @inline(__always)
  package func append(_ event: Event) {
    let end = self.end.load(ordering: .relaxed)
    if end < limit.load(ordering: .relaxed) { write(event, at: end) } else { appendAtLimit(event) }
  }

  /// Looks again at how much was drained. A function of its own, so that the usual path is short.
  @usableFromInline @inline(never)
  func appendAtLimit(_ event: Event) {
    let end = self.end.load(ordering: .relaxed)
    let limit = start.load(ordering: .acquiring) &+ mask
    self.limit.store(limit, ordering: .relaxed)
    if end < limit || (end == limit && event.isPlain) { return write(event, at: end) }
    refused.store(refused.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  func write(_ event: Event, at end: Int) {
    let place = words + (end & mask)
    // The other thread's core has the line after the last round: fetching it takes longer than a request.
    evl_prefetch_own(place + EventRing.ahead)
    place.pointee = event.word
    if event.isPlain { return self.end.store(end &+ 1, ordering: .releasing) }
    words[(end &+ 1) & mask] = event.cost
    self.end.store(end &+ 2, ordering: .releasing)
  }

  /// Hands over what is there, oldest first.
  ///
  /// - Parameter body: Called with each event, how many words were before it, and how many there are.
  /// - Returns: The number of words.
  @inlinable @inline(__always) @discardableResult
  package func drain(_ body: (Event, Int, Int) -> Void) -> Int {
    let start = self.start.load(ordering: .relaxed)
    let count = end.load(ordering: .acquiring) &- start
    var place = 0
    var given = 0
    while place < count {
      let first = place
      let event = Event(word: words[(start &+ place) & mask]) {
        place &+= 1
        return words[(start &+ place) & mask]
      }
      place &+= 1
      body(event, first, count)
      // Room is given back early enough for a burst.
      if place &- given >= 0x1000 {
        given = place
        self.start.store(start &+ place, ordering: .releasing)
      }
    }
    self.start.store(start &+ count, ordering: .releasing)
    return count
  }
}

import CInline
import Eviction
import Synchronization

/// Events on their way from the thread that uses a cache to the one that records them: a ring of fixed
/// size, without locks, that refuses what doesn't fit.
///
/// One thread at a time appends, as a cache's lock sees to, and one drains.
package final class EventRing: @unchecked Sendable {
  /// An operation of a cache.
  package struct Event: Equatable {
    package var keyHash: UInt64
    /// The cost, and above it the event's number.
    private var rest: UInt64

    private static let costBits: UInt64 = 56

    package init(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
      self.keyHash = keyHash
      rest = UInt64(truncatingIfNeeded: cost) | UInt64(event.rawValue) &<< Event.costBits
    }

    /// Caches keep costs below 2^56.
    package var cost: UInt64 { rest & (1 << Event.costBits - 1) }

    package var event: CacheAccess { CacheAccess.allCases[Int(rest &>> Event.costBits)] }
  }

  /// How far ahead of the end the ring is taken from the other core: 16 cache lines.
  private static let ahead = 64

  private let events: UnsafeMutablePointer<Event>
  private let mask: Int
  /// Events appended so far; written by the appending thread.
  private let end = Atomic(0)
  private let refused = Atomic(0)
  /// What the appending thread knows of `start`.
  private var knownStart = 0
  /// Between what the two threads write.
  private let padding = CacheLinePadding()
  /// Events drained so far; written by the draining thread.
  private let start = Atomic(0)

  /// An empty ring.
  ///
  /// - Parameter capacity: The events it holds, rounded up to a power of two.
  package init(capacity: Int) {
    let count = 1 << (Int.bitWidth - (max(capacity, 2) - 1).leadingZeroBitCount)
    events = .allocate(capacity: count)
    events.initialize(repeating: Event(.hit, keyHash: 0, cost: 0), count: count)
    mask = count - 1
  }

  deinit { events.deallocate() }

  /// The events that it holds.
  package var capacity: Int { mask + 1 }

  /// Events that were refused so far.
  package var dropped: Int { refused.load(ordering: .relaxed) }

  /// Appends an event, or counts it as dropped when the ring is full. O(1), never waits.
  @inline(__always)
  package func append(_ event: Event) {
    let end = self.end.load(ordering: .relaxed)
    if end &- knownStart > mask {
      knownStart = start.load(ordering: .acquiring)
      if end &- knownStart > mask {
        refused.store(refused.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        return
      }
    }
    // The other thread's core has the line after the last round: fetching it takes longer than a request.
    evl_prefetch_own(events + ((end &+ EventRing.ahead) & mask))
    events[end & mask] = event
    self.end.store(end &+ 1, ordering: .releasing)
  }

  /// Hands over what is there, oldest first.
  ///
  /// - Parameter body: Called with each event, its place among them and their number.
  /// - Returns: How many there were.
  @discardableResult
  package func drain(_ body: (Event, Int, Int) -> Void) -> Int {
    let start = self.start.load(ordering: .relaxed)
    let count = end.load(ordering: .acquiring) &- start
    for place in 0..<count {
      body(events[(start &+ place) & mask], place, count)
      // Room is given back early enough for a burst.
      if place & 0xFFF == 0xFFF { self.start.store(start &+ place &+ 1, ordering: .releasing) }
    }
    self.start.store(start &+ count, ordering: .releasing)
    return count
  }
}

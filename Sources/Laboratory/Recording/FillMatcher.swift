import Eviction
import Traces

/// Turns what happened in a cache into the requests of a trace.
///
/// In a trace a get that misses brings its object in. In a program the miss comes first, and the set that
/// fills the gap when the value is made. So a miss is held back until that set: both are one get, of the
/// set's size, where the policy saw its one reference. A miss that no set follows is no request of the
/// trace, as nothing could have been kept for it; it is counted.
struct FillMatcher {
  /// A request of the trace.
  struct Request: Equatable {
    var operation: TraceOperation
    var size: UInt64
  }

  /// Misses of one key that wait for its set.
  private struct Gap {
    var misses: Int
    var number: Int
  }

  private var gaps: [UInt64: Gap] = [:]
  /// The key of each of the latest gaps, at its number's place.
  private var keys: [UInt64]
  private var nextNumber = 0
  private(set) var missesWithoutSet = 0

  /// - Parameter capacity: Keys that may wait at once; the one that waits longest is given up for another.
  init(capacity: Int = 1 << 16) {
    keys = [UInt64](repeating: 0, count: capacity)
    gaps.reserveCapacity(capacity)
  }

  /// The request that an event is, if it is one.
  mutating func request(_ event: EventRing.Event) -> Request? {
    switch event.event {
    case .hit: return Request(operation: .get, size: event.cost)
    case .update: return Request(operation: .set, size: event.cost)
    case .removal: return Request(operation: .delete, size: event.cost)
    case .miss:
      wait(for: event.keyHash)
      return nil
    case .insertion:
      guard let gap = gaps.removeValue(forKey: event.keyHash) else {
        return Request(operation: .set, size: event.cost)
      }
      missesWithoutSet += gap.misses - 1
      return Request(operation: .get, size: event.cost)
    }
  }

  /// Gives up what still waits.
  mutating func finish() {
    missesWithoutSet += gaps.values.reduce(0) { $0 + $1.misses }
    gaps.removeAll()
  }

  private mutating func wait(for key: UInt64) {
    if gaps[key] != nil {
      gaps[key]?.misses += 1
      return
    }
    let place = nextNumber % keys.count
    if let oldest = gaps[keys[place]], oldest.number == nextNumber - keys.count {
      gaps[keys[place]] = nil
      missesWithoutSet += oldest.misses
    }
    keys[place] = key
    gaps[key] = Gap(misses: 1, number: nextNumber)
    nextNumber += 1
  }
}

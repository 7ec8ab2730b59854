import EvictionCore
import Traces

/// Turns what happened in a cache into the requests of a trace.
///
/// In a trace a get that misses brings its object in. In a program the miss comes first, and the set that
/// fills the gap when the value is made. So a miss is held back until that set: both are one get, of the
/// set's size, where the policy saw its one reference. A miss that no set follows is no request of the
/// trace, as nothing could have been kept for it; it is counted.
///
/// O(1) an event, in constant memory: keys that wait are kept by their hash's last bits, and of two with the
/// same the later one waits on.
package struct FillMatcher {
  /// A request of the trace.
  package struct Request: Equatable {
    package var operation: TraceOperation
    package var size: UInt64

    package init(operation: TraceOperation, size: UInt64) {
      self.operation = operation
      self.size = size
    }
  }

  /// Misses of one key that wait for its set.
  private struct Gap {
    var key: UInt64 = 0
    var misses = 0
  }

  private var gaps: [Gap]
  private var givenUp = 0

  /// - Parameter bits: Of a hash, that tell apart the keys that wait at once.
  package init(bits: Int = 14) { gaps = [Gap](repeating: Gap(), count: 1 << bits) }

  /// Misses that no set has followed, or not yet.
  package var missesWithoutSet: Int { gaps.reduce(givenUp) { $0 + $1.misses } }

  /// The request that an event is, if it is one.
  package mutating func request(_ event: EventRing.Event) -> Request? {
    switch event.event {
    case .hit: return Request(operation: .get, size: event.cost)
    case .update: return Request(operation: .set, size: event.cost)
    case .removal: return Request(operation: .delete, size: event.cost)
    case .miss:
      wait(for: event.keyHash)
      return nil
    case .insertion:
      let isFill = fill(event.keyHash)
      return Request(operation: isFill ? .get : .set, size: event.cost)
    }
  }

  private mutating func wait(for key: UInt64) {
    let place = place(of: key)
    if gaps[place].key != key {
      givenUp += gaps[place].misses
      gaps[place] = Gap(key: key)
    }
    gaps[place].misses += 1
  }

  /// Returns true if the key waited; of several misses one is filled.
  private mutating func fill(_ key: UInt64) -> Bool {
    let place = place(of: key)
    guard gaps[place].key == key, gaps[place].misses > 0 else { return false }
    givenUp += gaps[place].misses - 1
    gaps[place].misses = 0
    return true
  }

  /// By the last bits that an event keeps.
  private func place(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: key &>> 4) & (gaps.count - 1)
  }
}

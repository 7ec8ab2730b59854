import EvictionCore
import Traces

/// The evictions of one run, in their order: who left, and at which request.
///
/// Memory: 8 bytes per eviction.
@usableFromInline
package final class EvictionLog: @unchecked Sendable {
  /// The evicted slots: in a simulation, the ids of the evicted keys.
  @usableFromInline package private(set) var slots: [Slot] = []
  /// For each eviction, the number of the request that caused it, from 0.
  @usableFromInline package private(set) var requests: [UInt32] = []
  /// The number of the request being run.
  @usableFromInline var request = 0

  /// An empty log.
  @usableFromInline package init() {}

  @usableFromInline
  func append(_ slot: Slot) {
    slots.append(slot)
    requests.append(UInt32(clamping: request))
  }

  /// Forgets the evictions so far.
  func removeAll() {
    slots.removeAll(keepingCapacity: true)
    requests.removeAll(keepingCapacity: true)
  }
}

/// The hits of one run: one bit a request.
@usableFromInline
package final class HitLog: @unchecked Sendable {
  private var words: [UInt64]
  /// The number of the request being run.
  @usableFromInline var request = 0

  /// A log of a run of that number of requests, none of which has hit.
  @usableFromInline
  package init(requests: Int) {
    words = Array(repeating: 0, count: requests / 64 + 1)
  }

  /// True where the request of that number, from 0, found its object resident.
  @usableFromInline package subscript(request: Int) -> Bool {
    words[request / 64] >> (request % 64) & 1 == 1
  }

  @usableFromInline
  func append(isHit: Bool) {
    if isHit { words[request / 64] |= 1 << (request % 64) }
  }
}

import EvictionCore

/// The evictions of one run, in their order: who left, and at which request.
///
/// Memory: 8 bytes per eviction.
public final class EvictionLog: @unchecked Sendable {
  /// The evicted slots: in a simulation, the ids of the evicted keys.
  public private(set) var slots: [Slot] = []
  /// For each eviction, the number of the request that caused it, from 0.
  public private(set) var requests: [UInt32] = []
  /// The number of the request being run.
  @usableFromInline var request = 0

  /// An empty log.
  public init() {}

  @usableFromInline
  func append(_ slot: Slot) {
    slots.append(slot)
    requests.append(UInt32(clamping: request))
  }
}

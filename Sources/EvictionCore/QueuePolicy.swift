/// A policy whose whole memory of slots is one ``SlotQueues``: residents and ghosts in FIFO queues.
///
/// It gets membership, removal, growth and prefetching from here, so that its own file holds what
/// makes it different: what happens on a hit, on a miss and at eviction.
public protocol QueuePolicy: PinnablePolicy, ~Copyable {
  /// The queues; a slot is known to the policy exactly while one of them holds it.
  var queues: SlotQueues { get set }

  /// Returns true if the slots of a queue are resident. All are, by default: right without ghosts.
  static func isResident(in queue: SlotQueues.ID) -> Bool
}

extension QueuePolicy where Self: ~Copyable {
  /// Every queue holds residents.
  @inlinable @inline(__always)
  public static func isResident(in queue: SlotQueues.ID) -> Bool { queue != .none }

  /// Returns true if a queue of residents holds `slot`.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { Self.isResident(in: queues.owner(of: slot)) }

  /// Refuses the newcomer; a ghost that is still in its queue stays one.
  @inlinable
  public mutating func refuse(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if queues.owner(of: request.slot) == .none { host.didForget(request.slot) }
    return false
  }

  /// Prefetches the slot's mark and position.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { queues.prefetch(slot) }

  /// Takes `slot`, resident or ghost, out of its queue.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if queues.owner(of: slot) == .none { return }
    queues.remove(slot, size: host.size(of: slot))
    host.didForget(slot)
  }

  /// Corrects the sum of the queue that holds `slot`.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    queues.changeSize(of: slot, by: difference)
  }

  /// Empties the queues.
  @inlinable
  public mutating func removeAll() { queues.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { queues.reserve(slots: slots) }
}

/// A policy whose whole memory of slots is one ``SlotLists``: residents and ghosts in a few lists.
///
/// It gets membership, removal, growth and prefetching from here, so that its own file holds what
/// makes it different: what happens on a hit, on a miss and at eviction.
public protocol ListPolicy: PinnablePolicy, ~Copyable {
  /// The lists; a slot is known to the policy exactly while one of them holds it.
  var lists: SlotLists<UInt8> { get set }

  /// Returns true if the slots of a list are resident. All are, by default: right without ghosts.
  static func isResident(in list: SlotLists<UInt8>.ID) -> Bool
}

extension ListPolicy where Self: ~Copyable {
  /// Every list holds residents.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool { list != .none }

  /// Returns true if a list of residents holds `slot`.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { Self.isResident(in: lists.owner(of: slot)) }

  /// Refuses the newcomer; a ghost that is still in its list stays one.
  @inlinable
  public mutating func refuse(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if lists.owner(of: request.slot) == .none { host.didForget(request.slot) }
    return false
  }

  /// Prefetches the slot's links and owner.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// Unlinks `slot`, resident or ghost.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    lists.forget(slot, host: &host)
  }

  /// Corrects the sum of the list that holds `slot`.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
  }

  /// Empties the lists.
  @inlinable
  public mutating func removeAll() { lists.removeAll() }

  /// Grows the lists.
  @inlinable
  public mutating func reserve(slots: Int) { lists.reserve(slots: slots) }
}

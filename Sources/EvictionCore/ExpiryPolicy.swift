import Parameters

/// A policy that evicts by when objects expire, the least recently used among equals.
///
/// Its whole memory is one ``PriorityRun``, so that its own file only says what the order is.
public protocol ExpiryPolicy: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The residents; the first one leaves.
  var residents: PriorityRun<SlotRank> { get set }
  /// The number of uses.
  var uses: Int { get set }
  /// The rank of an object that expires at `expiry`: of two ranks the lower one leaves.
  static func rank(of expiry: Int64) -> Int64
}

extension ExpiryPolicy where Self: ~Copyable {
  /// The expiry of objects.
  @inlinable
  public static var needs: RequestNeeds { .expiry }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Notes the use, and the new expiry if the request gives the object one.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    var rank = residents.priority(of: request.slot).rank
    if request.expiry != .max { rank = Int(Self.rank(of: request.expiry)) }
    uses += 1
    residents.update(request.slot, priority: SlotRank(rank, number: uses))
  }

  /// Makes room, and adds the object to the residents.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    uses += 1
    let rank = SlotRank(Int(Self.rank(of: request.expiry)), number: uses)
    residents.insert(request.slot, priority: rank)
    return true
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Gives the object another rank, and leaves its use as it is.
  @inlinable
  public mutating func changeExpiry(of slot: Slot, to expiry: Int64) {
    var rank = residents.priority(of: slot)
    rank.rank = Int(Self.rank(of: expiry))
    residents.update(slot, priority: rank)
  }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the residents.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }
}

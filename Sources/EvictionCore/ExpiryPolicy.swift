import Parameters

/// A policy that evicts by when objects expire, the least recently used among equals.
///
/// Its whole memory is one ``SlotHeap``, so that its own file only says what the order is.
public protocol ExpiryPolicy: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The residents; the first one leaves.
  var residents: SlotHeap<ExpiryRank> { get set }
  /// The number of uses.
  var uses: Int { get set }
  /// The rank of an object that expires at `expiry`: of two ranks the lower one leaves.
  static func rank(of expiry: Int64) -> Int64
}

/// The rank of an object among those that may leave.
public struct ExpiryRank: Comparable, BitwiseCopyable {
  /// The rank that ``ExpiryPolicy/rank(of:)`` gives its expiry.
  public var rank: Int64
  /// The number of its last use.
  public var use: Int

  /// The rank of an object that was used just now.
  @inlinable @inline(__always)
  public init(rank: Int64, use: Int) {
    self.rank = rank
    self.use = use
  }

  /// By rank, and by use among equals.
  @inlinable @inline(__always)
  public static func < (left: ExpiryRank, right: ExpiryRank) -> Bool {
    (left.rank, left.use) < (right.rank, right.use)
  }
}

extension ExpiryPolicy where Self: ~Copyable {
  /// The expiry of objects.
  @inlinable
  public static var needs: RequestNeeds { .expiry }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Notes the use, and the new expiry if the request gives the object one.
  @inlinable
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    var rank = residents.priority(of: request.slot).rank
    if request.expiry != .max { rank = Self.rank(of: request.expiry) }
    uses += 1
    residents.update(request.slot, priority: ExpiryRank(rank: rank, use: uses))
  }

  /// Makes room, and adds the object to the residents.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    uses += 1
    let rank = ExpiryRank(rank: Self.rank(of: request.expiry), use: uses)
    residents.insert(request.slot, priority: rank)
    return true
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Gives the object another rank, and leaves its use as it is.
  @inlinable
  public mutating func changeExpiry(of slot: Slot, to expiry: Int64) {
    let use = residents.priority(of: slot).use
    residents.update(slot, priority: ExpiryRank(rank: Self.rank(of: expiry), use: use))
  }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the heap.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }
}

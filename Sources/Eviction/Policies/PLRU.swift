import Parameters

/// Tree pseudo-LRU: a binary tree of bits, each pointing to the half that was used less recently.
public struct PLRU: GhostlessPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "plru", summary: "tree pseudo-LRU: one bit per object, as in processor caches",
    paper: "J. Handy, “The cache memory book”, Academic Press 1993; K. So and R. N. Rechtschaffen, "
      + "“Cache operations by MRU change”, IEEE Transactions on Computers 37(6), 1988; H. "
      + "Al-Zoubi, A. Milenkovic and M. Milenkovic, “Performance evaluation of cache replacement "
      + "policies for the SPEC CPU2000 benchmark suite”, ACM-SE 2004.",
    idea:
      "LRU needs an order of all objects. A binary tree over the places of the cache needs one bit "
      + "per inner node, which says in which half the less recent use was: following the bits leads "
      + "to an object that was not used lately.",
    hit: "Every node above the object's place points away from it.",
    miss: "Room is made; the object takes a place, and every node above it points away.",
    eviction:
      "The object to which the nodes lead from the root; a half without objects is passed over. "
      + "The way down changes no node.",
    complexity: "O(log C) per request, in steps of six levels of the tree.",
    differences:
      "Hardware has one tree for each set of 2ⁿ ways. Here one tree spans the whole cache, "
      + "of any capacity: the smallest complete tree with a leaf for every place that was ever "
      + "needed. The k-th place to be needed is the leaf where the bits of k, lowest first, lead "
      + "from the root, so that the halves of every node differ by one place at most; when a tree "
      + "is full, each leaf becomes the left one of two. A newcomer takes the place that was "
      + "left last, or else a new one; an empty cache starts again with the first. It is the same "
      + "where objects have sizes: then there are as many places as there were objects at most.",
    bytesPerSlot: 21)

  @usableFromInline var tree: PseudoLRUTree

  /// The bits name one victim, and no order behind it.
  public static var pinRefusal: String? { "its bits name one victim and no order behind it" }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    tree = PseudoLRUTree(
      slots: configuration.slots, leaves: min(configuration.capacity, configuration.slots))
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { tree.contains(slot) }

  /// Prefetches the slot's place.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { tree.prefetch(slot) }

  /// Points away from the object.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    tree.touch(request.slot)
  }

  /// Makes room, and gives the object a place.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    tree.insert(request.slot)
    return true
  }

  /// Chooses the object to which the tree points.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = tree.leastRecent() else { preconditionFailure("there is nothing to evict") }
    return victim
  }

  /// Gives up the slot's place.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { tree.remove(slot) }

  /// Empties the tree.
  @inlinable
  public mutating func removeAll() { tree.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { tree.reserve(slots: slots) }
}

extension CachePolicy {
  /// `PLRU`, tree pseudo-LRU: one bit per object, as in processor caches.
  public static var plru: CachePolicy { CachePolicy(PLRU.self) }
}

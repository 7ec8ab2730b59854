import Parameters

/// Tree pseudo-LRU: a binary tree of bits, each pointing to the half that was used less recently.
///
/// Not a `PinnablePolicy`: the bits name one victim, and no order behind it.
public struct PLRU: GhostlessPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "plru", summary: "tree pseudo-LRU: one bit per object; sets of ways as in processors",
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
      "Hardware has one tree for each set of 2ⁿ ways, and the address chooses the set: ways=8 does "
      + "so, as below. By default one tree spans the whole cache, "
      + "of any capacity: the smallest complete tree with a leaf for every place that was ever "
      + "needed. The k-th place to be needed is the leaf where the bits of k, lowest first, lead "
      + "from the root, so that the halves of every node differ by one place at most; when a tree "
      + "is full, each leaf becomes the left one of two. A newcomer takes the place that was "
      + "left last, or else a new one; an empty cache starts again with the first. It is the same "
      + "where objects have sizes: then there are as many places as there were objects at most. "
      + "With ways=n there are ⌊C/n⌋ sets, one at least; what remains of C stays empty. A key's set "
      + "follows from its hash, so that keys in a row do not share one, and the seed deals the sets "
      + "anew. A newcomer takes the first free way of its set; if there is none, the set's own victim "
      + "leaves, whether or not others have room. The number of sets stays when the capacity changes: "
      + "then a newcomer without room also evicts from its own set, or, if that is empty and for a "
      + "trim, from the next set in turn that is not. Sizes are refused there.",
    parameters: [
      Parameter(
        "ways", .choice(["all", "2", "4", "8", "16", "32"]), default: .text("all"),
        help: "objects in a set, each set with a tree of its own; all: one tree over the cache")
    ],
    bytesPerSlot: 21, miniatureError: 0)

  @usableFromInline var tree: PseudoLRUTree
  @usableFromInline var sets: PseudoLRUSets
  @usableFromInline let hasSets: Bool

  /// `keyHash`: it chooses the set.
  @inlinable
  public static var needs: RequestNeeds { .keyHash }

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for sets of objects that have sizes.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let ways = Int(configuration.arguments.text("ways")) ?? 0
    if ways > 0 && configuration.isSized {
      throw .conflict(
        policy: "plru", explanation: "a way holds one object of any size; leave ways or sizes out")
    }
    hasSets = ways > 0
    tree = PseudoLRUTree(
      slots: hasSets ? 0 : configuration.slots,
      leaves: hasSets ? 1 : min(configuration.capacity, configuration.slots))
    sets = PseudoLRUSets(
      ways: ways, capacity: configuration.capacity, slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    tree.visitState(&state)
    sets.visitState(&state)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    hasSets ? sets.contains(slot) : tree.contains(slot)
  }

  /// Prefetches the slot's place.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    if hasSets { sets.prefetch(slot) } else { tree.prefetch(slot) }
  }

  /// Points away from the object.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if hasSets { sets.touch(request.slot) } else { tree.touch(request.slot) }
  }

  /// Makes room, in the object's set if there are sets, and gives it a place.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if !hasSets {
      tree.insert(request.slot)
      return true
    }
    let set = sets.set(of: request.keyHash)
    if sets.isFull(set) {
      evict(for: request, host: &host)
      if host.hasRefused { return refuse(request, host: &host) }
    }
    sets.insert(request.slot, into: set)
    return true
  }

  /// Evicts the object to which the tree points: that of the newcomer's set, if there are sets.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var victim: Slot?
    if hasSets, let request { victim = sets.leastRecent(of: sets.set(of: request.keyHash)) }
    let leaving = victim ?? self.victim(host: host)
    if !host.mayEvict(leaving) { return }
    takeOut(leaving, size: host.size(of: leaving))
    host.didEvictAndForget(leaving)
  }

  /// Chooses the object to which the tree points; of sets, that of the next one in turn.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = hasSets ? sets.leastRecentInTurn() : tree.leastRecent() else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Gives up the slot's place.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) {
    if hasSets { sets.remove(slot) } else { tree.remove(slot) }
  }

  /// True: there is one text more.
  @inlinable public static var fusesRequests: Bool { true }

  /// Of one tree with more than one object, where a newcomer takes the victim's place.
  @inlinable @inline(__always)
  public func steady() -> SteadyLists? {
    hasSets || !tree.holdsMany ? nil : SteadyLists(hits: .none, misses: .none)
  }

  /// Points away from the object on the way down to it.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? {
    if tree.contains(slot) {
      tree.touch(slot)
      return 0
    }
    tree.replaceLeastRecent(by: slot)
    return 1
  }

  /// Empties the tree, or the sets.
  @inlinable
  public mutating func removeAll() {
    if hasSets { sets.removeAll() } else { tree.removeAll() }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    if hasSets { sets.reserve(slots: slots) } else { tree.reserve(slots: slots) }
  }
}

import Parameters

/// LRU-K: evicts the object whose K-th latest request is the oldest.
public struct LRUK: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lru-k", summary: "evicts the object whose K-th latest request is the oldest",
    paper: "E. J. O'Neil, P. E. O'Neil and G. Weikum, “The LRU-K page replacement algorithm for "
      + "database disk buffering”, SIGMOD 1993.",
    idea: "The time since the K-th latest request estimates how often an object is requested. One "
      + "request says nothing yet: what was requested fewer than K times leaves first.",
    hit: "The request is added to the object's history, which keeps the latest K.",
    miss: "The history of a ghost whose latest request is at most `retained` requests ago is "
      + "taken up again; any other object begins with an empty one. Room is made, and the object "
      + "enters.",
    eviction: "The least recently used of the objects with fewer than K requests; if there are "
      + "none, the oldest K-th latest request. No two objects tie, as each request has a number "
      + "of its own.",
    ghosts: "A victim keeps its history for `retained` requests after its latest request, as in "
      + "the paper; ghosts are looked through in the order of their evictions, and the expired "
      + "ones at the old end are forgotten at each miss and trim.",
    complexity: "O(1) on a hit; on a miss O(log C) amortised, in a heap that hits leave alone: a "
      + "K-th latest request only grows, so it is corrected when it comes up. Memory is for k=2; "
      + "8 bytes for each further k.",
    differences:
      "The paper's correlated reference period is 0 here, as in most simulators. The paper "
      + "keeps a history for a period of time; `retained` is a number of requests, also where "
      + "objects have sizes: twice the capacity's bytes then. The newcomer leaves the ghosts "
      + "before room is made; if it is refused, its history is forgotten.",
    parameters: [
      Parameter(
        "k", .integer(in: 1...16), default: .integer(2),
        help: "how many of an object's latest requests are kept"),
      Parameter(
        "retained", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(2)),
        help: "requests that a history is kept after its latest one, as a multiple of the capacity"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "histories of evicted objects, as a multiple of the capacity; bounded by "
          + "retained alone in simulation, also by 2 in a cache"),
    ],
    bytesPerSlot: 58)

  /// Residents with fewer than K requests, and ghosts; the most recent at the front.
  @usableFromInline var lists: SlotLists<UInt8>
  /// Residents with K requests by the K-th latest one.
  @usableFromInline var full: PriorityRun<Int>
  @usableFromInline var history: ReferenceHistory
  /// The number of the latest request.
  @usableFromInline var now = 0
  @usableFromInline let retainedShare: Fraction
  @usableFromInline let ghostShare: Fraction?
  @usableFromInline var retained = 0
  @usableFromInline var ghostLimit = 0

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    lists = SlotLists(count: 2, slots: configuration.slots)
    full = PriorityRun(slots: configuration.slots)
    history = ReferenceHistory(depth: arguments.integer("k"), slots: configuration.slots)
    retainedShare = arguments.fraction("retained")
    ghostShare = arguments.ghosts ?? configuration.historyBound
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    full.visitState(&state)
    history.visitState(&state)
    state.visit(&now)
    state.visit(&retained)
    state.visit(&ghostLimit)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    lists.owner(of: slot) == .fewerThanK || full.contains(slot)
  }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    full.prefetch(slot)
    history.prefetch(slot)
  }

  /// Adds the request to the history.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    now &+= 1
    history.append(now, to: request.slot)
    if lists.owner(of: request.slot) != .fewerThanK {
      full.raise(request.slot, priority: history.oldest(of: request.slot))
    } else if history.oldest(of: request.slot) == 0 {
      lists.moveToFront(request.slot, of: .fewerThanK)
    } else {
      lists.remove(request.slot, size: host.size(of: request.slot))
      full.insert(request.slot, priority: history.oldest(of: request.slot))
    }
  }

  /// Takes up the history of a ghost, makes room, and enters the object.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    now &+= 1
    recall(slot, host: host)
    let hasRoom = makeRoom(for: request, host: &host)
    boundGhosts(host: &host)
    guard hasRoom else { return refuse(request, host: &host) }
    if history.oldest(of: slot) == 0 {
      lists.prepend(slot, to: .fewerThanK, size: request.size)
    } else {
      full.insert(slot, priority: history.oldest(of: slot))
    }
    return true
  }

  /// Evicts the least recent with fewer than K requests, or the oldest K-th latest request.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if let victim = lists.unpinnedBack(of: .fewerThanK, host: host) {
      if !host.mayEvict(victim) { return }
      lists.remove(victim, size: host.size(of: victim))
      become(ghost: victim, host: &host)
    } else {
      guard let victim = full.firstUnpinned(host: host) else {
        preconditionFailure("there is nothing to evict")
      }
      if !host.mayEvict(victim) { return }
      full.remove(victim)
      become(ghost: victim, host: &host)
    }
    if request == nil { boundGhosts(host: &host) }
  }

  /// Forgets the slot and its history.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if full.contains(slot) {
      full.remove(slot)
      host.didForget(slot)
    } else {
      lists.forget(slot, host: &host)
    }
  }

  /// Forgets every slot.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    full.removeAll()
  }

  /// Bounds the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    boundGhosts(host: &host)
  }

  /// Counts a resident with fewer than K requests with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if !full.contains(slot) { lists.changeSize(of: slot, by: difference) }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    full.reserve(slots: slots)
    history.reserve(slots: slots)
  }
}

extension LRUK {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    retained = retainedShare.floor(of: capacity)
    ghostLimit = ghostShare?.floor(of: capacity) ?? .max
  }

  /// Adds the present request to the history of a ghost, or to an empty one.
  @inlinable @inline(__always)
  mutating func recall(_ slot: Slot, host: borrowing some SlotHost & ~Copyable) {
    if lists.owner(of: slot) == .retainedGhosts {
      lists.remove(slot, size: host.size(of: slot))
      if now &- history.latest(of: slot) <= retained {
        history.append(now, to: slot)
        return
      }
    }
    history.begin(slot, with: now)
  }

  @inlinable @inline(__always)
  mutating func become(ghost victim: Slot, host: inout some SlotHost & ~Copyable) {
    lists.prepend(victim, to: .retainedGhosts, size: host.size(of: victim))
    host.didEvict(victim)
  }

  /// Forgets the oldest-evicted while there are too many, or the next request would not know them.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while let oldest = lists.back(of: .retainedGhosts),
      lists.size(of: .retainedGhosts) > ghostLimit || now &- history.latest(of: oldest) >= retained
    {
      lists.forgetBack(of: .retainedGhosts, host: &host)
    }
  }
}

extension SlotLists<UInt8>.ID {
  @inlinable @inline(__always)
  static var fewerThanK: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
  @inlinable @inline(__always)
  static var retainedGhosts: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
}

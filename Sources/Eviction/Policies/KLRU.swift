import Parameters

/// k-LRU: an LRU behind a chain of LRU lists of keys, of which a request passes one more each time.
public struct KLRU: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "k-lru", summary: "an LRU that admits what a chain of LRU lists of keys has seen before",
    paper:
      "M. Garetto, E. Leonardi and V. Martina, “A unified approach to the performance analysis "
      + "of caching systems”, ACM TOMPECS 1(3), 2016; INFOCOM 2014.",
    idea: "What is requested once should not displace what is requested often. Before the cache "
      + "stand k − 1 lists that hold keys only. A key must be in one to enter the next, and in the "
      + "last to enter the cache: so objects in it were requested k times, each time soon after the "
      + "last. As k grows, it keeps the most popular, and takes longer to find them. k=2 is 2-LRU.",
    hit: "The object moves to the most recent end of the cache. The lists of keys change as on a "
      + "miss.",
    miss:
      "If the last list of keys has the key, room is made, and the object enters the most recent "
      + "end of the cache. Any other is refused, and only its key is remembered. Then, after a hit "
      + "as well: in each list of keys that has it, the key moves to the most recent end. It enters "
      + "the most recent end of the first, if that lacks it, and of each other that lacks it and "
      + "whose forerunner had it when the request came. While a list is over its limit, its least "
      + "recent key leaves.",
    eviction: "The least recent of the cache. It stays in the lists that have its key.",
    ghosts: "The keys in any list: each list has as many as the cache has objects; in sizes, those "
      + "of their objects take at most as much as the cache. With ghosts=0 nothing that has a size "
      + "is admitted.",
    complexity: "O(k) per request. Memory is for k=2; 9 bytes for each further k.",
    differences:
      "The paper has lists and cache of one length, objects of one size, and requests alone. Decided "
      + "here: a key counts as large as its object, as it was when it became known or entered the "
      + "cache; a newcomer refused for a victim that a filter prefers passes the lists as any other; "
      + "a removed object leaves all lists. A cache without limits has lists as long as what it "
      + "holds, so that it admits little. A cache on disk that opens admits its entries at once. k=1 is "
      + "LRU.",
    parameters: [
      Parameter(
        "k", .integer(in: 1...16), default: .integer(2),
        help: "the lists, of which the last is the cache"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(1)),
        help: "the keys in each list, as a multiple of the capacity"),
    ],
    bytesPerSlot: 18, mayRefuse: { $0.integer("k") > 1 }, requestsToAdmit: { $0.integer("k") })

  /// List 1 to k, of which the last is the cache. A slot may be in any of them at a time: it has a place for each.
  @usableFromInline var lists: SlotLists<UInt8>
  @usableFromInline let k: Int
  @usableFromInline let ghostShare: Fraction
  @usableFromInline var ghostLimit: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    k = arguments.integer("k")
    lists = SlotLists(count: k, slots: k * configuration.slots)
    ghostShare = arguments.fraction("ghosts")
    ghostLimit = ghostShare.floor(of: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    state.visit(&ghostLimit)
  }

  /// Returns true if the last list has the slot.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { list(k, has: slot) }

  /// Prefetches the slot's places.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(place(of: slot, in: 1)) }

  /// Renews the object in the cache, and passes its key through the lists.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.moveToFront(place(of: request.slot, in: k), of: name(k))
    pass(request.slot, size: host.size(of: request.slot), host: &host)
  }

  /// Admits what the last list of keys has, and passes the key through the lists.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let wasKnown = isKnown(slot)
    let isDue = k == 1 || list(k - 1, has: slot)
    guard isDue, makeRoom(for: request, host: &host) else {
      if k == 1 { return refuse(request, host: &host) }
      if !wasKnown { host.didRemember(request) }
      pass(slot, size: wasKnown ? host.size(of: slot) : request.size, host: &host)
      return false
    }
    if wasKnown { changeSize(of: slot, by: request.size - host.size(of: slot)) }
    lists.prepend(place(of: slot, in: k), to: name(k), size: request.size)
    pass(slot, size: request.size, host: &host)
    return true
  }

  /// Evicts the least recent of the cache.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var candidate = lists.back(of: name(k))
    while let place = candidate, host.isPinned(slot(at: place)) {
      candidate = lists.newer(than: place)
    }
    guard let place = candidate else { preconditionFailure("there is nothing to evict") }
    let victim = slot(at: place)
    if !host.mayEvict(victim) { return }
    lists.remove(place, from: name(k), size: host.size(of: victim))
    host.didEvict(victim)
    if !isKnown(victim) { host.didForget(victim) }
  }

  /// Takes the slot out of every list, and forgets it.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !isKnown(slot) { return }
    let size = host.size(of: slot)
    for number in 1...k where list(number, has: slot) {
      lists.remove(place(of: slot, in: number), from: name(number), size: size)
    }
    host.didForget(slot)
  }

  /// Forgets every slot.
  @inlinable
  public mutating func removeAll() { lists.removeAll() }

  /// Recomputes the limit of the lists of keys, and forgets what is beyond it.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    ghostLimit = ghostShare.floor(of: capacity)
    for number in 1..<k { bound(number, newcomer: nil, size: 0, host: &host) }
  }

  /// Corrects the sums of the lists that have the slot.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    for number in 1...k where list(number, has: slot) {
      lists.changeSize(of: place(of: slot, in: number), by: difference)
    }
  }

  /// Grows the lists.
  @inlinable
  public mutating func reserve(slots: Int) { lists.reserve(slots: k * slots) }
}

extension KLRU {
  /// Passes a key of a request through the lists of keys, from the last one on, so that each sees its forerunner as it was.
  @inlinable @inline(__always)
  mutating func pass(_ slot: Slot, size: Int, host: inout some SlotHost & ~Copyable) {
    var number = k &- 1
    while number > 0 {
      let place = place(of: slot, in: number)
      if list(number, has: slot) {
        lists.moveToFront(place, of: name(number))
      } else if number == 1 || list(number &- 1, has: slot) {
        lists.prepend(place, to: name(number), size: size)
      }
      bound(number, newcomer: slot, size: size, host: &host)
      number &-= 1
    }
  }

  /// Takes the least recent keys out of a list while it is over its limit. The newcomer, whose size the host may not yet
  /// have, counts with `size`.
  @inlinable @inline(__always)
  mutating func bound(
    _ number: Int, newcomer: Slot?, size: Int, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: name(number)) > ghostLimit, let place = lists.back(of: name(number)) {
      let slot = slot(at: place)
      lists.remove(place, from: name(number), size: slot == newcomer ? size : host.size(of: slot))
      if !isKnown(slot) { host.didForget(slot) }
    }
  }

  /// Returns true if a list has the slot: the cache, or a list of keys.
  @inlinable @inline(__always)
  func isKnown(_ slot: Slot) -> Bool {
    for number in 1...k where list(number, has: slot) { return true }
    return false
  }

  @inlinable @inline(__always)
  func list(_ number: Int, has slot: Slot) -> Bool {
    lists.owner(of: place(of: slot, in: number)) != .none
  }

  /// The place of `slot` in list `number`: a slot's places are neighbours.
  @inlinable @inline(__always)
  func place(of slot: Slot, in number: Int) -> Slot {
    Slot(truncatingIfNeeded: Int(slot) &* k &+ number &- 1)
  }

  @inlinable @inline(__always)
  func slot(at place: Slot) -> Slot { place / Slot(truncatingIfNeeded: k) }

  @inlinable @inline(__always)
  func name(_ number: Int) -> ListID { ListID(UInt8(truncatingIfNeeded: number)) }
}

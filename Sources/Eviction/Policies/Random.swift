import Parameters

/// Random replacement: evicts any resident with equal probability.
public struct Random: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "random", summary: "any resident, with equal probability",
    paper: "L. A. Belady, “A study of replacement algorithms for a virtual-storage "
      + "computer”, IBM Systems Journal 5(2), 1966.",
    idea: "No memory at all. It cannot be fooled by loops, and cannot learn anything "
      + "either.",
    hit: "Nothing.",
    miss: "Room is made, and the object is inserted.",
    eviction: "An index into the array of residents, drawn from SplitMix64 seeded by the "
      + "run; the last resident takes the victim's place. Same seed, same hits, on "
      + "every platform.",
    complexity: "O(1) per request.",
    differences:
      "libCacheSim (commit 1e1bc530f) draws buckets of its hash table, which favours some "
      + "residents.",
    bytesPerSlot: 8, hitsReorder: false, miniatureError: 0)

  @usableFromInline var residents: SlotSet
  @usableFromInline var generator: SplitMix64

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    residents = SlotSet(slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    state.visit(&generator)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's position.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// True: victims are drawn.
  @inlinable public static var drawsVictims: Bool { true }

  /// Changes nothing.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  /// True for every hit: nothing depends on them.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { true }

  /// Makes room and adds the object to the residents.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(request.slot)
    return true
  }

  /// Draws a resident uniformly.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    residents.draw(&generator, host: host)
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// True: there is one text more.
  @inlinable public static var fusesRequests: Bool { true }

  /// Always: a newcomer takes the place of the resident that is drawn.
  @inlinable @inline(__always)
  public func steady() -> SteadyLists? { SteadyLists(hits: .none, misses: .none) }

  /// Draws for each request, and takes the draw of a hit back.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? {
    var drawn = generator
    let index = drawn.index(below: residents.count)
    let missed = !residents.contains(slot)
    generator = missed ? drawn : generator
    residents.replaceMember(at: index, by: slot, missed: missed)
    return missed ? 1 : 0
  }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }
}

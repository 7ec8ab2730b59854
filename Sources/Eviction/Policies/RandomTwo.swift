import Parameters

/// Two random choices: of two residents drawn at random, the less recently used one leaves.
public struct RandomTwo: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "random-two", summary: "of two random residents, the less recently used one leaves",
    paper: "The power of two choices: M. Mitzenmacher, “The power of two choices in randomized "
      + "load balancing”, IEEE TPDS 12(10), 2001. For caches: D. Luu, “Caches: LRU v. random”, "
      + "2014.",
    idea: "A second draw is enough to avoid most of random's mistakes: near LRU without any "
      + "order of the residents, and without random's blindness.",
    hit: "The object's time of last use is renewed.",
    miss: "Room is made, and the object is inserted.",
    eviction: "Two indices into the array of residents, drawn one after the other from SplitMix64 "
      + "seeded by the run, each uniform and independent of the other, so that both may be "
      + "the same; of the two, the one whose last request is older. The last resident takes "
      + "the victim's place in the array.",
    complexity: "O(1) per request.",
    differences:
      "Drawing buckets of a hash table instead favours some residents.",
    bytesPerSlot: 16, miniatureError: 0)

  @usableFromInline
  struct Resident: SampledRecord {
    @usableFromInline let slot: Slot
    /// The number of the last request, in two words, so that a record has three.
    @usableFromInline let lowUse: UInt32
    @usableFromInline let highUse: UInt32

    @inlinable @inline(__always)
    init(slot: Slot, lastUse: UInt64) {
      self.slot = slot
      lowUse = UInt32(truncatingIfNeeded: lastUse)
      highUse = UInt32(truncatingIfNeeded: lastUse &>> 32)
    }

    @inlinable @inline(__always)
    var lastUse: UInt64 { UInt64(highUse) &<< 32 | UInt64(lowUse) }
  }

  @usableFromInline var residents: SampledSlots<Resident>
  @usableFromInline var requests: UInt64 = 0
  @usableFromInline var generator: SplitMix64

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    residents = SampledSlots(slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    state.visit(&requests)
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

  /// Renews the last use.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    residents[residents.position(of: request.slot)] = used(request.slot)
  }

  /// Makes room and adds the object to the residents.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(used(request.slot))
    return true
  }

  /// Draws two residents uniformly, and chooses the less recently used one.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    let first = residents[residents.draw(&generator, host: host)]
    let second = residents[residents.draw(&generator, host: host)]
    return first.lastUse < second.lastUse ? first.slot : second.slot
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// True: there is one text more.
  @inlinable public static var fusesRequests: Bool { true }

  /// Always: a newcomer takes the place of one of the residents that are drawn.
  @inlinable @inline(__always)
  public func steady() -> SteadyLists? { SteadyLists(hits: .none, misses: .none) }

  /// Draws for each request, and takes the draws of a hit back.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? {
    var drawn = generator
    let first = drawn.index(below: residents.count)
    let second = drawn.index(below: residents.count)
    let missed = !residents.contains(slot)
    generator = missed ? drawn : generator
    let older = residents[first].lastUse < residents[second].lastUse ? first : second
    residents.replaceMember(at: older, by: used(slot), missed: missed)
    return missed ? 1 : 0
  }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }

  /// The record of a slot that is used now.
  @inlinable @inline(__always)
  mutating func used(_ slot: Slot) -> Resident {
    requests &+= 1
    return Resident(slot: slot, lastUse: requests)
  }
}

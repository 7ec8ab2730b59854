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

  @usableFromInline var residents: SlotSet
  /// Indexed by slot: the number of the last request.
  @usableFromInline var lastUses: SlotArray<UInt64>
  @usableFromInline var requests: UInt64 = 0
  @usableFromInline var generator: SplitMix64

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    residents = SlotSet(slots: configuration.slots)
    lastUses = SlotArray(repeating: 0, slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's position and last use.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    residents.prefetch(slot)
    lastUses.prefetch(slot)
  }

  /// Renews the last use.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    use(request.slot)
  }

  /// Makes room and adds the object to the residents.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(request.slot)
    use(request.slot)
    return true
  }

  /// Draws two residents uniformly, and chooses the less recently used one.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    let first = residents.draw(&generator, host: host)
    let second = residents.draw(&generator, host: host)
    return lastUses[first] < lastUses[second] ? first : second
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    residents.reserve(slots: slots)
    lastUses.reserve(slots: slots)
  }

  @inlinable @inline(__always)
  mutating func use(_ slot: Slot) {
    requests &+= 1
    lastUses[slot] = requests
  }
}

extension CachePolicy {
  /// `RandomTwo`: of two random residents, the less recently used one leaves.
  public static var randomTwo: CachePolicy { CachePolicy(RandomTwo.self) }
}

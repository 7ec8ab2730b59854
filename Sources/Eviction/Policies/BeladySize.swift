import Parameters

/// A heuristic with knowledge of the future, for objects of different sizes: evicts the largest
/// distance to the next use times size.
public struct BeladySize: GhostlessPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "belady-size",
    summary: "a heuristic that knows the future: evicts the largest distance times size",
    paper: "D. S. Berger, N. Beckmann, M. Harchol-Balter, “Practical bounds on optimal caching "
      + "with variable object sizes”, SIGMETRICS 2018, where it is compared with bounds.",
    idea: "An object costs its size for as long as it waits for its next hit; what costs most "
      + "leaves. It is no bound: another choice may hit more, and evict bounds says by how "
      + "much at most. Where every object counts one, it is opt.",
    hit: "The object's next use becomes that of the request.",
    miss: "Room is made, and the object enters, even if it is never used again.",
    eviction: "Objects that are never used again leave first, the least recently used before "
      + "others. Then the largest (next use − this request) × size, counted in requests; of "
      + "equal products the farther next use. With sample=n the largest of n residents that "
      + "are drawn from SplitMix64 with replacement.",
    complexity: "O(log² residents) amortised per request by a kinetic tournament; with a "
      + "sample O(sample) per eviction. Slots take 13 bytes, residents up to 64 more.",
    differences:
      "libCacheSim (commit 224cf2d21) draws 128 residents by hash buckets, nearly sample=128, "
      + "and drops what is never used again at once; here it is the first to leave, which gives "
      + "the same hits. As in opt, an object whose next request does not count is never used "
      + "again.",
    parameters: [
      Parameter(
        "sample", .integer(in: 0...1_000_000), default: .integer(0),
        help: "residents drawn for each eviction; 0 compares all")
    ],
    bytesPerSlot: 77, isBound: true, optimumWithoutSizes: "belady-size:sample=0")

  /// The number of each request, and of the next for its key.
  @inlinable public static var needs: RequestNeeds { .nextUse }

  /// Residents that are used again.
  @usableFromInline var awaited: KineticTournament
  /// Residents that are not; the front of the list is the most recently used.
  @usableFromInline var unused: SlotLists<UInt8>
  @usableFromInline var generator: SplitMix64
  @usableFromInline let sample: Int
  @usableFromInline var now: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    awaited = KineticTournament(slots: configuration.slots)
    unused = SlotLists(count: 1, slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
    sample = configuration.arguments.integer("sample")
    now = 0
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    awaited.contains(slot) || unused.owner(of: slot) == .first
  }

  /// Prefetches the slot's place.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    awaited.prefetch(slot)
    unused.prefetch(slot)
  }

  /// Gives the object its next use.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    now = request.index
    let slot = request.slot
    if awaited.contains(slot) && request.nextUse != .max {
      awaited.update(slot, nextUse: request.nextUse)
    } else {
      let size = host.size(of: slot)
      takeOut(slot, size: size)
      enter(request, size: size)
    }
  }

  /// Makes room and enters the object.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    now = request.index
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    enter(request, size: request.size)
    return true
  }

  /// Chooses what is never used again, or else the largest distance times size.
  @inlinable
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    if let victim = unused.back(of: .first) { return victim }
    guard let victim = sample > 0 ? drawn() : awaited.champion(at: now) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Takes the slot out of the residents.
  @inlinable
  public mutating func takeOut(_ slot: Slot, size: Int) {
    if awaited.contains(slot) {
      awaited.remove(slot)
    } else {
      unused.remove(slot, size: size)
    }
  }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() {
    awaited.removeAll()
    unused.removeAll()
  }

  /// Corrects the size that the distance is multiplied with.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if awaited.contains(slot) {
      awaited.changeSize(of: slot, by: difference)
    } else {
      unused.changeSize(of: slot, by: difference)
    }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    awaited.reserve(slots: slots)
    unused.reserve(slots: slots)
  }

  @inlinable
  mutating func enter(_ request: Request, size: Int) {
    if request.nextUse == .max {
      unused.prepend(request.slot, to: .first, size: size)
    } else {
      awaited.insert(request.slot, nextUse: request.nextUse, size: size)
    }
  }

  /// The best of the residents that are drawn with replacement.
  @inlinable
  mutating func drawn() -> Slot? {
    if awaited.count == 0 { return nil }
    var best = generator.index(below: awaited.count)
    for _ in 1..<sample {
      let place = generator.index(below: awaited.count)
      if awaited.beats(place, best, at: now) { best = place }
    }
    return awaited[best]
  }
}

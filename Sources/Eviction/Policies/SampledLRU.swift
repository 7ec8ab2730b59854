import Parameters

/// Approximate LRU: the longest idle of a few random residents and of the best of earlier
/// samples.
public struct SampledLRU: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "sampled-lru", summary: "LRU by samples: the longest idle of a sample and of a pool",
    paper: "S. Sanfilippo, “Random notes on improving the Redis LRU algorithm”, antirez.com, 2016; "
      + "allkeys-lru in Redis 3.0.",
    idea: "A sample of five comes close to LRU without any list: a resident keeps only the "
      + "time of its last request. A pool keeps the best candidates of earlier samples, so "
      + "that a good victim that was seen is not lost.",
    hit: "The object's time becomes the present one.",
    miss: "Room is made, and the object is inserted with the present time.",
    eviction:
      "Positions in the array of residents are drawn, sample times and with repetition, from "
      + "SplitMix64 seeded by the run. Each enters the pool before the first candidate that is as "
      + "idle; from a full pool the least idle leaves, or the drawn one is passed over if it "
      + "is the least idle itself. Then the last of the pool leaves the cache: the longest "
      + "idle when it was sampled, of equals the first to be. The last resident takes the victim's "
      + "place in the array.",
    complexity: "O(1) per hit, O(sample × pool) per eviction.",
    differences:
      "Residents are drawn evenly, and time is counted in requests. Resolution says how many requests make a tick of the "
      + "clock; 1 is exact. An "
      + "object that leaves is taken out of the pool. pool=0 samples without one.",
    parameters: PooledSlots<Resident>.parameters + [
      Parameter(
        "resolution", .integer(in: 1...1_000_000_000), default: .integer(1), time: .requests,
        help: "requests that make a tick of the clock")
    ],
    bytesPerSlot: 12, miniatureError: 0)

  @usableFromInline
  struct Resident: SampledRecord {
    @usableFromInline let slot: Slot
    /// The tick of its last request.
    @usableFromInline var tick: UInt32

    @inlinable @inline(__always)
    init(slot: Slot, tick: UInt32) {
      self.slot = slot
      self.tick = tick
    }
  }

  @usableFromInline var sampled: PooledSlots<Resident>
  @usableFromInline var clock: RequestClock

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    sampled = PooledSlots(configuration)
    clock = RequestClock(requestsPerTick: configuration.arguments.integer("resolution"))
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    sampled.visitState(&state)
    state.visit(&clock)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { sampled.contains(slot) }

  /// Prefetches the slot's position.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { sampled.prefetch(slot) }

  /// True: victims are drawn.
  @inlinable public static var drawsVictims: Bool { true }

  /// Notes the time.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    clock.advance()
    sampled.residents[sampled.residents.position(of: request.slot)].tick = clock.tick
  }

  /// Makes room and adds the object to the residents.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    clock.advance()
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    sampled.residents.insert(Resident(slot: request.slot, tick: clock.tick))
    return true
  }

  /// Samples, and chooses the best candidate of the pool.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    let now = clock.tick
    return sampled.victim(host: host) { now &- $0.tick }
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { sampled.remove(slot) }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { sampled.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { sampled.reserve(slots: slots) }
}

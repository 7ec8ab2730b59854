import Parameters

/// Approximate LFU: counters that grow ever more slowly and decay with time, and of a few
/// random residents and the best of earlier samples the least frequent leaves.
public struct SampledLFU: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "sampled-lfu",
    summary: "LFU by samples: a decaying logarithmic counter, a sample and a pool",
    paper: "Redis 4.0, allkeys-lfu (S. Sanfilippo, 2017); the counter: R. Morris, “Counting large "
      + "numbers of events in small registers”, CACM 21(10), 1978.",
    idea: "Eight bits hold a frequency if each further request is counted with ever lower "
      + "probability. A counter that was not touched loses one per period, so that old favourites "
      + "leave; a new object begins at 5, so that it does not leave at once.",
    hit:
      "The counter loses what its idle periods cost, then grows by one with probability 1 / (log × "
      + "(counter − 5) + 1), surely up to 5, and never beyond 255; the object's time becomes the "
      + "present one.",
    miss: "Room is made, and the object enters with counter 5.",
    eviction: "As sampled-lru, with 255 − counter in the place of idleness; a sampled "
      + "counter first loses what its idle periods cost, but only in the pool's eyes.",
    complexity: "O(1) per hit, O(sample × pool) per eviction.",
    differences:
      "Redis 4.0 has a period of a minute of wall clock (lfu-decay-time). Here decay says how many "
      + "requests make a period, counted from the start of the run: 100 000 is a minute of 1 667 "
      + "requests a second. A hit's draw comes from SplitMix64 seeded by the run, as do the "
      + "samples: a multiple of 2⁻⁵³ below the probability counts. The pool forgets objects "
      + "that leave.",
    parameters: PooledSlots<Resident>.parameters + [
      Parameter(
        "log", .integer(in: 0...1_000_000), default: .integer(10),
        help: "how slowly counters grow (lfu-log-factor); with 0 each request counts"),
      Parameter(
        "decay", .integer(in: 0...1_000_000_000_000), default: .integer(100_000),
        time: .requests,
        help: "requests after which an idle counter loses one; 0 for never"),
    ],
    bytesPerSlot: 12, miniatureError: 0)

  @usableFromInline
  struct Resident: SampledRecord {
    @usableFromInline let slot: Slot
    /// The period of its last request, in 24 bits, and the counter in the low 8.
    @usableFromInline var word: UInt32

    @inlinable @inline(__always)
    init(slot: Slot, period: UInt32, counter: UInt32) {
      self.slot = slot
      word = period &<< 8 | counter
    }

    /// The counter, less one per period since the last request.
    @inlinable @inline(__always)
    func counter(in period: UInt32) -> UInt32 {
      let counter = word & 255
      let periods = (period &<< 8 &- (word & ~255)) &>> 8
      return periods < counter ? counter &- periods : 0
    }
  }

  /// The initial counter of a new object.
  @inlinable static var firstCounter: UInt32 { 5 }

  @usableFromInline var sampled: PooledSlots<Resident>
  /// Indexed by a counter: of a draw's 2⁵³ values, those that count a request beyond it.
  @usableFromInline let chances: SlotArray<UInt64>
  /// Its ticks are the periods.
  @usableFromInline var clock: RequestClock

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    sampled = PooledSlots(configuration)
    chances = SampledLFU.chances(logFactor: arguments.integer("log"))
    let decay = arguments.integer("decay")
    clock = RequestClock(requestsPerTick: decay == 0 ? .max : decay)
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

  /// Decays the counter, and counts the request by chance.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    clock.advance()
    let position = sampled.residents.position(of: request.slot)
    var counter = sampled.residents[position].counter(in: clock.tick)
    if counter < 255 { counter &+= isCounted(above: counter) ? 1 : 0 }
    sampled.residents[position] = Resident(
      slot: request.slot, period: clock.tick, counter: counter)
  }

  /// Makes room and adds the object to the residents.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    clock.advance()
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    sampled.residents.insert(
      Resident(slot: request.slot, period: clock.tick, counter: SampledLFU.firstCounter))
    return true
  }

  /// Samples, and chooses the best candidate of the pool.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    let now = clock.tick
    return sampled.victim(host: host) { 255 &- $0.counter(in: now) }
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

  static func chances(logFactor: Int) -> SlotArray<UInt64> {
    var chances = SlotArray<UInt64>(repeating: 0, slots: 256)
    for counter in 0..<Slot(256) {
      let beyond = Int(max(counter, SampledLFU.firstCounter) - SampledLFU.firstCounter)
      let chance = 1 / Double(beyond * logFactor + 1)
      chances[counter] = UInt64((chance * 0x1p53).rounded(.up))
    }
    return chances
  }

  /// Draws whether a request beyond `counter` is counted.
  @inlinable @inline(__always)
  mutating func isCounted(above counter: UInt32) -> Bool {
    sampled.generator.next() >> 11 < chances[counter]
  }
}

import Parameters

/// Hyperbolic caching: of a random sample, the object with the fewest requests per time of its stay
/// leaves.
public struct Hyperbolic: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "hyperbolic", summary: "fewest requests per time in the cache, of a random sample",
    paper:
      "A. Blankstein, S. Sen and M. J. Freedman, “Hyperbolic caching: flexible caching for web "
      + "applications”, USENIX ATC 2017.",
    idea:
      "Requests divided by the time since the object entered estimate how popular it is. Unlike "
      + "a frequency, the estimate falls by itself while the object is not requested, and a new "
      + "object has the time to show what it is worth. All priorities change all the time, so they "
      + "are computed only for a sample.",
    hit: "Frequency + 1.",
    miss: "Room is made, and the object enters with frequency 1.",
    eviction:
      "Positions in the array of residents are drawn, sample times and with repetition, from "
      + "SplitMix64 seeded by the run; the lowest frequency / age leaves, of equals the one "
      + "drawn first. Age is the number of requests since the object entered. The last "
      + "resident takes the victim's place in the array.",
    complexity: "O(1) per hit, O(sample) per eviction; with the weight of a cost 28 bytes.",
    differences:
      "The paper samples 64 of Redis's keys, libCacheSim (commit 15463060f) 64 random hash "
      + "chains, which favours objects in short ones. weight multiplies the priority by the cost "
      + "of the miss that brought the object in, divides it by the size, or both, as the paper "
      + "proposes; without it sizes do not matter. An empty object divides to infinity, unless its "
      + "cost is 0. The paper's cost classes, expiry times and the"
      + " decay of frequencies by windows are left out.",
    parameters: [
      Parameter(
        "sample", .integer(in: 1...1_000_000), default: .integer(64),
        help: "residents drawn at each eviction"),
      Parameter(
        "weight", .choice(["none", "cost", "size", "cost-size"]), default: .text("none"),
        help: "what the priority is multiplied by: a miss's cost, 1 / size, or both"),
    ],
    bytesPerSlot: 20, hitsReorder: false, miniatureError: 0)

  @usableFromInline
  struct Resident: SampledRecord {
    @usableFromInline let slot: Slot
    @usableFromInline var frequency: UInt32
    /// The number of the request that it entered with.
    @usableFromInline let entered: Int

    @inlinable @inline(__always)
    init(slot: Slot, frequency: UInt32, entered: Int) {
      self.slot = slot
      self.frequency = frequency
      self.entered = entered
    }
  }

  @usableFromInline var residents: SampledSlots<Resident>
  /// Indexed by slot, where costs matter.
  @usableFromInline var costs: SlotArray<Double>
  @usableFromInline var generator: SplitMix64
  /// The number of the present request.
  @usableFromInline var clock = 0
  @usableFromInline let sample: Int
  @usableFromInline let weighsCost: Bool
  @usableFromInline let weighsSize: Bool

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    let weight = configuration.arguments.text("weight")
    weighsCost = weight.hasPrefix("cost")
    weighsSize = weight.hasSuffix("size")
    sample = configuration.arguments.integer("sample")
    residents = SampledSlots(slots: configuration.slots, sample: sample)
    costs = SlotArray(repeating: 1, slots: weighsCost ? configuration.slots : 0)
    generator = SplitMix64(seed: configuration.seed)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    costs.visitState(&state)
    state.visit(&generator)
    state.visit(&clock)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's position.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// True: victims are drawn.
  @inlinable public static var drawsVictims: Bool { true }

  /// Counts the request.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    clock &+= 1
    let position = residents.position(of: request.slot)
    let frequency = residents[position].frequency
    residents[position].frequency = max(frequency, frequency &+ 1)
  }

  /// Makes room and adds the object to the residents.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    clock &+= 1
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(Resident(slot: request.slot, frequency: 1, entered: clock))
    if weighsCost { costs[request.slot] = request.boundedCost }
    return true
  }

  /// Chooses the resident of the lowest priority in a sample.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    residents.drawSample(sample, &generator, host: host)
    if weighsCost || weighsSize { return lowestWeighted(host: host) }
    var victim = residents.sampled(0).slot
    var lowest = UInt64.max
    for draw in 0..<sample {
      // Numbers that are not negative are ordered as their bits are, of which a processor chooses without a branch.
      let resident = residents.sampled(draw)
      let priority = frequency(of: resident).bitPattern
      victim = priority < lowest ? resident.slot : victim
      lowest = min(priority, lowest)
    }
    return victim
  }

  @inlinable
  func lowestWeighted(host: borrowing some SlotHost & ~Copyable) -> Slot {
    var victim = residents.sampled(0).slot
    var lowest = priority(of: residents.sampled(0), host: host)
    for draw in stride(from: 1, to: sample, by: 1) {
      let resident = residents.sampled(draw)
      let priority = priority(of: resident, host: host)
      if priority < lowest {
        lowest = priority
        victim = resident.slot
      }
    }
    return victim
  }

  /// Requests per time.
  @inlinable @inline(__always)
  func frequency(of resident: Resident) -> Double {
    Double(resident.frequency) / Double(clock &- resident.entered)
  }

  @inlinable
  func priority(of resident: Resident, host: borrowing some SlotHost & ~Copyable) -> Double {
    var priority = frequency(of: resident)
    if weighsCost {
      // Infinite where the object has just entered or is empty: times 0 it is no number.
      let cost = costs[resident.slot]
      if cost == 0 { return 0 }
      priority *= cost
    }
    if weighsSize { priority /= Double(host.size(of: resident.slot)) }
    return priority
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
    if weighsCost { costs.reserve(slots: slots) }
  }
}

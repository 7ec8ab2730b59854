import Parameters

/// LFU with aging: all frequencies are halved when their average grows too high.
public struct LFUAging: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lfu-aging", summary: "LFU whose frequencies are halved when their average is too high",
    paper: "J. T. Robinson and M. V. Devarakonda, “Data cache management using frequency-based "
      + "replacement”, SIGMETRICS 1990 (the aging); M. Arlitt, R. Friedrich and T. Jin, "
      + "“Performance evaluation of Web proxy cache replacement policies”, Performance Evaluation "
      + "39, 2000 (LFU-Aging).",
    idea:
      "LFU keeps old favourites for ever. Halving all frequencies now and then lets requests of "
      + "long ago count less, and a limit to a single frequency keeps a favourite within reach.",
    hit:
      "Frequency + 1, unless it is at the maximum. Then aging: while the average frequency of the "
      + "residents exceeds the limit, every frequency is halved, rounding up.",
    miss: "Room is made, and the object enters with frequency 1; aging as after a hit.",
    eviction: "The lowest frequency; among equals the least recently used, also where the halving "
      + "made them equal.",
    ghosts: "None, as the frequency is forgotten at eviction.",
    complexity: "O(1) amortised per request: a halving touches the residents whose frequencies "
      + "become equal, and takes about C × average / 2 hits to come due again.",
    differences:
      "The papers call the limits Amax and Mrefs and leave their values to the user; 10 and "
      + "none are this project's. Robinson and Devarakonda age a policy with sections by "
      + "recency (FBR), which LFU-Aging does not have. The average is looked at after a "
      + "request only, not when a removal or a trim raised it.",
    parameters: [
      Parameter(
        "average", .integer(in: 2...Int(Int32.max)), default: .integer(10),
        help: "Amax: the average frequency of the residents above which all are halved"),
      Parameter(
        "maximum", .integer(in: 1...Int(Int32.max)), default: nil,
        help: "Mrefs: the highest frequency that is counted to; unlimited if not given"),
    ],
    bytesPerSlot: 20)

  @usableFromInline var levels: FrequencyLists
  /// Indexed by slot: the number of its last request.
  @usableFromInline var lastUses: SlotArray<Int>
  @usableFromInline let average: Int
  @usableFromInline let maximum: Int
  /// Residents, and the sum of their frequencies.
  @usableFromInline var count = 0
  @usableFromInline var sum = 0
  @usableFromInline var now = 0

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    average = arguments.integer("average")
    maximum = if case .integer(let given) = arguments.value("maximum") { given } else { .max }
    levels = FrequencyLists(slots: configuration.slots)
    lastUses = SlotArray(repeating: 0, slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    levels.visitState(&state)
    lastUses.visitState(&state)
    state.visit(&count)
    state.visit(&sum)
    state.visit(&now)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { levels.contains(slot) }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    levels.prefetch(slot)
    lastUses.prefetch(slot)
  }

  /// Counts the request, and ages the cache if that was one too many.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if levels.frequency(of: request.slot) < maximum {
      levels.increment(request.slot)
      sum &+= 1
    } else {
      levels.refresh(request.slot)
    }
    used(request.slot)
  }

  /// Makes room, and starts counting.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    levels.insert(request.slot)
    count &+= 1
    sum &+= 1
    used(request.slot)
    return true
  }

  /// Chooses the least frequent object.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = levels.leastFrequent(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Forgets the object's frequency.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) {
    sum &-= levels.frequency(of: slot)
    count &-= 1
    levels.remove(slot)
  }

  /// Forgets every slot and frequency.
  @inlinable
  public mutating func removeAll() {
    levels.removeAll()
    count = 0
    sum = 0
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    levels.reserve(slots: slots)
    lastUses.reserve(slots: slots)
  }

  /// The average frequency of the residents.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("average", count == 0 ? 0 : Double(sum) / Double(count))
  }

  @inlinable @inline(__always)
  mutating func used(_ slot: Slot) {
    now &+= 1
    lastUses[slot] = now
    if sum > average &* count { age() }
  }

  @inlinable @inline(never)
  mutating func age() {
    let lastUses = lastUses.records
    while sum > average * count {
      sum = levels.halve { lastUses[Int($0)] < lastUses[Int($1)] }
    }
  }
}

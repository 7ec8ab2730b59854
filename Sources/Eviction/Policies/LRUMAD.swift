import Parameters

/// LRU-MAD: the object whose loss delays requests least leaves, by its past delays and its last request.
public struct LRUMAD: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lru-mad", summary: "least aggregate delay per time since the last request",
    paper:
      "N. Atre, J. Sherry, W. Wang and D. S. Berger, “Caching with delayed hits”, SIGCOMM 2020.",
    idea:
      "While an object is fetched, its further requests wait as well. A miss of an object that is "
      + "requested in bursts delays all of them, so it costs more than a miss of one that is "
      + "requested at long intervals. The aggregate delay is the sum of what they would wait; LRU's "
      + "estimate of the time to the next request is the time since the last one.",
    hit:
      "The request counts in the object's aggregate delay: as the miss of a new window, with the "
      + "whole delay, if the last window began at least delay ago; else with what is left of that "
      + "window.",
    miss: "Room is made, and the object enters with one window, which begins at its request.",
    eviction:
      "The lowest mean aggregate delay of its windows, divided by the time since its last request; of "
      + "equals the least recent, then the first in the array. All residents are compared, if they "
      + "are at most sample; else positions in the array of residents are drawn, sample times and "
      + "with repetition. Now is delay after the request of the newcomer, when its fetch ends.",
    complexity: "O(1) per hit, O(sample) per eviction.",
    differences:
      "As the authors' cache_lru_aggdelay.cpp (cmu-snap/Delayed-Hits, commit 4f21d4c), which "
      + "compares all residents and keeps the delays of every object for ever; here they begin anew when an "
      + "object enters. The order of equals is decided here. The policy is made for runs with a "
      + "delay (evict sweep --delay): it takes theirs, in place of the parameter, and the times of requests, "
      + "and learns of the requests that waited when their fetch ends. In other runs and in caches "
      + "time is the number of requests, and a miss is taken to last the parameter. Sizes do not matter.",
    parameters: [
      Parameter(
        "delay", .integer(in: 1...1_000_000_000), default: .integer(100), time: .requests,
        help: "requests that a miss lasts, in a run that has no delay itself"),
      Parameter(
        "sample", .integer(in: 1...1_000_000), default: .integer(64),
        help: "residents drawn at each eviction; all, if there are no more"),
    ],
    bytesPerSlot: 36, hitsReorder: true)

  /// The argument by which a run says its own delay, in the unit of the times that it tells with requests.
  package static let delayOfRun = "delay of the run"

  @usableFromInline
  struct Resident: SampledRecord {
    @usableFromInline let slot: Slot
    @usableFromInline var windows: UInt32 = 1
    /// The sum of the delays of all windows.
    @usableFromInline var delays: Double
    @usableFromInline var windowStart: Int64
    @usableFromInline var lastRequest: Int64

    @inlinable
    init(slot: Slot, delay: Int64, time: Int64) {
      self.slot = slot
      delays = Double(delay)
      windowStart = time
      lastRequest = time
    }
  }

  @usableFromInline var residents: SampledSlots<Resident>
  @usableFromInline var generator: SplitMix64
  /// The latest time.
  @usableFromInline var now = Int64.min
  /// The number of the present request.
  @usableFromInline var clock: Int64 = 0
  /// True if requests have times.
  @usableFromInline let isTimed: Bool
  @usableFromInline let delay: Int64
  @usableFromInline let sample: Int

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    if case .integer(let own) = arguments.given[LRUMAD.delayOfRun] {
      (delay, isTimed) = (Int64(own), true)
    } else {
      (delay, isTimed) = (Int64(arguments.integer("delay")), false)
    }
    sample = arguments.integer("sample")
    residents = SampledSlots(slots: configuration.slots, sample: sample)
    generator = SplitMix64(seed: configuration.seed)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    state.visit(&generator)
    state.visit(&now)
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

  /// Adds the delay that the request would have had.
  @inlinable
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    clock &+= 1
    let arrival = isTimed ? request.time : clock
    now = max(now, arrival)
    let position = residents.position(of: request.slot)
    var resident = residents[position]
    // Times may go back.
    let time = max(arrival, resident.lastRequest)
    let passed = time &- resident.windowStart
    if passed >= delay {
      resident.windows = max(resident.windows, resident.windows &+ 1)
      resident.windowStart = time
      resident.delays += Double(delay)
    } else {
      resident.delays += Double(delay &- passed)
    }
    resident.lastRequest = time
    residents[position] = resident
  }

  /// Makes room and adds the object to the residents.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    clock &+= 1
    let arrival = isTimed ? request.time : clock
    now = max(now, arrival.addingReportingOverflow(delay).partialValue)
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(Resident(slot: request.slot, delay: delay, time: arrival))
    return true
  }

  /// Chooses the resident of the lowest priority, of all or of a sample.
  @inlinable
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    let comparesAll = residents.count <= sample
    if !comparesAll { residents.drawSample(sample, &generator, host: host) }
    var victim: (slot: Slot, priority: Double, last: Int64)?
    for place in 0..<(comparesAll ? residents.count : sample) {
      let resident = comparesAll ? residents[place] : residents.sampled(place)
      if comparesAll && host.isPinned(resident.slot) { continue }
      let priority = priority(of: resident)
      if let victim, (victim.priority, victim.last) <= (priority, resident.lastRequest) { continue }
      victim = (resident.slot, priority, resident.lastRequest)
    }
    guard let victim else { preconditionFailure("there is nothing to evict") }
    return victim.slot
  }

  /// The mean aggregate delay over the time since the last request.
  @inlinable
  func priority(of resident: Resident) -> Double {
    let age = max(1, now &- resident.lastRequest)
    return resident.delays / Double(resident.windows) / Double(age)
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }
}

import Parameters

/// S4-FIFO that chooses its parameters by what the first requests would have made of each choice.
public struct S4FIFOLearned: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "s4fifo-learned",
    summary: "S4-FIFO with the best of twenty-one configurations for its first requests",
    paper: "H. Xia et al., “Learning-augmented heuristics: simple, yet smart, robust and "
      + "interpretable cache eviction”, OSDI 2026, for the policy and its configurations; the choice is "
      + "this project's.",
    idea: "No constants of S3-FIFO fit every workload. The first requests tell which do, and what "
      + "they tell holds for the rest more often than not.",
    hit: "As S4-FIFO.",
    miss:
      "As S4-FIFO without parameters, until newcomers of learn times the capacity have come after the "
      + "first eviction, or have been removed before it. Then the configuration whose miniature has the most hits takes the place; of equals the "
      + "first in the order of the guide. S4-FIFO without parameters stays if that saves no more than margin of its misses.",
    eviction: "As S4-FIFO.",
    ghosts: "As S4-FIFO with the configuration that is at work.",
    complexity:
      "O(1) per request, as S4-FIFO; before the choice a request of one key in sample runs through "
      + "twenty-one caches of 1/sample of the capacity, or of 20 objects (20 bytes, with sizes) if that is more. Their memory, which goes with the choice, is 77 "
      + "of the bytes per slot.",
    differences:
      "The authors' learned form (libCacheSim, commit 3415e3d) makes 73 features of the queues' "
      + "counts in a fifth of the trace, and 1 460 boosted trees choose among twenty configurations; the "
      + "trees are 14 MB of another project's source. Here the same twenty, and S4-FIFO's defaults, run in miniature in "
      + "place of the features and the trees. A cache does not know the length of its trace, so the time to choose is by the "
      + "capacity. A change of the capacity leaves the miniatures as they are, and they see no removals.",
    parameters: [
      Parameter(
        "learn", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: .fraction(Fraction(4)),
        help: "chooses after newcomers of this many capacities; never at 0"),
      Parameter(
        "margin", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 20)),
        help: "keeps the defaults unless another choice saves more of their misses"),
      Parameter(
        "sample", .integer(in: 1...65_536), default: .integer(4),
        help: "one key in this many is followed, or more where the cache is small"),
    ],
    bytesPerSlot: 96, miniatureError: nil)

  @usableFromInline var base: S4FIFO
  private var race: MiniatureRace?
  @usableFromInline var left: Int
  @usableFromInline var choice = 0
  @usableFromInline var capacity: Int
  private let margin: Fraction

  /// Creates an empty cache's policy; the seed says which keys are followed.
  public init(_ configuration: PolicyConfiguration) {
    capacity = configuration.capacity
    margin = configuration.arguments.fraction("margin")
    let form = S4FIFOForm.all[0]
    base = S4FIFO(form, capacity: capacity, slots: configuration.slots)
    left = configuration.arguments.fraction("learn").floor(of: capacity)
    let sample = configuration.arguments.integer("sample")
    let share = min(sample, max(1, capacity / 20))
    var generator = SplitMix64(seed: configuration.seed)
    let salt = generator.next()
    race = left > 0 ? MiniatureRace(capacity: capacity, share: share, salt: salt) : nil
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    state.visit(&left)
    state.visit(&choice)
    state.visit(&capacity)
    if state.isReading {
      guard S4FIFOForm.all.indices.contains(choice) else { return state.refuse() }
      base.take(S4FIFOForm.all[choice])
      if left <= 0 { race = nil }
    }
    base.visitState(&state)
    if left > 0 { race?.visitState(&state) }
  }

  /// Hashes of keys, by which they are sampled.
  @inlinable
  public static var needs: RequestNeeds { .keyHash }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { base.contains(slot) }

  /// Prefetches the slot's mark and position.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { base.prefetch(slot) }

  /// As S4-FIFO, once the choice was made: before, every hit is one of a miniature, too.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { left <= 0 && base.ignoresHit(of: slot) }

  /// As S4-FIFO.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if left > 0 { follow(request) }
    base.hit(request, host: &host)
  }

  /// As S4-FIFO; the newcomer may be the last before the choice.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let isWatched = left > 0 && base.probation.hasEvicted
    if left > 0 { follow(request) }
    let isAdmitted = base.insert(request, host: &host)
    if isWatched {
      left &-= min(left, max(request.size, 1))
      if left == 0 { choose(host: &host) }
    }
    return isAdmitted
  }

  /// As S4-FIFO.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    base.evict(for: request, host: &host)
  }

  /// Takes the slot out of its queue.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if isFilling && base.contains(slot) { giveUp(max(host.size(of: slot), 1)) }
    base.remove(slot, host: &host)
  }

  /// Empties the queues; the miniatures stay.
  @inlinable
  public mutating func removeAll() {
    if isFilling {
      let (small, main) = (base.queues.size(of: .small), base.queues.size(of: .main))
      giveUp(max(small &+ main, base.queues.count(of: .small) &+ base.queues.count(of: .main)))
    }
    base.removeAll()
  }

  /// Recomputes the limits, and forgets the ghosts beyond theirs.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
    base.resize(to: capacity, host: &host)
  }

  /// Corrects the sum of the queue that holds `slot`.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    base.changeSize(of: slot, by: difference)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { base.reserve(slots: slots) }

  /// Shows the number of the configuration at work, 0 for S4-FIFO's own, and how much of the learning is left.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("configuration", Double(choice))
    show("left", Double(left))
  }

  /// True before the first eviction, if a choice is to come.
  @inlinable
  var isFilling: Bool { left > 0 && !base.probation.hasEvicted }

  /// Brings the choice nearer by what is removed before the first eviction: else a cache that never fills would remember
  /// each key that ever came.
  @usableFromInline
  mutating func giveUp(_ size: Int) {
    left &-= min(left, size)
    if left == 0 { takeLeader() }
  }

  @usableFromInline
  mutating func follow(_ request: Request) {
    race?.request(request, counts: base.probation.hasEvicted)
  }

  @inlinable
  mutating func choose(host: inout some SlotHost & ~Copyable) {
    takeLeader()
    base.resize(to: capacity, host: &host)
  }

  @usableFromInline
  mutating func takeLeader() {
    choice = race?.leader(margin: margin) ?? 0
    race = nil
    base.take(S4FIFOForm.all[choice])
  }
}

import Parameters

/// Least frequently used: evicts the object with the fewest requests during its stay.
public typealias LFU = LeastFrequent<FrequencyLists>

/// ``LFU`` over lists by frequency of some kind.
public struct LeastFrequent<Levels: FrequencyOrder & ~Copyable>: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static var information: PolicyInformation { leastFrequentInformation }

  /// Does the work where ties go to the least recent and nothing outlives an eviction.
  @usableFromInline var levels: Levels
  /// Does the work otherwise.
  @usableFromInline var ranking: FrequencyRanking
  @usableFromInline let usesRanking: Bool

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    let isPerfect = arguments.text("history") == "perfect"
    let byInsertion = arguments.text("ties") == "fifo"
    usesRanking = isPerfect || byInsertion
    levels = Levels(slots: usesRanking ? 0 : configuration.slots)
    ranking = FrequencyRanking(
      slots: usesRanking ? configuration.slots : 0, capacity: configuration.capacity,
      ties: byInsertion ? .insertion : .recency,
      history: !isPerfect ? Fraction(0) : arguments.ghosts ?? configuration.historyBound)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    levels.visitState(&state)
    ranking.visitState(&state)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    usesRanking ? ranking.contains(slot) : levels.contains(slot)
  }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    if !usesRanking { levels.prefetch(slot) }
  }

  /// Counts the request.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if usesRanking {
      ranking.increment(request.slot)
    } else {
      levels.increment(request.slot)
    }
  }

  /// Shows the same policy over logs.
  @inlinable @inline(__always)
  public static func visitSimulated(_ visitor: inout some PolicyVisitor) {
    visitor.visit(LeastFrequent<FrequencyLogs>.self)
  }

  /// The bytes that the levels take.
  @inlinable public static var bytesPerObject: Int { Levels.bytesPerObject }

  /// Gives back memory that is not used.
  @inlinable @inline(__always)
  public mutating func tidy() { levels.shrink() }

  /// The lists among which requests only move slots; nil where more may happen.
  @inlinable @inline(__always)
  public func steady() -> SteadyLists? {
    if usesRanking || !levels.isSteady { return nil }
    return SteadyLists(hits: .none, misses: .none)
  }

  /// Runs a request that only moves slots.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? {
    levels.steadyRequest(of: slot)
  }

  /// Makes room, and starts counting.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if usesRanking {
      let earlier = ranking.recall(request.slot, host: host)
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      ranking.insert(request.slot, frequency: earlier + 1)
    } else {
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      levels.insert(request.slot)
    }
    return true
  }

  /// Evicts the least frequent object.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if usesRanking {
      ranking.evict(host: &host)
      return
    }
    levels.evictLeastFrequent(host: &host)
  }

  /// Forgets the slot and its frequency.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if usesRanking {
      ranking.remove(slot, host: &host)
    } else if levels.contains(slot) {
      levels.remove(slot)
      host.didForget(slot)
    }
  }

  /// Forgets every slot and frequency.
  @inlinable
  public mutating func removeAll() {
    levels.removeAll()
    ranking.removeAll()
  }

  /// Bounds the perfect history by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    ranking.resize(to: capacity, host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    if usesRanking {
      ranking.reserve(slots: slots)
    } else {
      levels.reserve(slots: slots)
    }
  }
}

/// The page of ``LFU``, whichever lists it uses.
private let leastFrequentInformation = PolicyInformation(
  name: "lfu", summary: "least frequently used, the least recent among equals",
  paper: "R. Karedla, J. S. Love and B. G. Wherry, “Caching strategies to improve disk "
    + "system performance”, IEEE Computer 27(3), 1994; in constant time: K. Shah, A. "
    + "Mitra and D. Matani, 2010. Perfect history: L. Breslau et al., “Web caching and "
    + "Zipf-like distributions”, INFOCOM 1999.",
  idea: "What was used often will be used again. Keeps old favourites for ever, which a "
    + "shifting workload punishes.",
  hit: "Frequency + 1.",
  miss: "Room is made, and the object enters with frequency 1.",
  eviction: "The lowest frequency; among equals the least recently used.",
  ghosts: "None, as the frequency is forgotten at eviction. history=perfect remembers it.",
  complexity: "O(1) per request; with ties=fifo or history=perfect 45 bytes and O(log C).",
  differences: "Among equal frequencies, some evict the oldest insertion (ties=fifo).",
  parameters: [
    Parameter(
      "ties", .choice(["lru", "fifo"]), default: .text("lru"),
      help: "which of equally frequent objects leaves: least recently used, or oldest insertion"),
    Parameter(
      "history", .choice(["stay", "perfect"]), default: .text("stay"),
      help: "perfect: an evicted object's frequency is remembered"),
    Parameter(
      "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
      help: "objects that a perfect history remembers, as a multiple of the capacity; "
        + "unbounded in simulation, 2 in a cache"),
  ],
  bytesPerSlot: 12)

extension LFU {
  /// The values of `ties`.
  public enum Ties: String, CaseIterable, Sendable {
    /// The least recently used of equally frequent objects leaves.
    case lru
    /// The oldest insertion of equally frequent objects leaves.
    case fifo
  }

  /// The values of `history`.
  public enum History: String, CaseIterable, Sendable {
    /// Frequencies of residents only.
    case stay
    /// Frequencies of evicted objects are remembered, too.
    case perfect
  }
}

extension CachePolicy {
  /// `LFU`: least frequently used, the least recent among equals.
  ///
  /// - Parameters:
  ///   - ties: Which of equally frequent objects leaves: least recently used, or oldest insertion.
  ///   - history: With `.perfect`, an evicted object's frequency is remembered.
  ///   - ghosts: Objects that a perfect history remembers, as a multiple of the capacity; unbounded in
  ///     simulation, 2 in a cache.
  public static func lfu(
    ties: LFU.Ties? = nil, history: LFU.History? = nil, ghosts: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(
      LFU.self,
      parameters: [
        "ties": ties?.rawValue, "history": history?.rawValue, "ghosts": ghosts,
      ])
  }
}

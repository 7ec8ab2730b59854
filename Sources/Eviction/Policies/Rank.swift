import Parameters

/// A policy by a formula: the object with the lowest score leaves.
public struct Rank: ListPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "rank", summary: "the lowest score leaves, by a formula of yours: score=hits/(age*size)",
    paper: "No paper. Functions of this kind are what PolicySmith (HotNets 2025, arXiv "
      + "2510.08803) has a language model write.",
    idea: "Most policies order objects by a number. To try an idea, write the number: over "
      + "frequency (requests of this stay), hits (frequency − 1), age and lastUse (requests of "
      + "any key since the object entered, and since its own last one, from 1), size, and "
      + "ghostFrequency (requests of its earlier stays); with + - * / < <= == >= >, min(a,b), "
      + "max(a,b), abs, sqrt, log, exp and if(test,then,else). A test is 1 or 0.",
    hit: "Frequency + 1; the object is scored anew.",
    miss: "A ghost leaves with its count, room is made, and the object enters with frequency 1.",
    eviction: "The lowest score; among equals the least recently used. rank:score=-lastUse is lru, "
      + "rank:score=frequency is lfu. What is not a number (0/0) is lowest of all. sample=n: the "
      + "lowest of n draws from the residents, with repetition.",
    ghosts: "None, unless the score reads ghostFrequency: then what left, with the sum of its "
      + "frequencies, the oldest forgotten first.",
    complexity: "O(log n) per request with a heap if the order of two objects changes only by "
      + "their own requests: age and lastUse only as terms of a sum, with constant factors. "
      + "Otherwise every resident is scored at each eviction, O(n), or O(sample). The formula is "
      + "compiled once. Memory without a heap: 41 bytes, and 8 with a sample.",
    differences:
      "Scores with age or lastUse as terms are all computed for one moment, so that they round "
      + "alike.",
    parameters: [
      Parameter(
        "score", .text, default: .text("frequency/size"),
        help: "the formula, of at most 2000 characters and 64 nested parentheses; the lowest leaves"
      ),
      Parameter(
        "sample", .integer(in: 0...1_000_000), default: .integer(0),
        help: "residents scored at each eviction, drawn at random; 0: all"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: .fraction(Fraction(1)),
        help: "ghosts whose frequency is remembered, as a multiple of the capacity, if the score "
          + "reads it"),
    ],
    bytesPerSlot: 91, isTemplate: true)

  /// The record of a resident, and the frequency of a ghost.
  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var entered = 0
    @usableFromInline var lastUse = 0
    @usableFromInline var size = 0
    @usableFromInline var frequency: UInt32 = 0
    @usableFromInline var ghostFrequency: UInt32 = 0

    @inlinable
    init() {}
  }

  /// The finder of the lowest score.
  @usableFromInline
  enum Method {
    /// A heap, as the order is the same at all times.
    case heap
    /// A look at every resident.
    case scan
    /// A look at residents drawn at random.
    case sample
  }

  /// The residents, the most recent at the front, and the ghosts.
  public var lists: SlotLists<UInt8>
  @usableFromInline var records: SlotArray<Record>
  @usableFromInline var program: ScoreProgram
  @usableFromInline let method: Method
  /// The residents of `Method.heap`: the lowest score first, then the oldest last request.
  @usableFromInline var heap: PriorityRun<SlotRank>
  /// The residents of `Method.sample`.
  @usableFromInline var drawn: SlotSet
  @usableFromInline var generator: SplitMix64
  @usableFromInline let sample: Int
  @usableFromInline let ghostShare: Fraction
  @usableFromInline var ghostLimit: Int
  /// The number of requests so far.
  @usableFromInline var now = 0

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for a score that cannot be read.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    let score = arguments.text("score")
    let expression: ScoreExpression
    do throws(ScoreError) {
      expression = try ScoreParser.parse(score)
    } catch {
      throw .conflict(
        policy: "rank",
        explanation: "score=\(ScoreError.excerpt(of: score)), character \(error.place): "
          + error.message)
    }
    let slots = configuration.slots
    sample = arguments.integer("sample")
    method = sample > 0 ? .sample : expression.growth == nil ? .scan : .heap
    lists = SlotLists(count: 2, slots: slots)
    records = SlotArray(repeating: Record(), slots: slots)
    program = ScoreProgram(expression)
    heap = PriorityRun(slots: method == .heap ? slots : 0)
    drawn = SlotSet(slots: method == .sample ? slots : 0)
    generator = SplitMix64(seed: configuration.seed)
    ghostShare =
      expression.attributes.contains(.ghostFrequency)
      ? arguments.fraction("ghosts") : Fraction(0)
    ghostLimit = ghostShare.floor(of: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    records.visitState(&state)
    heap.visitState(&state)
    drawn.visitState(&state)
    state.visit(&generator)
    state.visit(&ghostLimit)
    state.visit(&now)
  }

  /// The first list is resident.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool { list == .first }

  /// Prefetches what a request for the slot will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    records.prefetch(slot)
  }

  /// True: victims are drawn.
  @inlinable public static var drawsVictims: Bool { true }

  /// Counts the request, and scores the object anew.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    now &+= 1
    records[slot].lastUse = now
    records[slot].frequency &+= 1
    if method != .heap { lists.moveToFront(slot, of: .first) }
    rescore(slot)
  }

  /// Takes the newcomer out of the ghosts, makes room, and scores the object.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    now &+= 1
    if lists.owner(of: slot) == .none {
      records[slot] = Record()
    } else {
      lists.remove(slot, size: host.size(of: slot))
    }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    records[slot].entered = now
    records[slot].lastUse = now
    records[slot].size = request.size
    records[slot].frequency = 1
    lists.prepend(slot, to: .first, size: request.size)
    switch method {
    case .heap: heap.insert(slot, priority: rank(of: slot))
    case .scan: break
    case .sample: drawn.insert(slot)
    }
    return true
  }

  /// Evicts the object with the lowest score.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let victim = lowest(host: host)
    if !host.mayEvict(victim) { return }
    takeOut(victim)
    if ghostLimit == 0 {
      lists.remove(victim, size: host.size(of: victim))
      host.didEvictAndForget(victim)
      return
    }
    records[victim].ghostFrequency &+= records[victim].frequency
    lists.move(victim, toFrontOf: .rankGhosts, size: host.size(of: victim))
    host.didEvict(victim)
    boundGhosts(host: &host)
  }

  /// Unlinks the slot.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if lists.owner(of: slot) == .first { takeOut(slot) }
    lists.forget(slot, host: &host)
  }

  /// Forgets every slot.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    heap.removeAll()
    drawn.removeAll()
  }

  /// Scores the object with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
    records[slot].size += difference
    rescore(slot)
  }

  /// Bounds the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    ghostLimit = ghostShare.floor(of: capacity)
    boundGhosts(host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    records.reserve(slots: slots)
    if method == .heap { heap.reserve(slots: slots) }
    if method == .sample { drawn.reserve(slots: slots) }
  }
}

// MARK: - Steps

extension Rank {
  /// The score of a resident now; where a heap keeps it, as if no request had been made yet.
  @inlinable @inline(__always)
  mutating func score(of slot: Slot) -> Double {
    let record = records[slot]
    let moment = method == .heap ? 0 : now &+ 1
    program.set(.frequency, Double(record.frequency))
    program.set(.hits, Double(record.frequency) - 1)
    program.set(.age, Double(moment &- record.entered))
    program.set(.lastUse, Double(moment &- record.lastUse))
    program.set(.size, Double(record.size))
    program.set(.ghostFrequency, Double(record.ghostFrequency))
    return program.run()
  }

  /// The bits of the score as a whole number of the same order; of the two zeros, none is lower.
  @inlinable @inline(__always)
  mutating func rank(of slot: Slot) -> SlotRank {
    let bits = Int(bitPattern: UInt((score(of: slot) + 0).bitPattern))
    return SlotRank(bits < 0 ? bits ^ .max : bits, number: records[slot].lastUse)
  }

  @inlinable @inline(__always)
  mutating func rescore(_ slot: Slot) {
    if method != .heap { return }
    let rank = rank(of: slot)
    if heap.priority(of: slot) < rank {
      heap.raise(slot, priority: rank)
    } else {
      heap.update(slot, priority: rank)
    }
  }

  @inlinable
  mutating func lowest(host: borrowing some SlotHost & ~Copyable) -> Slot {
    let first =
      method == .heap
      ? heap.firstUnpinned(host: host) : lists.unpinnedBack(of: .first, host: host)
    guard var victim = first else {
      preconditionFailure("there is nothing to evict")
    }
    if method == .heap { return victim }
    if method == .sample { victim = drawn.draw(&generator, host: host) }
    var least = score(of: victim)
    if method == .scan {
      var other = lists.newer(than: victim)
      while let slot = other {
        other = lists.newer(than: slot)
        if host.isPinned(slot) { continue }
        let score = score(of: slot)
        if score < least { (victim, least) = (slot, score) }
      }
      return victim
    }
    for _ in 1..<sample {
      let slot = drawn.draw(&generator, host: host)
      let score = score(of: slot)
      if score < least
        || (score == least && records[slot].lastUse < records[victim].lastUse)
      {
        (victim, least) = (slot, score)
      }
    }
    return victim
  }

  @inlinable @inline(__always)
  mutating func takeOut(_ slot: Slot) {
    if method == .heap { heap.remove(slot) }
    if method == .sample { drawn.remove(slot) }
  }

  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while lists.size(of: .rankGhosts) > ghostLimit {
      lists.forgetBack(of: .rankGhosts, host: &host)
    }
  }
}

extension SlotLists<UInt8>.ID {
  /// The objects that left, with their frequencies.
  @inlinable @inline(__always)
  static var rankGhosts: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
}

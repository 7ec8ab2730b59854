import Parameters

/// CLOCK: FIFO, but an object that was requested lately is passed over and becomes the newest.
public struct CLOCK: QueuePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "clock", summary: "FIFO with a second chance for what was requested",
    paper: "F. J. Corbató, “A paging experiment with the Multics system”, MIT Project MAC "
      + "report MAC-M-384, 1968. n bits: A. J. Smith, “Sequentiality and prefetching in "
      + "database systems”, ACM TODS 3(3), 1978 (generalized CLOCK).",
    idea: "Nearly LRU's decisions, but a hit only sets a bit: the work is left to the "
      + "hand, which does it once per round and not once per hit. FIFO-Reinsertion and "
      + "second chance are this policy with bits=1: a ring with a hand and a queue whose "
      + "oldest is reinserted keep the same order.",
    hit: "The bit is set; with n bits the counter goes up by 1, to 2ⁿ − 1 at most.",
    miss: "Room is made, and the object enters as the newest, with its bit clear.",
    eviction: "The hand looks at the oldest: if its bit is set, the bit is cleared (a counter "
      + "goes down by 1) and the object becomes the newest; the first whose bit is clear "
      + "leaves.",
    complexity: "O(1) per hit, which touches one byte; a miss passes over at most 2ⁿ − 1 "
      + "times as many objects as there were hits. Memory: a byte per slot and a ring of at "
      + "most 8 per resident; 4 more per slot once an object was removed by its name.",
    differences:
      "Some set the newcomer's bit (insertBit=1). Some append the newcomer before the hand "
      + "moves (order=insert-first): the hand then passes objects over to behind the newcomer, "
      + "and where every bit but its own is set, the newcomer itself leaves. libCacheSim's test "
      + "(commit 0379a0199) has the counts of this form.",
    parameters: [
      Parameter(
        "insertBit", .integer(in: 0...1), default: .integer(0),
        help: "the bit, or the counter, that an object enters with"),
      Parameter(
        "bits", .integer(in: 1...6), default: .integer(1),
        help: "bits of the counter of hits, which stops at 2ⁿ − 1"),
      Parameter(
        "order", .choice(["evict-first", "insert-first"]), default: .text("evict-first"),
        help: "insert-first: the newcomer enters before the hand moves, and may leave at once"),
    ],
    bytesPerSlot: 9, hitsReorder: false, miniatureError: 0)

  /// One queue: the hand looks at its oldest end.
  public var queues: SlotQueues
  @usableFromInline let initialCount: UInt8
  @usableFromInline let maximumCount: UInt8
  @usableFromInline let insertsFirst: Bool

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    queues = SlotQueues(count: 1, slots: configuration.slots, keepsPositions: false)
    initialCount = UInt8(arguments.integer("insertBit"))
    maximumCount = UInt8(1 << arguments.integer("bits") - 1)
    insertsFirst = arguments.text("order") == "insert-first"
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
  }

  /// Prefetches the slot's counter.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { queues.prefetchMark(slot) }

  /// Counts the hit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    queues.reference(request.slot, atMost: maximumCount)
  }

  /// One of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { queues.frequency(of: slot) >= maximumCount }

  /// Makes room, and enters the object as the newest; or the other way round.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if insertsFirst { return insertFirst(request, host: &host) }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    enter(request)
    return true
  }

  /// Evicts the first that the hand finds with a clear bit.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    queues.evictByClock(from: .first, host: &host)
  }

  @inlinable @inline(__always)
  mutating func enter(_ request: Request) {
    queues.append(request.slot, to: .first, size: request.size, frequency: initialCount)
  }

  /// Enters the object, and then makes room; the hand may find the object itself.
  @inlinable
  mutating func insertFirst(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    enter(request)
    while !host.hasRoom(for: request) {
      let leaves = queues.evictByClock(from: .first, newcomer: request, host: &host)
      if !leaves {
        queues.remove(request.slot, size: request.size)
        return refuse(request, host: &host)
      }
    }
    return true
  }
}

extension CLOCK {
  /// The values of `order`.
  public enum Order: String, CaseIterable, Sendable {
    /// The hand moves before the newcomer enters.
    case evictFirst = "evict-first"
    /// The newcomer enters before the hand moves, and may leave at once.
    case insertFirst = "insert-first"
  }
}

extension CachePolicy {
  /// `CLOCK`: FIFO with a second chance for what was requested.
  ///
  /// - Parameters:
  ///   - insertBit: The bit, or the counter, that an object enters with.
  ///   - bits: Bits of the counter of hits, which stops at 2ⁿ − 1.
  ///   - order: With `.insertFirst`, the newcomer enters before the hand moves, and may leave at once.
  public static func clock(
    insertBit: Int? = nil, bits: Int? = nil, order: CLOCK.Order? = nil
  ) -> CachePolicy {
    CachePolicy(
      CLOCK.self,
      parameters: [
        "insertBit": insertBit, "bits": bits, "order": order?.rawValue,
      ])
  }
}

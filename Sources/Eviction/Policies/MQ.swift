import Parameters

/// Multi-queue: LRU queues by the logarithm of the frequency, with time limits and remembered counts.
public typealias MQ = ListedPolicy<MultiQueueRules, SlotLists<UInt8>>

/// The rules of ``MQ``: Qout, and the queues from 0 up; the tail of a queue is the front of its list.
public struct MultiQueueRules: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "mq", summary: "multi-queue: LRU queues by frequency, with time limits",
    paper: "Y. Zhou, J. F. Philbin and K. Li, “The multi-queue replacement algorithm for second "
      + "level buffer caches”, USENIX ATC 2001.",
    idea: "Behind another cache, objects come back late: how often counts more than how lately. "
      + "Objects with 2^k requests and more wait in queue k, and move one queue down when "
      + "they are not requested during their life time.",
    hit: "The frequency grows by 1, and the object enters the tail of queue ⌊log2 frequency⌋, at "
      + "most the last one, with a new life time. Then time advances by 1 and, from queue 1 up, "
      + "the head of each queue whose life time is over moves to the tail of the queue below, "
      + "with a new life time.",
    miss: "Room is made. The frequency is the one that Qout remembers, or 0, plus 1; then as on a "
      + "hit.",
    eviction: "The head of the lowest queue that is not empty; it enters Qout.",
    ghosts: "Qout remembers frequencies, and forgets its oldest beyond 4C. As in the paper room is "
      + "made first, so that the newcomer itself may be forgotten.",
    complexity: "O(1) per request, O(m) when a life time ends.",
    differences:
      "Eight queues and a history of 4C are the paper's. It adjusts the life time as it runs, "
      + "to the distances between requests of one object, and leaves the method to another text; "
      + "here it is fixed, a parameter whose default is this project's: MQ with a static life "
      + "time. After a change of the capacity the new life time counts from the time an object "
      + "entered its queue.",
    parameters: [
      Parameter(
        "queues", .integer(in: 1...62), default: .integer(8), help: "the number of queues, m"),
      Parameter(
        "lifetime", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(4)),
        help: "requests that an object may wait in its queue, as a multiple of the capacity"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(4)),
        help: "the size of Qout, as a multiple of the capacity"),
    ],
    bytesPerSlot: 25)

  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var frequency = 0
    /// The time at which the object entered its queue.
    @usableFromInline var entered = 0

    @inlinable
    init() {}
  }

  @usableFromInline var records: SlotArray<Record>
  @usableFromInline let queues: Int
  @usableFromInline let lifetimeShare: Fraction
  @usableFromInline let ghostShare: Fraction
  @usableFromInline var lifetime = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var now = 0
  /// Indexed by queue, from 1 up: its head has not entered it earlier, nor will the next one.
  @usableFromInline var entries: SlotArray<Int>
  /// The earliest of these.
  @usableFromInline var earliest = 0

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    queues = arguments.integer("queues")
    records = SlotArray(repeating: Record(), slots: configuration.slots)
    entries = SlotArray(repeating: 0, slots: queues)
    lifetimeShare = arguments.fraction("lifetime")
    ghostShare = arguments.fraction("ghosts")
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    records.visitState(&state)
    state.visit(&lifetime)
    state.visit(&ghostLimit)
    state.visit(&now)
    entries.visitState(&state)
    state.visit(&earliest)
  }

  /// Qout, and the queues.
  @inlinable @inline(__always)
  public var listCount: Int { queues + 1 }

  /// Qout is not resident.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list.rawValue > 1 }

  /// Prefetches the slot's record.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { records.prefetch(slot) }

  /// Moves the object to the queue of its frequency.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let slot = request.slot
    let (queue, next) = (lists.owner(of: slot), enter(slot))
    if queue == next {
      lists.moveToFront(slot, of: queue)
    } else {
      lists.move(slot, from: queue, toFrontOf: next, size: host.size(of: slot))
    }
    adjust(newcomer: nil, lists: &lists, host: host)
  }

  /// Makes room, and enters the object with the frequency that Qout remembers.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    if lists.owner(of: slot) == .qOut {
      lists.remove(slot, from: .qOut, size: host.size(of: slot))
    } else {
      records[slot].frequency = 0
    }
    lists.prepend(slot, to: enter(slot), size: request.size)
    adjust(newcomer: request, lists: &lists, host: host)
    return true
  }

  /// Evicts the head of the lowest queue.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    var queue = 0
    while lists.lacksVictim(.queue(queue), host: host) { queue += 1 }
    lists.evictBack(of: .queue(queue), to: .qOut, host: &host)
    boundGhosts(newcomer: request?.slot ?? .max, lists: &lists, host: &host)
  }

  /// Bounds Qout by the new capacity.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    setLimits(for: capacity)
    boundGhosts(newcomer: .max, lists: &lists, host: &host)
  }

  /// Grows the records.
  @inlinable
  public mutating func reserve(slots: Int) { records.reserve(slots: slots) }
}

extension MultiQueueRules {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    lifetime = lifetimeShare.floor(of: capacity)
    ghostLimit = ghostShare.floor(of: capacity)
  }

  /// Counts the request, and returns the queue that belongs to the object's frequency, whose tail it enters.
  @inlinable @inline(__always)
  mutating func enter(_ slot: Slot) -> ListID {
    records[slot].frequency &+= 1
    records[slot].entered = now
    let logarithm = Int.bitWidth &- 1 &- records[slot].frequency.leadingZeroBitCount
    return .queue(min(logarithm, queues &- 1))
  }

  /// Time advances, and life times end.
  @inlinable @inline(__always)
  mutating func adjust<Lists: RecencyLists & ~Copyable>(
    newcomer: Request?, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    now &+= 1
    if isOver(earliest) { demoteHeads(newcomer: newcomer, lists: &lists, host: host) }
  }

  @inlinable @inline(__always)
  func isOver(_ entered: Int) -> Bool { now &- entered > lifetime }

  /// The head of each queue goes one queue down if its life time is over.
  @inlinable
  mutating func demoteHeads<Lists: RecencyLists & ~Copyable>(
    newcomer: Request?, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    earliest = now
    for queue in 1..<queues {
      if isOver(entries[Slot(queue)]) {
        var head = lists.back(of: .queue(queue))
        if let slot = head, isOver(records[slot].entered) {
          let size = newcomer?.slot == slot ? newcomer!.size : host.size(of: slot)
          lists.move(slot, from: .queue(queue), toFrontOf: .queue(queue - 1), size: size)
          records[slot].entered = now
          head = lists.back(of: .queue(queue))
        }
        entries[Slot(queue)] = head.map { records[$0].entered } ?? now
      }
      earliest = min(earliest, entries[Slot(queue)])
    }
  }

  /// Forgets the oldest of Qout beyond its limit; of a newcomer, the host is not told.
  @inlinable @inline(__always)
  func boundGhosts<Lists: RecencyLists & ~Copyable>(
    newcomer: Slot, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .qOut) > ghostLimit, let oldest = lists.back(of: .qOut) {
      lists.remove(oldest, from: .qOut, size: host.size(of: oldest))
      if oldest != newcomer { host.didForget(oldest) }
    }
  }
}

extension ListID {
  @inlinable @inline(__always)
  static var qOut: ListID { .first }

  @inlinable @inline(__always)
  static func queue(_ number: Int) -> ListID {
    ListID(UInt8(truncatingIfNeeded: number &+ 2))
  }
}

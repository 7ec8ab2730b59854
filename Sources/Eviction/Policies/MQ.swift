import Parameters

/// Multi-queue: LRU queues by the logarithm of the frequency, with time limits and remembered counts.
public struct MQ: ListPolicy, ~Copyable {
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

  /// Qout, and the queues from 0 up; the tail of a queue is the front of its list.
  public var lists: SlotLists<UInt8>
  @usableFromInline var records: SlotArray<Record>
  @usableFromInline let queues: Int
  @usableFromInline let lifetimeShare: Fraction
  @usableFromInline let ghostShare: Fraction
  @usableFromInline var lifetime = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var now = 0
  /// No head of queue 1 or above has entered it earlier.
  @usableFromInline var earliest = Int.max

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    queues = arguments.integer("queues")
    lists = SlotLists(count: queues + 1, slots: configuration.slots)
    records = SlotArray(repeating: Record(), slots: configuration.slots)
    lifetimeShare = arguments.fraction("lifetime")
    ghostShare = arguments.fraction("ghosts")
    setLimits(for: configuration.capacity)
  }

  /// Qout is not resident.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool { list.rawValue > 1 }

  /// Prefetches the slot's links, owner and record.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    records.prefetch(slot)
  }

  /// Moves the object to the queue of its frequency.
  @inlinable
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let size = host.size(of: request.slot)
    lists.remove(request.slot, size: size)
    enter(request.slot, size: size)
    adjust(newcomer: nil, host: host)
  }

  /// Makes room, and enters the object with the frequency that Qout remembers.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if lists.owner(of: slot) == .qOut {
      lists.remove(slot, size: host.size(of: slot))
    } else {
      records[slot].frequency = 0
    }
    enter(slot, size: request.size)
    adjust(newcomer: request, host: host)
    return true
  }

  /// Evicts the head of the lowest queue.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var queue = 0
    while lists.lacksVictim(.queue(queue), host: host) { queue += 1 }
    lists.evictBack(of: .queue(queue), to: .qOut, host: &host)
    boundGhosts(newcomer: request?.slot ?? .max, host: &host)
  }

  /// Bounds Qout by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    boundGhosts(newcomer: .max, host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    records.reserve(slots: slots)
  }
}

extension MQ {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    lifetime = lifetimeShare.floor(of: capacity)
    ghostLimit = ghostShare.floor(of: capacity)
  }

  /// Counts the request, and puts the object at the tail of the queue that belongs to its frequency.
  @inlinable @inline(__always)
  mutating func enter(_ slot: Slot, size: Int) {
    records[slot].frequency &+= 1
    records[slot].entered = now
    let logarithm = Int.bitWidth &- 1 &- records[slot].frequency.leadingZeroBitCount
    let queue = min(logarithm, queues &- 1)
    lists.prepend(slot, to: .queue(queue), size: size)
    if queue > 0 { earliest = min(earliest, now) }
  }

  /// Time advances, and life times end.
  @inlinable @inline(__always)
  mutating func adjust(newcomer: Request?, host: borrowing some SlotHost & ~Copyable) {
    now &+= 1
    if isOver(earliest) { demoteHeads(newcomer: newcomer, host: host) }
  }

  @inlinable @inline(__always)
  func isOver(_ entered: Int) -> Bool { now &- entered > lifetime }

  /// The head of each queue goes one queue down if its life time is over.
  @inlinable
  mutating func demoteHeads(newcomer: Request?, host: borrowing some SlotHost & ~Copyable) {
    for queue in 1..<queues {
      guard let head = lists.back(of: .queue(queue)), isOver(records[head].entered) else {
        continue
      }
      let size = newcomer?.slot == head ? newcomer!.size : host.size(of: head)
      lists.move(head, toFrontOf: .queue(queue - 1), size: size)
      records[head].entered = now
    }
    earliest = .max
    for queue in 1..<queues {
      if let head = lists.back(of: .queue(queue)) {
        earliest = min(earliest, records[head].entered)
      }
    }
  }

  /// Forgets the oldest of Qout beyond its limit; of a newcomer, the host is not told.
  @inlinable @inline(__always)
  mutating func boundGhosts(newcomer: Slot, host: inout some SlotHost & ~Copyable) {
    while lists.size(of: .qOut) > ghostLimit {
      let oldest = lists.removeBack(of: .qOut, host: host)
      if oldest != newcomer { host.forgot(oldest) }
    }
  }
}

extension SlotLists<UInt8>.ID {
  @inlinable @inline(__always)
  static var qOut: SlotLists<UInt8>.ID { .first }

  @inlinable @inline(__always)
  static func queue(_ number: Int) -> SlotLists<UInt8>.ID {
    SlotLists<UInt8>.ID(UInt8(truncatingIfNeeded: number &+ 2))
  }
}

extension CachePolicy {
  /// `MQ`, multi-queue: LRU queues by frequency, with time limits.
  ///
  /// - Parameters:
  ///   - queues: The number of queues, m.
  ///   - lifetime: Requests that an object may wait in its queue, as a multiple of the capacity.
  ///   - ghosts: The size of Qout, as a multiple of the capacity.
  public static func mq(
    queues: Int? = nil, lifetime: Fraction? = nil, ghosts: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(
      MQ.self,
      parameters: [
        "queues": queues, "lifetime": lifetime, "ghosts": ghosts,
      ])
  }
}

import Parameters

/// CAMP: GreedyDual-Size with rounded ratios, so that a few LRU queues and a heap of their heads do.
public struct CAMP: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "camp", summary: "cost adaptive multi-queue: LRU queues by rounded cost / size",
    paper: "S. Ghandeharizadeh, S. Irani, J. Lam and J. Yap, “CAMP: a cost adaptive multi-queue "
      + "eviction policy for key-value stores”, Middleware 2014.",
    idea: "GreedyDual-Size gives an object the priority L + cost / size when it is used. If the "
      + "ratio is rounded to its highest bits, few ratios are left, and among objects of one ratio "
      + "the order of priorities is that of their last use: an LRU queue for each ratio, and a heap "
      + "that only learns when a queue's head changes.",
    hit: "The object moves to the most recent end of the queue of its ratio, with the priority L + "
      + "ratio. The ratio is computed anew, with what the scale is by then.",
    miss: "Room is made, and the object enters as on a hit.",
    eviction: "The head with the lowest priority, among equals that of the larger ratio, which was "
      + "used longer ago. Then L becomes the lowest priority that is left.",
    ghosts: "None.",
    complexity: "O(1) per request, and O(log queues) when a queue's head leaves.",
    differences:
      "Ratios are cost × the largest size so far / size, cut to a whole number and then to its "
      + "highest bits, as in the authors' code (scdblab/CAMP, commit 5c04391): costs should be "
      + "whole numbers. L follows their code, too: it rises at evictions, to the lowest priority left. Priorities are IEEE "
      + "doubles. An empty object counts one size unit. An object keeps the cost of the miss that brought it in. Of equal priorities "
      + "the least recent object leaves; the heap of the authors' code leaves their order open. "
      + "The default precision is this project's. At one size and cost this is LRU.",
    parameters: [
      Parameter(
        "precision", .integer(in: 1...10), default: .integer(4),
        help: "how many of a ratio's highest bits are kept")
    ],
    bytesPerSlot: 26, miniatureError: 0)

  /// The record of a resident.
  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var priority: Double
    @usableFromInline var cost: Double

    @inlinable @inline(__always)
    init(priority: Double, cost: Double) {
      self.priority = priority
      self.cost = cost
    }
  }

  /// The head of a queue in the heap.
  @usableFromInline
  struct Head: Comparable, BitwiseCopyable {
    @usableFromInline var priority: Double
    @usableFromInline var queue: UInt16

    @inlinable @inline(__always)
    init(priority: Double, queue: UInt16) {
      self.priority = priority
      self.queue = queue
    }

    @inlinable @inline(__always)
    static func < (left: Head, right: Head) -> Bool {
      left.priority < right.priority
        || (left.priority == right.priority && left.queue > right.queue)
    }
  }

  @usableFromInline typealias Queue = SlotLists<UInt16>.ID

  /// A queue for each rounded ratio, in ascending order; its head is its least recent end.
  @usableFromInline var queues: SlotLists<UInt16>
  /// The queues that are not empty, by their heads.
  @usableFromInline var heads: SlotHeap<Head>
  /// Indexed by slot.
  @usableFromInline var records: SlotArray<Record>
  /// L.
  @usableFromInline var inflation = 0.0
  /// The factor that makes ratios whole numbers: the largest size so far.
  @usableFromInline var scale = 1
  @usableFromInline let precision: Int

  /// Creates an empty cache's policy, with L = 0.
  public init(_ configuration: PolicyConfiguration) {
    precision = configuration.arguments.integer("precision")
    let count = CAMP.queue(of: CAMP.largestRatio, precision: precision) + 1
    queues = SlotLists(count: count)
    heads = SlotHeap(slots: count + 1)
    records = SlotArray(repeating: Record(priority: 0, cost: 0))
    reserve(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
    heads.visitState(&state)
    records.visitState(&state)
    state.visit(&inflation)
    state.visit(&scale)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { queues.owner(of: slot) != .none }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    queues.prefetch(slot)
    records.prefetch(slot)
  }

  /// The object becomes the most recent of its queue.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    take(request.slot)
    place(request.slot, size: host.size(of: request.slot))
  }

  /// Makes room, and puts the object into the queue of its ratio.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    records[request.slot].cost = request.boundedCost
    place(request.slot, size: request.size)
    return true
  }

  /// Evicts the head of the lowest priority; what is the lowest then becomes L.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    guard let queue = heads.first, let head = queues.back(of: Queue(UInt16(queue))),
      let victim = host.isPinned(head) ? lowestUnpinned(host: host) : head
    else { preconditionFailure("there is nothing to evict") }
    if !host.mayEvict(victim) { return }
    take(victim)
    if let next = heads.first { inflation = heads.priority(of: next).priority }
    host.didEvictAndForget(victim)
  }

  /// The slot of the lowest priority among the first of each queue that are not pinned.
  @inlinable
  func lowestUnpinned(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var lowest: Slot?
    for queue in 0..<queues.count {
      if let slot = queues.unpinnedBack(of: Queue(UInt16(queue + 1)), host: host),
        lowest.map({ records[slot].priority < records[$0].priority }) ?? true
      {
        lowest = slot
      }
    }
    return lowest
  }

  /// Takes the slot out of its queue.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !contains(slot) { return }
    take(slot)
    host.didForget(slot)
  }

  /// Empties the queues; L and the scale stay.
  @inlinable
  public mutating func removeAll() {
    queues.removeAll()
    heads.removeAll()
  }

  /// L, the scale of the ratios, and how many queues are in use.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("l", inflation)
    show("scale", Double(scale))
    show("queues", Double(heads.count))
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    queues.reserve(slots: slots)
    records.reserve(slots: slots)
  }

  /// Puts `slot` at the most recent end of the queue of its ratio.
  @inlinable @inline(__always)
  mutating func place(_ slot: Slot, size: Int) {
    scale = max(scale, size)
    let exact = records[slot].cost * Double(scale) / Double(max(size, 1))
    let ratio = Int(min(exact, Double(CAMP.largestRatio)))
    let queue = Queue(UInt16(truncatingIfNeeded: CAMP.queue(of: ratio, precision: precision) + 1))
    let priority = inflation + Double(CAMP.rounded(ratio, precision: precision))
    records[slot].priority = priority
    if queues.isEmpty(queue) {
      heads.insert(Slot(queue.rawValue), priority: Head(priority: priority, queue: queue.rawValue))
    }
    queues.prepend(slot, to: queue, size: 1)
  }

  /// Takes `slot` out of its queue; the heap learns of it only if it was the head.
  @inlinable @inline(__always)
  mutating func take(_ slot: Slot) {
    let queue = queues.owner(of: slot)
    let wasHead = queues.back(of: queue) == slot
    queues.remove(slot, size: 1)
    if !wasHead { return }
    if let head = queues.back(of: queue) {
      let priority = Head(priority: records[head].priority, queue: queue.rawValue)
      heads.update(Slot(queue.rawValue), priority: priority)
    } else {
      heads.remove(Slot(queue.rawValue))
    }
  }

  @inlinable static var largestRatio: Int { 1 << 52 }

  /// Returns the number of the lowest bits of `ratio` that are cut.
  @inlinable @inline(__always)
  static func cut(_ ratio: Int, precision: Int) -> Int {
    max(Int.bitWidth - ratio.leadingZeroBitCount - precision, 0)
  }

  /// `ratio` with its highest `precision` bits only.
  @inlinable @inline(__always)
  static func rounded(_ ratio: Int, precision: Int) -> Int {
    let cut = cut(ratio, precision: precision)
    return (ratio >> cut) << cut
  }

  /// The number of the queue of `ratio`, in the order of the rounded ratios: those below 2^precision
  /// have one each, and each length in bits beyond has 2^(precision − 1).
  @inlinable @inline(__always)
  static func queue(of ratio: Int, precision: Int) -> Int {
    let cut = cut(ratio, precision: precision)
    return (cut << (precision - 1)) + (ratio >> cut)
  }
}

extension CachePolicy {
  /// `CAMP`, cost adaptive multi-queue: LRU queues by rounded cost / size.
  ///
  /// - Parameter precision: The number of a ratio's highest bits that are kept.
  public static func camp(
    precision: Int? = nil
  ) -> CachePolicy {
    CachePolicy(
      CAMP.self,
      parameters: [
        "precision": precision
      ])
  }
}

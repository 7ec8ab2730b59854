import Parameters

/// QD-LP-FIFO: quick demotion by a small FIFO queue, lazy promotion by CLOCK in the main queue.
public struct QDLP: QueuePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "qd-lp", summary: "quick demotion, lazy promotion: a small FIFO queue before a CLOCK",
    paper: "J. Yang, Z. Qiu, Y. Zhang, Y. Yue and K. V. Rashmi, “FIFO can be better than LRU: the "
      + "power of lazy promotion and quick demotion”, HotOS 2023 (QD-LP-FIFO).",
    idea: "Promote at eviction, not at each hit, and get rid of most newcomers quickly: a "
      + "small FIFO queue on probation sends only what was requested again to the main "
      + "queue, a CLOCK of two bits. S3-FIFO is its successor.",
    hit: "On probation the object is marked as requested; in the main queue its counter goes up "
      + "by 1, to 3 at most.",
    miss: "A ghost leaves the ghosts, room is made, and it enters the main queue, which first "
      + "evicts until it fits there. Anything else enters the probationary queue when "
      + "there is room in the cache.",
    eviction: "The oldest on probation. If it was requested there, it moves to the main queue "
      + "instead, with counter 0, and the main queue evicts until it fits; and so on, until "
      + "an object has left. If none is on probation, the main queue evicts: its oldest "
      + "with counter > 0 becomes its newest with counter − 1, the first with 0 leaves.",
    ghosts: "What left the probationary queue unrequested, as many as the main queue holds at "
      + "most, the oldest forgotten first. What leaves the main queue is not remembered.",
    complexity: "O(1) per hit, which touches one byte; a miss moves at most as many objects as "
      + "there were hits. Memory: 5 bytes per slot and rings of at most 12.",
    differences:
      "As the authors' code in libCacheSim (QDLP.c, commit 11c93a3), where the paper is "
      + "silent: the probationary queue has no bound of "
      + "its own, so it holds everything until the cache is full; the ghost of a request is gone "
      + "before room is made; a ghost's entry may evict twice, for the cache and for the main "
      + "queue. That code remembers ⌊0.9 C⌋ (ghosts=0.9), and refuses objects of the probationary"
      + " queue's size or more. An object larger than the main queue's quota enters it alone.",
    parameters: [
      Parameter(
        "small", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "the share of the capacity that the main queue leaves to probation; at least 1"),
      Parameter(
        "bits", .integer(in: 1...6), default: .integer(2),
        help: "bits of the main queue's counter, which stops at 2ⁿ − 1"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "ghosts remembered, as a multiple of the capacity; what the main queue holds"),
    ],
    bytesPerSlot: 17, hitsReorder: false, miniatureError: 0)

  /// The probationary queue, the main queue and the ghosts.
  public var queues: SlotQueues
  @usableFromInline let smallShare: Fraction
  @usableFromInline let ghostShare: Fraction?
  @usableFromInline let maximumCount: UInt8
  @usableFromInline var mainLimit: Int
  @usableFromInline var ghostLimit: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    queues = SlotQueues(count: 3, slots: configuration.slots)
    smallShare = arguments.fraction("small")
    ghostShare = arguments.ghosts
    maximumCount = UInt8(1 << arguments.integer("bits") - 1)
    mainLimit = configuration.capacity - max(1, smallShare.floor(of: configuration.capacity))
    ghostLimit = ghostShare?.floor(of: configuration.capacity) ?? mainLimit
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
    state.visit(&mainLimit)
    state.visit(&ghostLimit)
  }

  /// All but the ghosts are resident.
  @inlinable @inline(__always)
  public static func isResident(in queue: SlotQueues.ID) -> Bool {
    queue == .small || queue == .main
  }

  /// Counts the hit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    queues.reference(request.slot, atMost: maximumCount)
  }

  /// One of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { queues.frequency(of: slot) >= maximumCount }

  /// Takes the newcomer out of the ghosts, makes room, and enters the main queue or probation.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let wasGhost = queues.owner(of: request.slot) == .ghosts
    if wasGhost { queues.remove(request.slot, size: host.size(of: request.slot)) }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if wasGhost {
      makeRoomInMain(for: request.size, host: &host)
      if host.hasRefused { return refuse(request, host: &host) }
    }
    queues.append(request.slot, to: wasGhost ? .main : .small, size: request.size)
    return true
  }

  /// Evicts from probation, or from the main queue if none is there, until an object has left.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    while let place = queues.unpinnedPlace(of: .small, host: host) {
      let oldest = place.slot
      let size = host.size(of: oldest)
      if queues.frequency(of: oldest) == 0 {
        if !host.mayEvict(oldest) { return }
        queues.move(place, of: .small, to: .ghosts, size: size)
        host.didEvict(oldest)
        queues.boundGhosts(of: .ghosts, to: ghostLimit, newcomer: nil, host: &host)
        return
      }
      let hasEvicted = makeRoomInMain(for: size, host: &host)
      if host.hasRefused { return }
      queues.move(place, of: .small, to: .main, size: size)
      if hasEvicted { return }
    }
    queues.evictByClock(from: .main, host: &host)
  }

  /// Recomputes the quotas; the main queue's holds again at its next entry.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    mainLimit = capacity - max(1, smallShare.floor(of: capacity))
    ghostLimit = ghostShare?.floor(of: capacity) ?? mainLimit
    queues.boundGhosts(of: .ghosts, to: ghostLimit, newcomer: nil, host: &host)
  }

  /// Evicts from the main queue until it has room for `size` within its quota, or is empty.
  ///
  /// - Returns: True if anything was evicted.
  @inlinable @inline(never) @discardableResult
  mutating func makeRoomInMain(
    for size: Int, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    var hasEvicted = false
    while queues.size(of: .main) + size > mainLimit && !queues.isEmpty(.main) {
      if !queues.evictByClock(from: .main, host: &host) { return hasEvicted }
      hasEvicted = true
    }
    return hasEvicted
  }
}

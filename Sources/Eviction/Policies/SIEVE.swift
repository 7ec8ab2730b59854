import Parameters

/// SIEVE: a hand sweeps a FIFO queue and sifts out what was not visited; survivors stay in place.
public struct SIEVE: QueuePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "sieve", summary: "a hand sweeps a FIFO queue; survivors stay where they are",
    paper: "Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson and K. V. Rashmi, “SIEVE is simpler than "
      + "LRU: an efficient turn-key eviction algorithm for web caches”, NSDI 2024.",
    idea: "CLOCK moves survivors to where newcomers enter. SIEVE leaves them in place, so "
      + "the hand soon meets the newcomers behind them: most objects are evicted early, "
      + "and the popular ones gather at the old end, where the hand seldom is.",
    hit: "The object is marked as visited.",
    miss: "Room is made, and the object enters at the head, not visited.",
    eviction: "The hand walks from the tail (the oldest) towards the head and clears the "
      + "marks of visited objects; the first that was not visited leaves. Past the head it "
      + "goes on at the tail. It stays at the victim's neighbour towards the head, or at "
      + "the tail if there is none. When the user removes the hand's object, it moves on "
      + "to that neighbour, too.",
    complexity: "O(1) per hit, which touches one byte; a miss clears as many marks as hits "
      + "set, at most. Memory: 5 bytes per slot and a ring of at most 16 per resident.",
    differences:
      "libCacheSim's test (commit 0379a0199) has the same counts. The queue is a ring with "
      + "holes and not a linked list, which decides nothing.",
    bytesPerSlot: 13, hitsReorder: false)

  /// One queue, its oldest end the tail; the visited mark is a frequency of 1.
  public var queues: SlotQueues

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    queues = SlotQueues(count: 1, slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
  }

  /// Marks the object as visited.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    queues.setFrequency(of: request.slot, to: 1)
  }

  /// One of a visited object.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { queues.frequency(of: slot) > 0 }

  /// Makes room, and enters the object at the head.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    queues.append(request.slot, to: .first, size: request.size)
    return true
  }

  /// Moves the hand, and evicts the first object that was not visited.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var victim = queues.slotAtHand(of: .first)
    while host.isPinned(victim) || queues.frequency(of: victim) > 0 {
      if !host.isPinned(victim) { queues.setFrequency(of: victim, to: 0) }
      queues.advanceHand(of: .first)
      victim = queues.slotAtHand(of: .first)
    }
    if !host.mayEvict(victim) { return }
    queues.removeAtHand(of: .first, size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }

  /// The share of the objects that were visited since the hand passed. O(objects).
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    var visited = 0
    var place = queues.oldestPlace(of: .first)
    while let here = place {
      if queues.frequency(of: here.slot) > 0 { visited += 1 }
      place = queues.newer(than: here)
    }
    show("visited", Double(visited) / Double(max(1, queues.count(of: .first))))
  }
}

extension CachePolicy {
  /// `SIEVE`: a hand sweeps a FIFO queue; survivors stay where they are.
  public static var sieve: CachePolicy { CachePolicy(SIEVE.self) }
}

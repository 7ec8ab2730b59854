import Parameters

/// LP-2Q: 2Q with a CLOCK of a few bits in place of its LRU.
public struct LPTwoQ: QueuePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lp-2q", summary: "2Q by lazy promotion: a CLOCK in place of its LRU",
    paper: "J. Yang, Z. Qiu, Y. Zhang, Y. Yue and K. V. Rashmi, “FIFO can be better than LRU: the "
      + "power of lazy promotion and quick demotion”, HotOS 2023 (lazy promotion); 2Q: T. Johnson "
      + "and D. Shasha, VLDB 1994.",
    idea: "An object that is promoted at eviction, and not at each hit, need be moved once a "
      + "round. What LRU promotes early often leaves soon, so that the CLOCK keeps the better "
      + "objects, too.",
    hit: "In Am the counter goes up by 1, to 2ⁿ − 1 at most. In A1in: nothing.",
    miss: "A ghost of A1out leaves it first, then room is made, and it enters Am as the newest, "
      + "with counter 0. Anything else enters A1in when there is room.",
    eviction: "If |A1in| > Kin, or Am is empty: the oldest of A1in, which A1out remembers. Else "
      + "the hand over Am: an oldest with counter > 0 becomes the newest with counter − 1; the "
      + "first with 0 leaves, and is not remembered. Kin = ⌊C/4⌋, Kout = ⌊C/2⌋.",
    ghosts: "A1out: what left A1in, at most Kout, the oldest forgotten first.",
    complexity: "O(1) per hit, which touches one byte; a miss moves at most as many objects as "
      + "there were hits. Memory: 5 bytes per slot and rings of at most 12.",
    differences: "Am evicts only where the cache has no room, not where a ghost enters it beyond "
      + "C − Kin. The authors' form has one bit.",
    parameters: [
      Parameter(
        "bits", .integer(in: 1...6), default: .integer(1),
        help: "bits of Am's counter of hits, which stops at 2ⁿ − 1"),
      Parameter(
        "kin", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(25, 100)),
        help: "Kin: A1in gives up the victim when it is larger, as a share of the capacity"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(5, 10)),
        help: "Kout, the ghosts remembered, as a multiple of the capacity"),
    ],
    bytesPerSlot: 13, hitsReorder: false, miniatureError: 0)

  /// A1in, Am, A1out.
  public var queues: SlotQueues
  @usableFromInline let maximumCount: UInt8
  @usableFromInline let inShare: Fraction
  @usableFromInline let outShare: Fraction
  @usableFromInline var kin: Int
  @usableFromInline var kout: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    queues = SlotQueues(count: 3, slots: configuration.slots)
    maximumCount = UInt8(1 << arguments.integer("bits") - 1)
    inShare = arguments.fraction("kin")
    outShare = arguments.fraction("ghosts")
    kin = inShare.floor(of: configuration.capacity)
    kout = outShare.floor(of: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
    state.visit(&kin)
    state.visit(&kout)
  }

  /// A1in and Am are resident, A1out is not.
  @inlinable @inline(__always)
  public static func isResident(in queue: SlotQueues.ID) -> Bool {
    queue == .small || queue == .main
  }

  /// Counts a hit in Am.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if queues.owner(of: request.slot) == .main {
      queues.reference(request.slot, atMost: maximumCount)
    }
  }

  /// One in A1in, or of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool {
    queues.owner(of: slot) != .main || queues.frequency(of: slot) >= maximumCount
  }

  /// Takes the newcomer out of A1out, makes room, and enters Am or A1in.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let wasGhost = queues.owner(of: request.slot) == .ghosts
    if wasGhost { queues.remove(request.slot, size: host.size(of: request.slot)) }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    queues.append(request.slot, to: wasGhost ? .main : .small, size: request.size)
    return true
  }

  /// Reclaims from A1in if it is over Kin or alone, else from Am.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let prefersSmall = queues.size(of: .small) > kin || queues.isEmpty(.main)
    guard prefersSmall != queues.isAllPinned(prefersSmall ? .small : .main, host: host),
      let place = queues.unpinnedPlace(of: .small, host: host)
    else {
      queues.evictByClock(from: .main, host: &host)
      return
    }
    let victim = place.slot
    if !host.mayEvict(victim) { return }
    queues.move(place, of: .small, to: .ghosts, size: host.size(of: victim))
    host.didEvict(victim)
    queues.boundGhosts(of: .ghosts, to: kout, newcomer: request?.slot, host: &host)
  }

  /// Recomputes Kin and Kout, and forgets what is beyond Kout.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    kin = inShare.floor(of: capacity)
    kout = outShare.floor(of: capacity)
    queues.boundGhosts(of: .ghosts, to: kout, newcomer: nil, host: &host)
  }
}

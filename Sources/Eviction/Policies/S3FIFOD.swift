import Parameters

/// S3-FIFO-D: S3-FIFO whose main queue's limit follows the requests for what left either queue lately.
public typealias S3FIFOD = ListedPolicy<LearnedQueueRules, SlotLists<UInt8>>

/// The rules of ``S3FIFOD``: S, M, the newest ghosts of S, its other ghosts, the ghosts of M; the front of each is the
/// newest.
public struct LearnedQueueRules: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "s3fifo-d", summary: "S3-FIFO that learns its limits from what left each queue lately",
    paper: "J. Yang, Y. Zhang, Z. Qiu, Y. Yue and K. V. Rashmi, “FIFO queues are all you need "
      + "for cache eviction”, SOSP 2023 (S3-FIFO-D); the code in libCacheSim, commit 0f00a9c.",
    idea: "If what S let go lately is requested twice as often as what M let go, S is too small, "
      + "and the other way round.",
    hit: "The object's counter goes up by 1, to 3 at most.",
    miss: "A ghost of S leaves and enters M, which first evicts until it fits; a ghost of M "
      + "leaves and enters S, as anything else does. A request for one of the newest ghosts of S, "
      + "or for one of M, counts. Over 100 counts, the queue with more than twice the other's "
      + "takes max(1, min(Sc, Mc)/1000) from the other's limit, unless that is at C/100; both "
      + "counts lose a fifth. While M has no ghosts, both are 0.",
    eviction: "From S while it holds anything: its oldest moves to M, with counter 0, if it was "
      + "hit, and M evicts while it is over Mc; else it leaves. From M: its oldest with counter > "
      + "0 becomes its newest with counter − 1, the first with 0 leaves.",
    ghosts: "What left S: at most Gc, at first C − ⌊C/10⌋, which grows and shrinks with Sc; the "
      + "newest ⌊C/10⌋ of them count. What M evicted at an eviction: at most ⌊C/10⌋. The oldest "
      + "are forgotten first.",
    complexity: "O(1) per hit, which touches one byte; a miss moves at most as many objects as "
      + "there were hits.",
    differences: "As the authors' code in libCacheSim (commit 0f00a9c; removed there in September "
      + "2026), with whose numbers the limits start: what M evicts when a ghost enters it is not "
      + "remembered, and the limits are looked at before the next request. The paper's text gives "
      + "other sizes to the two histories (history). That code refuses objects larger than Sc, and "
      + "everything below a capacity of 10.",
    parameters: [
      Parameter(
        "small", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "Sc at first, as a share of the capacity; at least 1"),
      Parameter(
        "history", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "ghosts of each queue whose requests count, as a multiple of the capacity"),
    ],
    bytesPerSlot: 10, hitsReorder: false, miniatureError: 0)

  /// Indexed by slot: the hits that count for a resident.
  @usableFromInline var counts: SlotArray<UInt8>
  @usableFromInline let smallShare: Fraction
  @usableFromInline let historyShare: Fraction
  @usableFromInline var capacity = 0
  /// Sc; Mc is what it leaves.
  @usableFromInline var smallLimit = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var historyLimit = 0
  @usableFromInline var smallGhostHits = 0
  @usableFromInline var mainGhostHits = 0

  /// Two queues and three lists of ghosts.
  public var listCount: Int { 5 }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    counts = SlotArray(repeating: 0, slots: configuration.slots)
    smallShare = configuration.arguments.fraction("small")
    historyShare = configuration.arguments.fraction("history")
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    counts.visitState(&state)
    state.visit(&capacity)
    state.visit(&smallLimit)
    state.visit(&ghostLimit)
    state.visit(&historyLimit)
    state.visit(&smallGhostHits)
    state.visit(&mainGhostHits)
  }

  /// S and M are resident.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list == .small || list == .main }

  /// Counts the hit.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    counts[request.slot] = min(counts[request.slot] &+ 1, 3)
  }

  /// One of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { counts[slot] >= 3 }

  /// Prefetches the slot's counter.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { counts.prefetch(slot) }

  /// Takes the newcomer out of its ghosts, makes room, enters M or S, and looks at the limits.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let ghost = lists.owner(of: request.slot)
    if ghost == .newSmallGhosts { smallGhostHits += 1 }
    if ghost == .mainGhosts { mainGhostHits += 1 }
    if ghost != .none {
      lists.remove(request.slot, from: ghost, size: host.size(of: request.slot))
    }
    defer { adapt(lists) }
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    let wasInSmall = ghost == .newSmallGhosts || ghost == .oldSmallGhosts
    if wasInSmall {
      while lists.size(of: .main) + request.size > mainLimit,
        !lists.lacksVictim(.main, host: host)
      {
        passHand(lists: &lists, host: host)
        lists.evictBack(of: .main, host: &host)
        if host.hasRefused { return refuse(request, lists: lists, host: &host) }
      }
    }
    counts[request.slot] = 0
    lists.prepend(request.slot, to: wasInSmall ? .main : .small, size: request.size)
    return true
  }

  /// Takes from S, or from M if S is empty, until an object has left.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while let tail = lists.unpinnedBack(of: .small, host: host) {
      if counts[tail] == 0 {
        lists.evictBack(of: .small, to: .newSmallGhosts, host: &host)
        if !host.hasRefused { boundSmallGhosts(lists: &lists, host: &host) }
        return
      }
      counts[tail] = 0
      lists.move(tail, from: .small, toFrontOf: .main, size: host.size(of: tail))
      var hasLeft = false
      while lists.size(of: .main) > mainLimit, !lists.lacksVictim(.main, host: host) {
        evictFromMain(lists: &lists, host: &host)
        if host.hasRefused { return }
        hasLeft = true
      }
      if hasLeft { return }
    }
    evictFromMain(lists: &lists, host: &host)
  }

  /// Recomputes the limits from the start.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if capacity != self.capacity { setLimits(for: capacity) }
    boundSmallGhosts(lists: &lists, host: &host)
    boundMainGhosts(lists: &lists, host: &host)
  }

  /// Grows the counters.
  @inlinable
  public mutating func reserve(slots: Int) { counts.reserve(slots: slots) }

  /// The limit of S.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("small_limit", Double(smallLimit))
  }
}

// MARK: - Steps

extension LearnedQueueRules {
  @inlinable @inline(__always)
  var mainLimit: Int { capacity - smallLimit }

  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    self.capacity = capacity
    smallLimit = max(1, smallShare.floor(of: capacity))
    ghostLimit = capacity - smallLimit
    historyLimit = historyShare.floor(of: capacity)
  }

  /// Moves the border between S and M if the ghosts of one are requested more than twice as often.
  @inlinable
  mutating func adapt<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) {
    if lists.isEmpty(.mainGhosts) {
      (smallGhostHits, mainGhostHits) = (0, 0)
      return
    }
    if smallGhostHits + mainGhostHits <= 100 { return }
    let step = max(1, min(smallLimit, mainLimit) / 1000)
    if smallGhostHits > 2 * mainGhostHits {
      if mainLimit > capacity / 100 { move(by: min(step, mainLimit)) }
    } else if mainGhostHits > 2 * smallGhostHits {
      if smallLimit > capacity / 100 { move(by: -min(step, smallLimit)) }
    }
    smallGhostHits = smallGhostHits * 4 / 5
    mainGhostHits = mainGhostHits * 4 / 5
  }

  @inlinable
  mutating func move(by step: Int) {
    smallLimit += step
    ghostLimit += step
  }

  /// Lets the hand pass over M to an object with counter 0.
  @inlinable @inline(__always)
  mutating func passHand<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while let oldest = lists.passPinned(of: .main, host: host), counts[oldest] > 0 {
      counts[oldest] &-= 1
      lists.moveToFront(oldest, of: .main)
    }
  }

  /// Evicts an object of M, which becomes a ghost, if the host lets it go.
  @inlinable @inline(__always)
  mutating func evictFromMain<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    passHand(lists: &lists, host: host)
    lists.evictBack(of: .main, to: .mainGhosts, host: &host)
    boundMainGhosts(lists: &lists, host: &host)
  }

  @inlinable @inline(__always)
  func boundMainGhosts<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .mainGhosts) > historyLimit {
      lists.forgetBack(of: .mainGhosts, host: &host)
    }
  }

  @inlinable @inline(__always)
  func boundSmallGhosts<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .newSmallGhosts) > historyLimit {
      lists.moveBack(of: .newSmallGhosts, toFrontOf: .oldSmallGhosts, host: host)
    }
    while lists.size(of: .newSmallGhosts) + lists.size(of: .oldSmallGhosts) > ghostLimit {
      let ghosts: ListID = lists.isEmpty(.oldSmallGhosts) ? .newSmallGhosts : .oldSmallGhosts
      lists.forgetBack(of: ghosts, host: &host)
    }
  }
}

extension ListID {
  /// The small queue that newcomers enter.
  @inlinable @inline(__always)
  static var small: ListID { ListID(1) }
  /// The main queue.
  @inlinable @inline(__always)
  static var main: ListID { ListID(2) }
  /// The newest ghosts of the small queue.
  @inlinable @inline(__always)
  static var newSmallGhosts: ListID { ListID(3) }
  /// The other ghosts of the small queue.
  @inlinable @inline(__always)
  static var oldSmallGhosts: ListID { ListID(4) }
  /// The ghosts of the main queue.
  @inlinable @inline(__always)
  static var mainGhosts: ListID { ListID(5) }
}

import Parameters

/// SR-LRU: LRU behind a small part of the cache where newcomers are, whose size follows its ghosts.
public typealias SRLRU = ListedPolicy<ScanResistantRules, SlotLists<UInt8>>

/// The rules of ``SRLRU``: R, SR and the ghosts.
public struct ScanResistantRules: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "sr-lru",
    summary: "scan-resistant LRU: newcomers in a part of their own, of a learned size",
    paper: "L. V. Rodriguez et al., “Learning cache replacement with CACHEUS”, FAST 2021 (SR-LRU, "
      + "one of its two experts).",
    idea: "Newcomers get a small part of the cache, SR, where a scan does no harm, and the reused "
      + "the rest, R. Requests for new objects that left SR say that it was too small, hits of "
      + "objects that R had demoted that R was.",
    hit: "In R: to its most recent end. In SR: a demoted object raises R's limit by max(1, new "
      + "ghosts/demoted objects), rounded; then it moves to the most recent end of R, for which R "
      + "demotes its least recent to the most recent end of SR.",
    miss: "A new ghost raises SR's limit by max(1, demoted objects/new ghosts), rounded; any ghost "
      + "returns to R. Anything else enters R while that fills and SR is empty, then SR while that "
      + "fills; from then on it enters SR and is new. After a ghost's or a new object's entry, R "
      + "demotes until it is below its limit.",
    eviction: "The least recent of SR, or of R if SR is empty.",
    ghosts: "What left, at most C, the oldest forgotten first.",
    complexity: "O(1) per request, amortised.",
    differences: "As the authors' code of Cacheus (sylab/cacheus, commit 08e7d99) would do it if "
      + "LFU never had its way; its history holds C/2 (ghosts=0.5), SR_LRU's of libCacheSim C "
      + "(commit 000aab0), which starts SR and R at C/2 each and evicts while SR is over its "
      + "limit though the cache has room. With sizes, steps are multiplied by the object's size.",
    parameters: [
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(1)),
        help: "ghosts remembered, as a multiple of the capacity")
    ],
    bytesPerSlot: 10, miniatureError: 0)

  /// Indexed by slot: new, demoted, or both.
  @usableFromInline var marks: SlotArray<UInt8>
  @usableFromInline var capacity: Int
  /// The size units that SR is to have; R has the rest.
  @usableFromInline var srLimit: Int
  /// Size units of the demoted objects in SR.
  @usableFromInline var demoted = 0
  /// Size units of the new ghosts.
  @usableFromInline var newGhosts = 0
  @usableFromInline var ghostLimit: Int
  @usableFromInline let ghostShare: Fraction

  @inlinable static var new: UInt8 { 1 }
  @inlinable static var demoted: UInt8 { 2 }

  /// Creates an empty cache's policy, with 1 % for SR.
  public init(_ configuration: PolicyConfiguration) {
    marks = SlotArray(repeating: 0, slots: configuration.slots)
    capacity = configuration.capacity
    srLimit = max(1, (capacity + 50) / 100)
    ghostShare = configuration.arguments.fraction("ghosts")
    ghostLimit = ghostShare.floor(of: capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    marks.visitState(&state)
    state.visit(&capacity)
    state.visit(&srLimit)
    state.visit(&demoted)
    state.visit(&newGhosts)
    state.visit(&ghostLimit)
  }

  /// R, SR and the ghosts.
  @inlinable @inline(__always)
  public var listCount: Int { 3 }

  /// R and SR are resident.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool {
    list == .reused || list == .scanResistant
  }

  /// Prefetches the slot's marks.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { marks.prefetch(slot) }

  /// Moves the object to the most recent end of R, and R's border if R had demoted the object.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let slot = request.slot
    if lists.owner(of: slot) == .reused {
      lists.moveToFront(slot, of: .reused)
      return
    }
    let size = host.size(of: slot)
    if marks[slot] & Self.demoted != 0 {
      srLimit = max(1, srLimit - Cacheus.step(newGhosts, over: demoted, size: request.size))
      forgetDemotion(of: slot, size: size)
    }
    lists.remove(slot, from: .scanResistant, size: size)
    while lists.size(of: .reused) + size > rLimit && !lists.isEmpty(.reused) {
      demote(lists: &lists, host: host)
    }
    lists.prepend(slot, to: .reused, size: size)
  }

  /// Lets a ghost into R and anything else into SR, or whatever part is not full yet.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let wasGhost = lists.owner(of: slot) == .srGhosts
    if wasGhost { learn(from: request, lists: &lists, host: host) }
    let fillsR =
      lists.isEmpty(.scanResistant) && lists.size(of: .reused) + request.size <= rLimit
    let fillsSR =
      host.hasRoom(for: request) && lists.size(of: .scanResistant) + request.size <= srLimit
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    marks[slot] = 0
    if wasGhost {
      demoteBelowLimit(for: request.size, lists: &lists, host: host)
      if request.size < rLimit {
        lists.prepend(slot, to: .reused, size: request.size)
      } else {
        lists.prepend(slot, to: .scanResistant, size: request.size)
        marks[slot] = Self.demoted
        demoted += request.size
      }
    } else {
      lists.prepend(slot, to: fillsR ? .reused : .scanResistant, size: request.size)
      if !fillsR && !fillsSR {
        marks[slot] = Self.new
        demoteBelowLimit(for: 0, lists: &lists, host: host)
      }
    }
    return true
  }

  /// Evicts the least recent of SR, or of R.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let list: ListID = lists.lacksVictim(.scanResistant, host: host) ? .reused : .scanResistant
    guard let victim = lists.unpinnedBack(of: list, host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    lists.evictBack(of: list, to: .srGhosts, host: &host)
    if host.hasRefused { return }
    let size = host.size(of: victim)
    forgetDemotion(of: victim, size: size)
    newGhosts &+= marks[victim] & Self.new != 0 ? size : 0
    boundGhosts(lists: &lists, host: &host)
  }

  /// Takes the slot out of the sums.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    forgetDemotion(of: slot, size: size)
    newGhosts &-= list == .srGhosts && marks[slot] & Self.new != 0 ? size : 0
  }

  /// Empties the sums; SR's limit stays.
  @inlinable
  public mutating func removeAll() {
    marks.removeAll()
    demoted = 0
    newGhosts = 0
  }

  /// Corrects the sum of demoted objects.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if marks[slot] & Self.demoted != 0 { demoted += difference }
  }

  /// Bounds SR's limit and the ghosts by the new capacity; R demotes what is beyond its limit.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    self.capacity = capacity
    srLimit = min(srLimit, max(1, capacity - 1))
    ghostLimit = ghostShare.floor(of: capacity)
    while lists.size(of: .reused) > rLimit { demote(lists: &lists, host: host) }
    boundGhosts(lists: &lists, host: &host)
  }

  /// Grows the marks.
  @inlinable
  public mutating func reserve(slots: Int) { marks.reserve(slots: slots) }

  /// Shows the size that the scan-resistant list may have.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("sr_size", Double(srLimit))
  }
}

// MARK: - Steps

extension ScanResistantRules {
  @inlinable @inline(__always)
  var rLimit: Int { capacity - srLimit }

  /// Takes the newcomer out of the ghosts; if it was new, SR was too small.
  @inlinable
  mutating func learn<Lists: RecencyLists & ~Copyable>(
    from request: Request, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    let size = host.size(of: request.slot)
    lists.remove(request.slot, from: .srGhosts, size: size)
    if marks[request.slot] & Self.new == 0 { return }
    newGhosts &-= size
    let step = Cacheus.step(demoted, over: newGhosts, size: request.size)
    srLimit = min(srLimit + step, max(1, capacity - 1))
  }

  /// Moves the least recent of R to the most recent end of SR.
  @inlinable @inline(__always)
  mutating func demote<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    guard let slot = lists.back(of: .reused) else { preconditionFailure("R is empty") }
    lists.moveBack(of: .reused, toFrontOf: .scanResistant, host: host)
    marks[slot] |= Self.demoted
    demoted &+= host.size(of: slot)
  }

  @inlinable @inline(__always)
  mutating func demoteBelowLimit<Lists: RecencyLists & ~Copyable>(
    for size: Int, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while lists.size(of: .reused) + size >= rLimit && !lists.isEmpty(.reused) {
      demote(lists: &lists, host: host)
    }
  }

  @inlinable @inline(__always)
  mutating func forgetDemotion(of slot: Slot, size: Int) {
    // Without a branch, as marks come in no order.
    demoted &-= marks[slot] & Self.demoted != 0 ? size : 0
    marks[slot] &= ~Self.demoted
  }

  @inlinable @inline(__always)
  mutating func boundGhosts<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .srGhosts) > ghostLimit, let oldest = lists.back(of: .srGhosts) {
      remove(oldest, from: .srGhosts, size: host.size(of: oldest))
      lists.forgetBack(of: .srGhosts, host: &host)
    }
  }
}

extension ListID {
  /// R: objects requested more than once.
  @inlinable @inline(__always)
  static var reused: ListID { ListID(1) }
  /// SR: newcomers, and what R demoted.
  @inlinable @inline(__always)
  static var scanResistant: ListID { ListID(2) }
  /// The objects that left.
  @inlinable @inline(__always)
  static var srGhosts: ListID { ListID(3) }
}

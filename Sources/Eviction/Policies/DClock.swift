import Parameters

/// Double CLOCK: an active and an inactive list, and the distance at which evicted objects come back.
public typealias DClock = ListedPolicy<DClockRules, SlotLists<UInt8>>

/// The rules of ``DClock``: active, inactive and the shadows of what was evicted.
public struct DClockRules: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "d-clock",
    summary: "Linux's active and inactive lists: what comes back soon enough is active at once",
    paper: "J. Weiner, mm/workingset.c in Linux, commit ac3a0c8 (2020), as DClockPolicy.java of "
      + "Caffeine's simulator, commit 0499355, has it.",
    idea: "A newcomer has to be requested again while it passes through the inactive list, or a "
      + "scan would push out the working set. An object that needs a little longer would never get "
      + "there. So evicted ones leave a shadow: if one comes back after no more evictions and "
      + "activations than the active list has objects, it would have been kept had the inactive "
      + "list been as much longer, and it is active at once.",
    hit: "In active: the object moves to the most recent end. In inactive: while active with it is "
      + "over its limit, the least recent of active moves to the most recent end of inactive; the "
      + "object moves to the most recent end of active, and counts as an activation.",
    miss: "A shadow is activated as on a hit in inactive if the evictions and activations since it "
      + "was left are at most as many as the objects in active. Room is made. Anything else enters "
      + "the most recent end of inactive.",
    eviction:
      "The least recent of inactive, or of active if inactive is empty. It leaves a shadow with "
      + "the count of evictions and activations, its own among them.",
    ghosts: "Shadows, at most as many as active may hold, the oldest forgotten first.",
    complexity: "O(1) per request, demotions amortised.",
    differences:
      "As the simulator with demoted=newest, to the last hit, as long as active has a limit of one "
      + "object at least and below the capacity. Its text says that the oldest of active is demoted, "
      + "as in Linux, but it demotes the newest. Linux's lists are CLOCKs, which see a page's bit "
      + "when they examine it, and their ratio follows the memory: half is active up to 1 GB. "
      + "Decided here: a removed object leaves no shadow, and counts as no eviction; with sizes, all "
      + "of this counts bytes, and an object larger than the limit of active stays in inactive; the "
      + "victim where inactive is empty; a smaller capacity demotes what is beyond the limit.",
    parameters: [
      Parameter(
        "active", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 2)),
        help: "the limit of active, as a share of the capacity"),
      Parameter(
        "demoted", .choice(["oldest", "newest"]), default: .text("oldest"),
        help: "the object that leaves active for inactive: the oldest, as in Linux, or the newest"),
    ],
    bytesPerSlot: 17)

  /// Indexed by slot: the clock when the object was evicted.
  @usableFromInline var evictedAt: SlotArray<Int>
  /// Size units evicted and activated so far.
  @usableFromInline var clock = 0
  @usableFromInline let activeShare: Fraction
  @usableFromInline let demotesNewest: Bool
  @usableFromInline var activeLimit: Int

  /// Creates an empty cache's rules.
  public init(_ configuration: PolicyConfiguration) {
    evictedAt = SlotArray(repeating: 0, slots: configuration.slots)
    activeShare = configuration.arguments.fraction("active")
    demotesNewest = configuration.arguments.text("demoted") == "newest"
    activeLimit = activeShare.floor(of: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    evictedAt.visitState(&state)
    state.visit(&clock)
    state.visit(&activeLimit)
  }

  /// Active, inactive and the shadows.
  @inlinable @inline(__always)
  public var listCount: Int { 3 }

  /// Active and inactive are resident.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list == .active || list == .inactive }

  /// Renews an active object; an inactive one becomes active.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if lists.owner(of: request.slot) == .active {
      lists.moveToFront(request.slot, of: .active)
      return
    }
    let size = host.size(of: request.slot)
    if size > activeLimit {
      lists.moveToFront(request.slot, of: .inactive)
      return
    }
    clock &+= size
    demote(for: size, lists: &lists, host: host)
    lists.move(request.slot, from: .inactive, toFrontOf: .active, size: size)
  }

  /// Activates a shadow that comes back soon enough, and enters anything else into inactive.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let isActivated =
      lists.owner(of: slot) == .shadows && request.size <= activeLimit
      && clock &- evictedAt[slot] <= lists.size(of: .active)
    // The victims' shadows count it.
    if isActivated { clock &+= request.size }
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      if isActivated { clock &-= request.size }
      boundShadows(lists: &lists, host: &host)
      return refuse(request, lists: lists, host: &host)
    }
    if lists.owner(of: slot) == .shadows {
      lists.remove(slot, from: .shadows, size: host.size(of: slot))
    }
    if isActivated { demote(for: request.size, lists: &lists, host: host) }
    lists.prepend(slot, to: isActivated ? .active : .inactive, size: request.size)
    boundShadows(lists: &lists, host: &host)
    return true
  }

  /// Evicts the least recent of inactive, or of active, and leaves a shadow.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let list: ListID = lists.lacksVictim(.inactive, host: host) ? .active : .inactive
    guard let victim = lists.unpinnedBack(of: list, host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    lists.evictBack(of: list, to: .shadows, host: &host)
    if host.hasRefused { return }
    clock &+= host.size(of: victim)
    evictedAt[victim] = clock
    if request == nil { boundShadows(lists: &lists, host: &host) }
  }

  /// Demotes what is beyond the limit, and forgets the shadows that are too many.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    activeLimit = activeShare.floor(of: capacity)
    demote(for: 0, lists: &lists, host: host)
    boundShadows(lists: &lists, host: &host)
  }

  /// Grows the array.
  @inlinable
  public mutating func reserve(slots: Int) { evictedAt.reserve(slots: slots) }

  /// Prefetches when the slot was evicted.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evictedAt.prefetch(slot) }

  /// Moves objects of active to the front of inactive until `size` more fits.
  @inlinable @inline(__always)
  func demote<Lists: RecencyLists & ~Copyable>(
    for size: Int, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while lists.size(of: .active) &+ size > activeLimit {
      let candidate = demotesNewest ? lists.front(of: .active) : lists.back(of: .active)
      guard let slot = candidate else { return }
      lists.move(slot, from: .active, toFrontOf: .inactive, size: host.size(of: slot))
    }
  }

  /// Forgets the oldest shadows beyond the limit.
  @inlinable @inline(__always)
  func boundShadows<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .shadows) > activeLimit && !lists.isEmpty(.shadows) {
      lists.forgetBack(of: .shadows, host: &host)
    }
  }
}

extension ListID {
  /// D-Clock's list of what was requested again.
  @inlinable @inline(__always)
  static var active: ListID { ListID(1) }
  /// D-Clock's list that newcomers enter, and which evicts.
  @inlinable @inline(__always)
  static var inactive: ListID { ListID(2) }
  /// The shadows of what D-Clock evicted, the newest at the front.
  @inlinable @inline(__always)
  static var shadows: ListID { ListID(3) }
}

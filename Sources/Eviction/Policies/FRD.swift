import Parameters

/// FRD: newcomers pass through a small LRU, and enter the main one if they come back soon after they left it.
public struct FRD: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "frd", summary: "a small LRU before a main one, joined by what comes back soon enough",
    paper: "S. Park and C. Park, “FRD: a filtering based buffer cache algorithm that considers "
      + "both frequency and reuse distance”, MSST 2017.",
    idea: "Most objects are requested once, or again at once; a small LRU, the filter, is enough "
      + "for both. An object that comes back after it left the filter has a long reuse distance. "
      + "Stack S tells whether that is shorter than the longest in the main LRU: it holds the main "
      + "objects, and the histories of others, in the order of their latest requests, down to the "
      + "least recent main object.",
    hit: "In the main LRU: the object moves to the top of S, and S is pruned. In the filter: it "
      + "moves to the most recent end of the filter, and its history to the top of S, also if S had "
      + "none.",
    miss: "While the main objects have room (M), the object enters the main LRU at the top of S. "
      + "Otherwise an object whose history is in S enters there in the place of the least recent "
      + "main ones; any other enters the filter's most recent end, and its history the top of S if "
      + "room had to be made. M = ⌊0.9 C⌋, at least 1 and, above C = 1, at most C − 1. With climb M "
      + "moves, and in a full cache only what has a history enters the main LRU.",
    eviction: "For an object with a history: the least recent main object, which is not "
      + "remembered, as long as the newcomer does not fit M. For any other, as long as the main objects "
      + "are more than M, as climb may leave them: the same. Else the least recent of the filter; "
      + "if it is empty, the least recent main object. Pruning removes histories from the bottom "
      + "of S until a main object is there.",
    ghosts: "A victim of the filter is remembered as long as S has its history: unbounded, unless "
      + "ghosts is given; then the oldest-evicted is forgotten first, after the newcomer has "
      + "entered.",
    complexity: "O(1) per request, pruning amortised.",
    differences: "As Caffeine's simulator (commit 0499355), where an object that enters the filter "
      + "before the cache is full has no history either, an object is admitted even if the last "
      + "eviction for it prunes its own history, and histories are unbounded. There M may be 0 or C, "
      + "and ends the run. What that cannot meet is decided here: if a removal left room, main "
      + "objects beyond M become the most recent of the filter, without a history, as after a "
      + "smaller capacity; with climb they stay until they are evicted. With sizes, M counts bytes, evictions and demotions are repeated, "
      + "and an object larger than M enters the filter even with a history. climb=simple is the simulator's "
      + "irr.HillClimberFrd, climb=indicator its irr.IndicatorFrd (both commit 0263e98): the filter's room "
      + "C − M moves by ⌊0.05 C⌋ after each sample of 10 C requests, first down, and turns when the hit ratio "
      + "falls; or it becomes after each period what the indicator says (see wtinylfu, climber=indicator) × C. "
      + "It is at least 1, and less than C. The simulator counts all residents where it asks whether there is room "
      + "in the main LRU before the cache is full. A new capacity starts the climb over.",
    parameters: [
      Parameter(
        "main", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(9, 10)),
        help: "M, the room of the main objects, as a share of the capacity"),
      Parameter(
        "climb", .choice(FRD.Climb.allCases.map(\.rawValue)), default: .text("off"),
        help: "what M, which begins with main, follows"),
      Parameter(
        "period", .integer(in: 1...1_000_000_000), default: .integer(50_000),
        help: "requests after which climb=indicator sets M"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "non-resident objects remembered, as a multiple of the capacity; unbounded in "
          + "simulation, 2 in a cache"),
    ],
    bytesPerSlot: 17,
    // Miniatures have periods of as many requests.
    holdsInMiniature: { $0.text("climb") != "indicator" })

  @usableFromInline
  enum State: UInt8, BitwiseCopyable {
    case unknown
    /// Resident, in S.
    case main
    /// Resident, in the filter, with a history in S.
    case filterInStack
    /// Resident, in the filter.
    case filter
    /// Not resident, in S and in the list of ghosts.
    case ghost
  }

  /// Stack S, the filter as the queue, and, if they are bounded, the ghosts in the order of their evictions. A ghost
  /// is not in the filter, and so has the links for it.
  @usableFromInline var links: SlotLinkPairs
  @usableFromInline var states: SlotArray<State>
  @usableFromInline let mainShare: Fraction
  @usableFromInline let ghostShare: Fraction?
  /// True if the order of the ghosts' evictions matters; if not, they are not linked by it.
  @usableFromInline let boundsGhosts: Bool
  /// M.
  @usableFromInline var mainLimit = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var mainSize = 0
  @usableFromInline var ghostSize = 0
  let climb: Climb
  /// True if M moves, and the main objects may be more for a while.
  @usableFromInline let climbs: Bool
  @usableFromInline var capacity: Int
  let period: Int
  var climber = SteadyClimber()
  /// Of `climb=indicator`.
  var indicator: RecencyIndicator?
  /// The object being inserted, if it had a history and fits M.
  @usableFromInline var promoted: Slot = .max

  /// `keyHash`: what the indicator counts.
  @inlinable
  public static var needs: RequestNeeds { .keyHash }

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for `period` without `climb=indicator`.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    let form = Climb(rawValue: arguments.text("climb")) ?? .off
    if arguments.given["period"] != nil && form != .indicator {
      throw .conflict(policy: "frd", explanation: "period needs climb=indicator")
    }
    climb = form
    climbs = form != .off
    capacity = configuration.capacity
    period = arguments.integer("period")
    links = SlotLinkPairs(count: 2, slots: configuration.slots)
    states = SlotArray(repeating: .unknown, slots: configuration.slots)
    mainShare = arguments.fraction("main")
    ghostShare = arguments.ghosts ?? configuration.historyBound
    boundsGhosts = ghostShare != nil
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    links.visitState(&state)
    states.visitState(&state)
    state.visit(&mainLimit)
    state.visit(&ghostLimit)
    state.visit(&mainSize)
    state.visit(&ghostSize)
    state.visit(&promoted)
    state.visit(&capacity)
    if climbs {
      state.visit(&climber)
      indicator?.visitState(&state)
    }
  }

  /// Returns true if the object in `slot` is resident, in the main LRU or in the filter.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    states[slot].rawValue &- 1 < State.ghost.rawValue &- 1
  }

  /// Prefetches the slot's state and links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    states.prefetch(slot)
    links.prefetch(slot)
  }

  /// The object goes to the top of S; one of the filter also to the most recent end of that.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if climbs { adapt(hash: request.keyHash, isHit: true) }
    switch states[slot] {
    case .main:
      links.moveToFront(slot, of: .stack)
    case .filterInStack:
      links.moveToFront(slot, of: .stack)
      links.moveToFront(slot, of: .queue)
    default:
      links.prepend(slot, to: .stack)
      links.moveToFront(slot, of: .queue)
      states[slot] = .filterInStack
    }
    prune(host: &host)
  }

  /// Enters an object into the main LRU while that has room, or if S knows it; else into the filter.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    if climbs { adapt(hash: request.keyHash, isHit: false) }
    let isPromoted = states[slot] == .ghost && request.size <= mainLimit
    let isFull = !host.hasRoom(for: request)
    let entersMain =
      isPromoted || mainSize + request.size <= mainLimit && !(climbs && isFull)
    if isPromoted { promoted = slot }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    promoted = .max
    if states[slot] == .ghost { unlinkGhost(slot, host: host) }
    if entersMain {
      links.prepend(slot, to: .stack)
      states[slot] = .main
      mainSize &+= request.size
      boundMain(host: &host)
    } else {
      links.prepend(slot, to: .queue)
      if isFull { links.prepend(slot, to: .stack) }
      states[slot] = isFull ? .filterInStack : .filter
    }
    prune(host: &host)
    boundGhosts(host: &host)
    return true
  }

  /// Evicts the least recent of the filter, or a main object for another one.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let isOver: Bool
    if let request, request.slot == promoted {
      isOver = mainSize + request.size > mainLimit
    } else {
      isOver = climbs && mainSize > mainLimit
    }
    if isOver, let victim = unpinnedMain(host: host) {
      evictMain(victim, for: request, host: &host)
    } else if let victim = links.unpinnedBack(of: .queue, host: host) {
      evictFiltered(victim, host: &host)
    } else if let victim = unpinnedMain(host: host) {
      evictMain(victim, for: request, host: &host)
    } else {
      preconditionFailure("there is nothing to evict")
    }
    if request == nil { boundGhosts(host: &host) }
  }

  /// Unlinks the slot, and prunes S.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    switch states[slot] {
    case .unknown: return
    case .main:
      links.remove(slot, from: .stack)
      mainSize -= host.size(of: slot)
    case .filterInStack:
      links.remove(slot, from: .stack)
      links.remove(slot, from: .queue)
    case .filter: links.remove(slot, from: .queue)
    case .ghost: unlinkGhost(slot, host: host)
    }
    states[slot] = .unknown
    host.didForget(slot)
    prune(host: &host)
  }

  /// Empties S and the filter.
  @inlinable
  public mutating func removeAll() {
    links.removeAll()
    states.removeAll()
    mainSize = 0
    ghostSize = 0
  }

  /// Demotes the main objects that no longer fit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    if capacity != self.capacity { setLimits(for: capacity) }
    boundMain(host: &host)
    boundGhosts(host: &host)
  }

  /// Counts a main object with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if states[slot] == .main { mainSize += difference }
  }

  /// M, which moves with `climb`.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("main", Double(mainLimit))
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    links.reserve(slots: slots)
    states.reserve(slots: slots)
  }
}

// MARK: - Steps

extension FRD {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    self.capacity = capacity
    climber = SteadyClimber()
    if climb == .indicator { indicator = RecencyIndicator(period: period) }
    mainLimit = max(1, min(mainShare.floor(of: capacity), capacity - 1))
    ghostLimit = ghostShare?.floor(of: capacity) ?? .max
  }

  /// The least recent main object that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  func unpinnedMain(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var candidate = links.back(of: .stack)
    while let slot = candidate, states[slot] != .main || host.isPinned(slot) {
      candidate = links.newer(than: slot, in: .stack)
    }
    return candidate
  }

  /// A main object leaves, and is not remembered.
  @inlinable
  mutating func evictMain(
    _ victim: Slot, for request: Request?, host: inout some SlotHost & ~Copyable
  ) {
    if !host.mayEvict(victim) { return }
    links.remove(victim, from: .stack)
    states[victim] = .unknown
    mainSize -= host.size(of: victim)
    host.didEvictAndForget(victim)
    prune(newcomer: request?.slot ?? .max, host: &host)
  }

  /// An object of the filter leaves, and is remembered as long as S has its history.
  @inlinable @inline(__always)
  mutating func evictFiltered(_ victim: Slot, host: inout some SlotHost & ~Copyable) {
    if !host.mayEvict(victim) { return }
    links.remove(victim, from: .queue)
    if states[victim] == .filterInStack {
      if boundsGhosts { links.prepend(victim, to: .ghosts) }
      states[victim] = .ghost
      ghostSize &+= host.size(of: victim)
      host.didEvict(victim)
    } else {
      states[victim] = .unknown
      host.didEvictAndForget(victim)
    }
  }

  /// Makes the least recent main objects the most recent of the filter until the others fit M.
  @inlinable @inline(__always)
  mutating func boundMain(host: inout some SlotHost & ~Copyable) {
    if climbs { return }
    while mainSize > mainLimit, let bottom = links.back(of: .stack) {
      assert(states[bottom] == .main, "the bottom of S is a main object")
      links.remove(bottom, from: .stack)
      links.prepend(bottom, to: .queue)
      states[bottom] = .filter
      mainSize &-= host.size(of: bottom)
      prune(host: &host)
    }
  }

  /// Removes histories from the bottom of S until a main object is there. What is no longer in S and not resident is
  /// forgotten; of a newcomer, the host is not told.
  @inlinable @inline(__always)
  mutating func prune(newcomer: Slot = .max, host: inout some SlotHost & ~Copyable) {
    while let bottom = links.back(of: .stack), states[bottom] != .main {
      if states[bottom] == .ghost {
        unlinkGhost(bottom, host: host)
        states[bottom] = .unknown
        if bottom != newcomer { host.didForget(bottom) }
      } else {
        links.remove(bottom, from: .stack)
        states[bottom] = .filter
      }
    }
  }

  @inlinable @inline(__always)
  mutating func unlinkGhost(_ slot: Slot, host: borrowing some SlotHost & ~Copyable) {
    links.remove(slot, from: .stack)
    if boundsGhosts { links.remove(slot, from: .ghosts) }
    ghostSize &-= host.size(of: slot)
  }

  /// Forgets the oldest-evicted ghosts beyond the limit.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while ghostSize > ghostLimit, let oldest = links.back(of: .ghosts) {
      unlinkGhost(oldest, host: host)
      states[oldest] = .unknown
      host.didForget(oldest)
    }
  }

  /// Refuses the newcomer; a ghost stays one as long as S has its history and the ghosts fit.
  @inlinable
  mutating func refuse(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    promoted = .max
    if states[request.slot] == .unknown { host.didForget(request.slot) }
    boundGhosts(host: &host)
    return false
  }
}

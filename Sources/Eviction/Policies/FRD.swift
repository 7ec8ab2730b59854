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

  /// Stack S with the main objects, whose sizes are at most M, and the filter.
  @usableFromInline var objects: ReuseStack
  @usableFromInline let mainShare: Fraction
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
    objects = ReuseStack(configuration)
    mainShare = arguments.fraction("main")
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    objects.visitState(&state)
    state.visit(&promoted)
    state.visit(&capacity)
    if climbs {
      state.visit(&climber)
      indicator?.visitState(&state)
    }
  }

  /// Returns true if the object in `slot` is resident, in the main LRU or in the filter.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { objects.contains(slot) }

  /// Prefetches the slot's state and links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { objects.prefetch(slot) }

  /// The object goes to the top of S; one of the filter also to the most recent end of that.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if climbs { adapt(hash: request.keyHash, isHit: true) }
    switch objects.states[slot] {
    case .main:
      objects.links.moveToFront(slot, of: .stack)
    case .queuedInStack:
      objects.links.moveToFront(slot, of: .stack)
      objects.links.moveToFront(slot, of: .queue)
    default:
      objects.links.prepend(slot, to: .stack)
      objects.links.moveToFront(slot, of: .queue)
      objects.states[slot] = .queuedInStack
    }
    objects.prune(host: &host)
  }

  /// Enters an object into the main LRU while that has room, or if S knows it; else into the filter.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    if climbs { adapt(hash: request.keyHash, isHit: false) }
    let isPromoted = objects.states[slot] == .ghost && request.size <= objects.mainLimit
    let isFull = !host.hasRoom(for: request)
    let entersMain =
      isPromoted
      || objects.mainSize + request.size <= objects.mainLimit && !(climbs && isFull)
    if isPromoted { promoted = slot }
    let hasRoom = makeRoom(for: request, host: &host)
    promoted = .max
    if !hasRoom { return objects.refuse(request, host: &host) }
    if objects.states[slot] == .ghost { objects.unlinkGhost(slot, host: host) }
    if entersMain {
      objects.links.prepend(slot, to: .stack)
      objects.states[slot] = .main
      objects.mainSize &+= request.size
      if !climbs { objects.boundMain(host: &host) }
    } else {
      objects.links.prepend(slot, to: .queue)
      if isFull { objects.links.prepend(slot, to: .stack) }
      objects.states[slot] = isFull ? .queuedInStack : .queued
    }
    objects.prune(host: &host)
    objects.boundGhosts(host: &host)
    return true
  }

  /// Evicts the least recent of the filter, or a main object for another one.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let isOver: Bool
    if let request, request.slot == promoted {
      isOver = objects.mainSize + request.size > objects.mainLimit
    } else {
      isOver = climbs && objects.mainSize > objects.mainLimit
    }
    if isOver, let victim = objects.unpinnedMain(host: host) {
      objects.evictMain(victim, for: request, host: &host)
    } else if let victim = objects.links.unpinnedBack(of: .queue, host: host) {
      objects.evictQueued(victim, host: &host)
    } else if let victim = objects.unpinnedMain(host: host) {
      objects.evictMain(victim, for: request, host: &host)
    } else {
      preconditionFailure("there is nothing to evict")
    }
    if request == nil { objects.boundGhosts(host: &host) }
  }

  /// Unlinks the slot, and prunes S.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    objects.remove(slot, host: &host)
  }

  /// Empties S and the filter.
  @inlinable
  public mutating func removeAll() { objects.removeAll() }

  /// Demotes the main objects that no longer fit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    if capacity != self.capacity { setLimits(for: capacity) }
    if !climbs { objects.boundMain(host: &host) }
    objects.boundGhosts(host: &host)
  }

  /// Counts a main object with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    objects.changeSize(of: slot, by: difference)
  }

  /// M, which moves with `climb`.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("main", Double(objects.mainLimit))
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { objects.reserve(slots: slots) }

  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    self.capacity = capacity
    climber = SteadyClimber()
    if climb == .indicator { indicator = RecencyIndicator(period: period) }
    objects.setLimits(
      main: max(1, min(mainShare.floor(of: capacity), capacity - 1)), capacity: capacity)
  }
}

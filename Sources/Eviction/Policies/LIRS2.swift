import Parameters

/// LIRS2: LIRS by the last two reuse distances of a block in place of the last one.
public struct LIRS2: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lirs2", summary: "LIRS by the last two reuse distances of a block, not by one",
    paper: "C. Zhong, X. Zhao and S. Jiang, “LIRS2: an improved LIRS replacement algorithm”, "
      + "SYSTOR 2021; their program, zhongch4g/LIRS2, commit 8932413.",
    idea: "LIRS believes a single short absence, which may be chance: a block that came back soon "
      + "once takes the place of a better one. LIRS2 takes the last two together. Stack S has two "
      + "places for each block, those of its last request and of the one before, and its bottom is "
      + "the older place of the LIR block whose two last absences were the longest together. A HIR "
      + "block with an older place above that has had shorter ones, and becomes LIR.",
    hit: "The block's older place moves to the top of S. A HIR block that had it in S from a "
      + "request becomes LIR, and the LIR block at the bottom of S the end of Q; any other HIR "
      + "block moves to the end of Q. Then S is pruned: a place of a HIR block leaves the bottom. "
      + "An immediate repeat of the same block changes nothing.",
    miss: "Room is made. A ghost is treated as on a hit. A new block takes two places on top of S, "
      + "the older without a request, and enters the end of Q; it is LIR while fewer than Llirs "
      + "LIR blocks exist. Lhirs = max(4, ⌊C/100⌋), Llirs = C − Lhirs. While S has more than 8 C "
      + "places, the lowest of a HIR block leaves it.",
    eviction: "The front of Q; if Q is empty, the LIR block at the bottom of S.",
    ghosts: "A victim stays known, with its places in S: unbounded, unless ghosts is given; then "
      + "the oldest-evicted is forgotten first, after the newcomer has left the ghosts.",
    complexity: "O(1) per request, pruning amortised; O(C) where a block became HIR and S is full.",
    differences:
      "As the authors' program, to the last hit, from 5 objects on and where nothing is removed; "
      + "that finds the bottom by walking a list that keeps every place. Caffeine's simulator (commit "
      + "067f92d) rounds Lhirs = C/100 up (hirs=1 has the same minimum) and bounds the ghosts "
      + "(ghosts=n). Decided here: a removed block leaves Q and S, which is pruned; LIR blocks that "
      + "lack after removals are replaced by what misses next, a ghost too, which takes a second place "
      + "under its new one if it has none; a smaller capacity demotes the LIR blocks at the bottom. "
      + "Where objects have sizes, Lhirs is ⌊C/100⌋ bytes without a minimum, a place counts as large "
      + "as its object, and demotions are repeated until the LIR blocks fit. Removing the last "
      + "requested block ends its repeats, and so does a refused newcomer.",
    parameters: [
      Parameter(
        "hirs", .integer(in: 1...4), default: .integer(4),
        help: "the least number of resident HIR blocks, where every object counts one"),
      Parameter(
        "stack", .integer(in: 2...1_000), default: .integer(8),
        help: "the places in S, as a multiple of the capacity"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "non-resident blocks remembered, as a multiple of the capacity; unbounded in "
          + "simulation, 2 in a cache"),
    ],
    minimumCapacity: 5, bytesPerSlot: 28)

  /// S. A block has two places, 2 × slot and the next.
  @usableFromInline var stack: SlotLists<UInt8>
  /// The LIR blocks, Q and the ghosts.
  @usableFromInline var blocks: SlotLists<UInt8>
  /// Indexed by slot: which place is the older, and whether it is without a request.
  @usableFromInline var marks: SlotArray<UInt8>
  @usableFromInline let isSized: Bool
  @usableFromInline let minimumHIR: Int
  @usableFromInline let stackMultiple: Int
  @usableFromInline let ghostShare: Fraction?
  /// Llirs.
  @usableFromInline var lirLimit = 0
  @usableFromInline var stackLimit = 0
  @usableFromInline var ghostLimit = 0
  /// The block of the latest request, which its immediate repeat does not count.
  @usableFromInline var last: Slot = .max
  /// A place of S below which all are of LIR blocks, where the search for the lowest of a HIR block begins; or no place.
  @usableFromInline var cursor: Slot = .max

  /// The second of a slot's places is the older.
  @inlinable static var isSecondOlder: UInt8 { 1 }
  /// The older place is without a request.
  @inlinable static var isNew: UInt8 { 2 }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    stack = SlotLists(count: 1, slots: 2 * configuration.slots)
    blocks = SlotLists(count: 3, slots: configuration.slots)
    marks = SlotArray(repeating: 0, slots: configuration.slots)
    isSized = configuration.isSized
    minimumHIR = arguments.integer("hirs")
    stackMultiple = arguments.integer("stack")
    ghostShare = arguments.ghosts ?? configuration.historyBound
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    stack.visitState(&state)
    blocks.visitState(&state)
    marks.visitState(&state)
    state.visit(&lirLimit)
    state.visit(&stackLimit)
    state.visit(&ghostLimit)
    state.visit(&last)
    state.visit(&cursor)
  }

  /// Returns true if the object in `slot` is resident: LIR, or in Q.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    let list = blocks.owner(of: slot)
    return list == .lir || list == .lirsQueue
  }

  /// Prefetches the slot's links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    blocks.prefetch(slot)
    stack.prefetch(2 &* slot)
    marks.prefetch(slot)
  }

  /// Takes the block's place to the top of S; a HIR block becomes LIR if it had both in S, else the end of Q.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if slot == last { return }
    last = slot
    let size = host.size(of: slot)
    let hadBoth = renew(slot, size: size)
    if blocks.owner(of: slot) != .lir {
      if hadBoth {
        blocks.move(slot, from: .lirsQueue, toFrontOf: .lir, size: size)
        demote(host: &host)
      } else {
        blocks.moveToFront(slot, of: .lirsQueue)
      }
    }
    prune(host: host)
    boundStack(host: host)
  }

  /// Enters a block as LIR while the LIR blocks have room, or if it had both places in S; else in Q.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let fillsLIR = blocks.size(of: .lir) + request.size <= lirLimit
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    var hadBoth = false
    if blocks.owner(of: slot) == .lirsGhosts {
      let size = host.size(of: slot)
      blocks.remove(slot, from: .lirsGhosts, size: size)
      changePlaces(of: slot, by: request.size - size)
      hadBoth = renew(slot, size: request.size)
    } else {
      marks[slot] = LIRS2.isNew
      stack.prepend(olderPlace(of: slot), to: .first, size: request.size)
      stack.prepend(latestPlace(of: slot), to: .first, size: request.size)
    }
    if fillsLIR || hadBoth {
      completePlaces(of: slot, size: request.size)
      blocks.prepend(slot, to: .lir, size: request.size)
      demote(newcomer: request, host: &host)
    } else {
      blocks.prepend(slot, to: .lirsQueue, size: request.size)
    }
    prune(newcomer: request, host: host)
    boundStack(newcomer: request, host: host)
    boundGhosts(host: &host)
    last = slot
    return true
  }

  /// Evicts the front of Q, or the bottom LIR block if Q is empty. It stays a ghost, with its places in S.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if blocks.lacksVictim(.lirsQueue, host: host) {
      evictBottom(host: &host)
    } else {
      blocks.evictBack(of: .lirsQueue, to: .lirsGhosts, host: &host)
    }
    if request == nil { boundGhosts(host: &host) }
  }

  /// Takes the slot out of Q and S, and prunes S.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if blocks.owner(of: slot) == .none { return }
    forget(slot, host: &host)
    if slot == last { last = .max }
    prune(host: host)
  }

  /// Empties S and Q.
  @inlinable
  public mutating func removeAll() {
    stack.removeAll()
    blocks.removeAll()
    last = .max
    cursor = .max
  }

  /// Demotes the LIR blocks that no longer fit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    demote(host: &host)
    boundStack(host: host)
    boundGhosts(host: &host)
  }

  /// Corrects the sums that the slot is part of.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    blocks.changeSize(of: slot, by: difference)
    changePlaces(of: slot, by: difference)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    stack.reserve(slots: 2 * slots)
    blocks.reserve(slots: slots)
    marks.reserve(slots: slots)
  }
}

extension ListID {
  /// The LIR blocks of LIRS2, in no order that matters.
  @inlinable @inline(__always)
  static var lir: ListID { ListID(1) }
  /// Q of LIRS2, whose end is its front here.
  @inlinable @inline(__always)
  static var lirsQueue: ListID { ListID(2) }
  /// The blocks of LIRS2 that are not resident, the newest evicted at the front.
  @inlinable @inline(__always)
  static var lirsGhosts: ListID { ListID(3) }
}

// MARK: - Places

extension LIRS2 {
  /// The place of the block's request before the last, if S has it.
  @inlinable @inline(__always)
  func olderPlace(of slot: Slot) -> Slot { 2 &* slot | Slot(marks[slot] & LIRS2.isSecondOlder) }

  /// The place of the block's last request, if S has it.
  @inlinable @inline(__always)
  func latestPlace(of slot: Slot) -> Slot { olderPlace(of: slot) ^ 1 }

  /// Moves the older place of a block to the top of S, where it is that of its last request.
  ///
  /// - Returns: True if S had it from a request.
  @inlinable @inline(__always)
  mutating func renew(_ slot: Slot, size: Int) -> Bool {
    let place = olderPlace(of: slot)
    let wasNew = marks[slot] & LIRS2.isNew != 0
    marks[slot] = (marks[slot] ^ LIRS2.isSecondOlder) & LIRS2.isSecondOlder
    if stack.owner(of: place) == .none {
      stack.prepend(place, to: .first, size: size)
      return false
    }
    passCursor(over: place)
    stack.moveToFront(place, of: .first)
    return !wasNew
  }

  /// Gives a block that is on top of S its older place if S has not, under the other.
  @inlinable @inline(__always)
  mutating func completePlaces(of slot: Slot, size: Int) {
    let place = olderPlace(of: slot)
    if stack.owner(of: place) != .none { return }
    marks[slot] |= LIRS2.isNew
    stack.prepend(place, to: .first, size: size)
    stack.moveToFront(place ^ 1, of: .first)
  }

  /// Counts the places of a block with its new size.
  @inlinable @inline(__always)
  mutating func changePlaces(of slot: Slot, by difference: Int) {
    if difference == 0 { return }
    for place in [2 &* slot, 2 &* slot | 1] where stack.owner(of: place) != .none {
      stack.changeSize(of: place, by: difference)
    }
  }

  /// Takes a place out of S.
  @inlinable @inline(__always)
  mutating func leave(_ place: Slot, size: Int) {
    passCursor(over: place)
    stack.remove(place, from: .first, size: size)
  }

  @inlinable @inline(__always)
  mutating func passCursor(over place: Slot) {
    if place == cursor { cursor = stack.newer(than: place) ?? .max }
  }

  /// The size of a block, which the host does not have of the newcomer.
  @inlinable @inline(__always)
  func size(
    of slot: Slot, _ newcomer: Request?, _ host: borrowing some SlotHost & ~Copyable
  ) -> Int {
    if let newcomer, newcomer.slot == slot { return newcomer.size }
    return host.size(of: slot)
  }
}

// MARK: - Steps

extension LIRS2 {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    let hirs = isSized ? capacity / 100 : min(max(minimumHIR, capacity / 100), capacity)
    lirLimit = capacity - hirs
    let (limit, isOver) = capacity.multipliedReportingOverflow(by: stackMultiple)
    stackLimit = isOver ? .max : limit
    ghostLimit = ghostShare?.floor(of: capacity) ?? .max
  }

  /// Makes the LIR block at the bottom of S the end of Q until the others fit.
  @inlinable @inline(__always)
  mutating func demote(newcomer: Request? = nil, host: inout some SlotHost & ~Copyable) {
    while blocks.size(of: .lir) > lirLimit {
      guard let place = stack.back(of: .first) else { return }
      let size = size(of: place / 2, newcomer, host)
      leave(place, size: size)
      blocks.move(place / 2, from: .lir, toFrontOf: .lirsQueue, size: size)
      cursor = .max
      prune(newcomer: newcomer, host: host)
    }
  }

  /// Takes places of HIR blocks out of the bottom of S until one of a LIR block is there: its older one.
  @inlinable @inline(__always)
  mutating func prune(newcomer: Request? = nil, host: borrowing some SlotHost & ~Copyable) {
    while let place = stack.back(of: .first), blocks.owner(of: place / 2) != .lir {
      leave(place, size: size(of: place / 2, newcomer, host))
    }
  }

  /// Takes the lowest places of HIR blocks out of S while there are too many.
  @inlinable @inline(__always)
  mutating func boundStack(newcomer: Request? = nil, host: borrowing some SlotHost & ~Copyable) {
    while stack.size(of: .first) > stackLimit {
      var candidate = cursor == .max ? stack.back(of: .first) : cursor
      while let place = candidate, blocks.owner(of: place / 2) == .lir {
        candidate = stack.newer(than: place)
      }
      guard let place = candidate else { return }
      cursor = place
      leave(place, size: size(of: place / 2, newcomer, host))
    }
  }

  /// Evicts the LIR block with the lowest place in S.
  @inlinable
  mutating func evictBottom(host: inout some SlotHost & ~Copyable) {
    var candidate = stack.back(of: .first)
    while let place = candidate, blocks.owner(of: place / 2) != .lir || host.isPinned(place / 2) {
      candidate = stack.newer(than: place)
    }
    guard let place = candidate else { preconditionFailure("there is nothing to evict") }
    let victim = place / 2
    if !host.mayEvict(victim) { return }
    let size = host.size(of: victim)
    leave(place, size: size)
    blocks.move(victim, from: .lir, toFrontOf: .lirsGhosts, size: size)
    cursor = .max
    host.didEvict(victim)
    prune(host: host)
  }

  /// Forgets the oldest-evicted ghosts beyond the limit.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while blocks.size(of: .lirsGhosts) > ghostLimit, let oldest = blocks.back(of: .lirsGhosts) {
      forget(oldest, host: &host)
    }
  }

  /// Takes a slot out of every list.
  @inlinable
  mutating func forget(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    let size = host.size(of: slot)
    for place in [2 &* slot, 2 &* slot | 1] where stack.owner(of: place) != .none {
      leave(place, size: size)
    }
    blocks.forget(slot, host: &host)
  }

  /// Refuses the newcomer; a ghost stays one as long as the ghosts fit.
  @inlinable
  mutating func refuse(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    last = .max
    if blocks.owner(of: request.slot) == .none { host.didForget(request.slot) }
    boundGhosts(host: &host)
    return false
  }
}

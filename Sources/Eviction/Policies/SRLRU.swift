import Parameters

/// SR-LRU: LRU behind a small part of the cache where newcomers are, whose size follows its ghosts.
public struct SRLRU: ListPolicy, ~Copyable {
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

  /// R, SR and the ghosts.
  public var lists: SlotLists<UInt8>
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
    lists = SlotLists(count: 3, slots: configuration.slots)
    marks = SlotArray(repeating: 0, slots: configuration.slots)
    capacity = configuration.capacity
    srLimit = max(1, (capacity + 50) / 100)
    ghostShare = configuration.arguments.fraction("ghosts")
    ghostLimit = ghostShare.floor(of: capacity)
  }

  /// R and SR are resident.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool {
    list == .reused || list == .scanResistant
  }

  /// Moves the object to the most recent end of R, and R's border if R had demoted the object.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if lists.owner(of: slot) == .reused {
      lists.moveToFront(slot, of: .reused)
      return
    }
    let size = host.size(of: slot)
    if marks[slot] & SRLRU.demoted != 0 {
      srLimit = max(1, srLimit - Cacheus.step(newGhosts, over: demoted, size: request.size))
      forgetDemotion(of: slot, size: size)
    }
    lists.remove(slot, size: size)
    while lists.size(of: .reused) + size > rLimit && !lists.isEmpty(.reused) { demote(host: host) }
    lists.prepend(slot, to: .reused, size: size)
  }

  /// Lets a ghost into R and anything else into SR, or whatever part is not full yet.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let wasGhost = lists.owner(of: slot) == .srGhosts
    if wasGhost { learn(from: request, host: host) }
    let fillsR =
      lists.isEmpty(.scanResistant) && lists.size(of: .reused) + request.size <= rLimit
    let fillsSR =
      host.hasRoom(for: request) && lists.size(of: .scanResistant) + request.size <= srLimit
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    marks[slot] = 0
    if wasGhost {
      demoteBelowLimit(for: request.size, host: host)
      if request.size < rLimit {
        lists.prepend(slot, to: .reused, size: request.size)
      } else {
        lists.prepend(slot, to: .scanResistant, size: request.size)
        marks[slot] = SRLRU.demoted
        demoted += request.size
      }
    } else {
      lists.prepend(slot, to: fillsR ? .reused : .scanResistant, size: request.size)
      if !fillsR && !fillsSR {
        marks[slot] = SRLRU.new
        demoteBelowLimit(for: 0, host: host)
      }
    }
    return true
  }

  /// Evicts the least recent of SR, or of R.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let oldest = lists.unpinnedBack(of: .scanResistant, host: host)
    guard let victim = oldest ?? lists.unpinnedBack(of: .reused, host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    let size = host.size(of: victim)
    forgetDemotion(of: victim, size: size)
    if marks[victim] & SRLRU.new != 0 { newGhosts += size }
    lists.move(victim, toFrontOf: .srGhosts, size: size)
    host.evicted(victim)
    boundGhosts(host: &host)
  }

  /// Forgets the slot.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    let list = lists.owner(of: slot)
    if list == .none { return }
    let size = host.size(of: slot)
    forgetDemotion(of: slot, size: size)
    if list == .srGhosts && marks[slot] & SRLRU.new != 0 { newGhosts -= size }
    lists.remove(slot, size: size)
    host.forgot(slot)
  }

  /// Empties the lists; SR's limit stays.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    marks.removeAll()
    demoted = 0
    newGhosts = 0
  }

  /// Corrects the sums that the slot is part of.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
    if marks[slot] & SRLRU.demoted != 0 { demoted += difference }
  }

  /// Bounds SR's limit and the ghosts by the new capacity; R demotes what is beyond its limit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
    srLimit = min(srLimit, max(1, capacity - 1))
    ghostLimit = ghostShare.floor(of: capacity)
    while lists.size(of: .reused) > rLimit { demote(host: host) }
    boundGhosts(host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    marks.reserve(slots: slots)
  }

  /// Shows the size that the scan-resistant list may have.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("sr_size", Double(srLimit))
  }
}

// MARK: - Steps

extension SRLRU {
  @inlinable @inline(__always)
  var rLimit: Int { capacity - srLimit }

  /// Takes the newcomer out of the ghosts; if it was new, SR was too small.
  @inlinable
  mutating func learn(from request: Request, host: borrowing some SlotHost & ~Copyable) {
    let size = host.size(of: request.slot)
    lists.remove(request.slot, size: size)
    if marks[request.slot] & SRLRU.new == 0 { return }
    newGhosts -= size
    let step = Cacheus.step(demoted, over: newGhosts, size: request.size)
    srLimit = min(srLimit + step, max(1, capacity - 1))
  }

  /// Moves the least recent of R to the most recent end of SR.
  @inlinable @inline(__always)
  mutating func demote(host: borrowing some SlotHost & ~Copyable) {
    guard let slot = lists.back(of: .reused) else { preconditionFailure("R is empty") }
    let size = host.size(of: slot)
    lists.move(slot, toFrontOf: .scanResistant, size: size)
    marks[slot] |= SRLRU.demoted
    demoted += size
  }

  @inlinable @inline(__always)
  mutating func demoteBelowLimit(for size: Int, host: borrowing some SlotHost & ~Copyable) {
    while lists.size(of: .reused) + size >= rLimit && !lists.isEmpty(.reused) {
      demote(host: host)
    }
  }

  @inlinable @inline(__always)
  mutating func forgetDemotion(of slot: Slot, size: Int) {
    if marks[slot] & SRLRU.demoted == 0 { return }
    marks[slot] &= ~SRLRU.demoted
    demoted -= size
  }

  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while lists.size(of: .srGhosts) > ghostLimit, let oldest = lists.back(of: .srGhosts) {
      remove(oldest, host: &host)
    }
  }
}

extension SlotLists<UInt8>.ID {
  /// R: objects requested more than once.
  @inlinable @inline(__always)
  static var reused: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
  /// SR: newcomers, and what R demoted.
  @inlinable @inline(__always)
  static var scanResistant: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
  /// The objects that left.
  @inlinable @inline(__always)
  static var srGhosts: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(3) }
}

extension CachePolicy {
  /// `SRLRU`: scan-resistant LRU, newcomers in a part of their own, of a learned size.
  ///
  /// - Parameter ghosts: Ghosts remembered, as a multiple of the capacity.
  public static func srLRU(ghosts: Fraction? = nil) -> CachePolicy {
    CachePolicy(SRLRU.self, parameters: ["ghosts": ghosts])
  }
}

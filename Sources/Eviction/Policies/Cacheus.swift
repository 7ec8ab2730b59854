import Parameters

/// LeCaR with experts that withstand scans and churn, and a learning rate that adapts.
public struct Cacheus: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "cacheus",
    summary: "scan-resistant LRU or churn-resistant LFU, learning how fast to learn",
    paper: "L. V. Rodriguez, F. Yusuf, S. Lyons, E. Paz, R. Rangaswami, J. Liu, M. Zhao and G. "
      + "Narasimhan, “Learning cache replacement with CACHEUS”, FAST 2021; the authors' code, "
      + "sylab/cacheus, commit 08e7d99.",
    idea: "LeCaR's regret, with two better experts. SR-LRU gives newcomers a small part of the "
      + "cache, SR, where a scan does no harm, and the reused the rest, R; requests for what left "
      + "either part too early move the border. CR-LFU takes the most recent of the least "
      + "frequent, so that under churn some objects stay long enough to be hit. The learning rate "
      + "climbs towards the hit ratio.",
    hit: "Frequency + 1. In R: to its most recent end. In SR: a demoted object raises R's limit by "
      + "max(1, new ghosts/demoted objects), rounded; then it moves to the most recent end of R, "
      + "for which R demotes its least recent to the most recent end of SR.",
    miss: "A ghost of the LRU history scales w_lru by e^−rate, one of the LFU history w_lfu; "
      + "weights stay within 0.01 … 0.99. A new ghost of the LRU history also raises SR's limit by "
      + "max(1, demoted objects/new ghosts), rounded. It returns to R with its frequency. Anything "
      + "else enters R while that fills and SR is empty, then SR while that fills; from then on it "
      + "enters SR and is new. After a ghost's or a new object's entry, R demotes until it is "
      + "below its limit.",
    eviction: "A draw leaves it to SR-LRU with probability w_lru: the least recent of SR, or of R "
      + "if SR is empty; else to CR-LFU: the lowest frequency, among equals the most recently used. "
      + "One draw of 53 bits for each eviction.",
    ghosts: "Two histories, one for each expert's victims, of C/2 each; the oldest-evicted is "
      + "forgotten first. A victim that both experts mean is not remembered.",
    complexity: "O(1) per request, but that LFU's choice passes the frequencies which only ghosts "
      + "have. An exponential every C requests.",
    differences:
      "Where the paper and its authors' code part, the code: the first rate is √(2 ln 2/C) and "
      + "not random, a ghost's return does not count as a request of its object, a hit does not "
      + "end an object's being new, and R ends below its limit after a miss, at it after a hit. "
      + "The code divides hit ratios and rates in thousandths as decimals, here as whole numbers;"
      + " its weights are 32-bit floats, here IEEE doubles. libCacheSim (commit 000aab08a) draws "
      + "the first rate, divides the hits of a period as whole numbers (so that every hit ratio "
      + "is 0), bounds no weight, and draws in hundredths. With sizes, periods and steps count "
      + "bytes, a step times the object's size.",
    parameters: [
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(5, 10)),
        help: "ghosts that each of the two histories holds, as a multiple of the capacity")
    ],
    bytesPerSlot: 24, miniatureError: 0.005)

  /// R and SR by recency, all residents by frequency, and both histories.
  @usableFromInline var lists: RankedLists
  @usableFromInline var weights = ExpertWeights()
  @usableFromInline var rate: AdaptiveRate
  @usableFromInline var generator: SplitMix64
  @usableFromInline var capacity: Int
  /// The size units that SR is to have; R has the rest.
  @usableFromInline var srLimit: Int
  /// Size units of the demoted objects in SR.
  @usableFromInline var demoted = 0
  /// Size units of the new objects in the LRU history.
  @usableFromInline var newGhosts = 0
  /// The number of size units that each history holds.
  @usableFromInline var historyLimit: Int
  @usableFromInline let ghostShare: Fraction

  /// The marks that SR-LRU keeps of a slot beside its place.
  @usableFromInline
  struct Mark: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Entered SR after the cache had filled, and never left the cache since.
    @inlinable static var new: Mark { Mark(rawValue: 1) }
    /// Was moved from R to SR.
    @inlinable static var demoted: Mark { Mark(rawValue: 2) }
  }

  /// Creates an empty cache's policy, with equal weights and 1 % for SR.
  public init(_ configuration: PolicyConfiguration) {
    lists = RankedLists(slots: configuration.slots)
    rate = AdaptiveRate(period: configuration.capacity)
    generator = SplitMix64(seed: configuration.seed)
    capacity = configuration.capacity
    srLimit = max(1, capacity / 100 + (capacity % 100 >= 50 ? 1 : 0))
    ghostShare = configuration.arguments.fraction("ghosts")
    historyLimit = ghostShare.floor(of: capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    state.visit(&weights)
    state.visit(&rate)
    state.visit(&generator)
    state.visit(&capacity)
    state.visit(&srLimit)
    state.visit(&demoted)
    state.visit(&newGhosts)
    state.visit(&historyLimit)
  }
}

// MARK: - Requests

extension Cacheus {
  /// Returns true if the object in `slot` is resident: in R or SR.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    let list = lists.list(of: slot)
    return list == .reused || list == .scanResistant
  }

  /// Prefetches the slot's record.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// Prefetches the slot's neighbours in both orders.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) { lists.prefetchNeighbors(of: slot) }

  /// Counts the request, and moves the object to the most recent end of R.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    rate.begin(request, generator: &generator)
    lists.increment(request.slot)
    if lists.list(of: request.slot) == .reused {
      lists.moveToFront(request.slot, of: .reused)
    } else {
      promote(request, host: &host)
    }
    rate.countHit(request)
  }

  /// Lets a ghost into R and anything else into SR, or whatever part is not full yet.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    rate.begin(request, generator: &generator)
    let slot = request.slot
    let history = lists.list(of: slot)
    if history != .none {
      learn(from: request, history: history, host: &host)
      guard makeRoom(for: request, host: &host) else {
        lists.forgetFrequency(of: slot)
        return refuse(request, host: &host)
      }
      enterReused(request, host: host)
      lists.revive(slot, counting: false)
      return true
    }
    let fillsR =
      lists.isEmpty(.scanResistant) && lists.size(of: .reused) + request.size <= rLimit
    let fillsSR =
      host.hasRoom(for: request) && lists.size(of: .scanResistant) + request.size <= srLimit
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    enter(request, fillsR ? .reused : .scanResistant, fillsR || fillsSR ? [] : .new)
    lists.rank(slot)
    if !fillsR && !fillsSR { demoteBelowLimit(for: 0, host: host) }
    return true
  }

  /// One of the experts evicts, and its history remembers the victim, unless the other agrees.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    guard
      let leastRecent = lists.unpinnedBack(of: .scanResistant, host: host)
        ?? lists.unpinnedBack(of: .reused, host: host),
      let leastFrequent = lists.leastFrequent(among: .mostRecent, host: host)
    else { preconditionFailure("there is nothing to evict") }
    let isLRU = weights.choosesLRU(&generator)
    let victim = isLRU ? leastRecent : leastFrequent
    if !host.mayEvict(victim) { return }
    let size = host.size(of: victim)
    forgetDemotion(of: victim, size: size)
    if leastRecent == leastFrequent {
      lists.forgetFrequency(of: victim)
      lists.remove(victim, size: size)
      host.didEvictAndForget(victim)
      return
    }
    let history = isLRU ? RankedList.lruHistory : .lfuHistory
    lists.retire(victim)
    if isLRU && marks(of: victim).contains(.new) { newGhosts += size }
    lists.move(victim, toFrontOf: history, size: size)
    host.didEvict(victim)
    bound(history, host: &host)
  }
}

// MARK: - The host's other calls

extension Cacheus {
  /// Forgets the slot and its frequency.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    let list = lists.list(of: slot)
    if list == .none { return }
    let size = host.size(of: slot)
    forgetDemotion(of: slot, size: size)
    if list == .lruHistory && marks(of: slot).contains(.new) { newGhosts -= size }
    lists.forgetFrequency(of: slot)
    lists.remove(slot, size: size)
    host.didForget(slot)
  }

  /// Empties the lists; weights, rate and limits stay.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    demoted = 0
    newGhosts = 0
  }

  /// Corrects the sums that the slot is part of.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
    if marks(of: slot).contains(.demoted) { demoted += difference }
  }

  /// Bounds SR's limit and the histories by the new capacity; R demotes what is beyond its limit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
    srLimit = min(srLimit, max(1, capacity - 1))
    historyLimit = ghostShare.floor(of: capacity)
    if capacity != rate.period { rate.period = capacity }
    while lists.size(of: .reused) > rLimit { demote(host: host) }
    bound(.lruHistory, host: &host)
    bound(.lfuHistory, host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { lists.reserve(slots: slots) }

  /// The experts' weights, the learning rate, and SR's limit.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    weights.show(show)
    show("learning_rate", rate.rate)
    show("sr_size", Double(srLimit))
  }
}

// MARK: - SR and R

extension Cacheus {
  @inlinable @inline(__always)
  func marks(of slot: Slot) -> Mark { Mark(rawValue: lists[slot]) }

  @inlinable @inline(__always)
  var rLimit: Int { capacity - srLimit }

  @inlinable @inline(__always)
  mutating func enter(_ request: Request, _ list: RankedList, _ mark: Mark) {
    lists.prepend(request.slot, to: list, size: request.size)
    lists[request.slot] = mark.rawValue
  }

  /// Lets a ghost's object into R, and R demotes until it is below its limit: in the end that object.
  @inlinable
  mutating func enterReused(_ request: Request, host: borrowing some SlotHost & ~Copyable) {
    demoteBelowLimit(for: request.size, host: host)
    if request.size < rLimit {
      enter(request, .reused, [])
    } else {
      enter(request, .scanResistant, .demoted)
      demoted += request.size
    }
  }

  /// A hit in SR: the object moves to R, and if it had been demoted, R was too small.
  @inlinable
  mutating func promote(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let size = host.size(of: request.slot)
    if marks(of: request.slot).contains(.demoted) {
      let step = Cacheus.step(newGhosts, over: demoted, size: request.size)
      srLimit = max(1, srLimit - step)
      forgetDemotion(of: request.slot, size: size)
    }
    lists.remove(request.slot, size: size)
    while lists.size(of: .reused) + size > rLimit && !lists.isEmpty(.reused) {
      demote(host: host)
    }
    lists.prepend(request.slot, to: .reused, size: size)
  }

  /// A ghost costs its expert weight; if it was new, SR was too small.
  @inlinable
  mutating func learn(
    from request: Request, history: RankedList, host: inout some SlotHost & ~Copyable
  ) {
    let size = host.size(of: request.slot)
    lists.remove(request.slot, size: size)
    if history == .lruHistory && marks(of: request.slot).contains(.new) {
      newGhosts -= size
      let step = Cacheus.step(demoted, over: newGhosts, size: request.size)
      srLimit = min(srLimit + step, max(1, capacity - 1))
    }
    weights.scale(lru: history == .lruHistory, by: rate.factor)
  }

  /// The rounded ratio of two sums of sizes, but at least 1, times the size of the object requested; 0 for an
  /// empty one.
  @inlinable
  static func step(_ numerator: Int, over sum: Int, size: Int) -> Int {
    if size == 0 { return 0 }
    let denominator = max(size, sum)
    let (ratio, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    return max(1, rest >= denominator - rest ? ratio + 1 : ratio) * size
  }

  /// Moves the least recent of R to the most recent end of SR.
  @inlinable @inline(__always)
  mutating func demote(host: borrowing some SlotHost & ~Copyable) {
    guard let slot = lists.back(of: .reused) else { preconditionFailure("R is empty") }
    let size = host.size(of: slot)
    lists.move(slot, toFrontOf: .scanResistant, size: size)
    lists[slot] |= Mark.demoted.rawValue
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
    if !marks(of: slot).contains(.demoted) { return }
    lists[slot] &= ~Mark.demoted.rawValue
    demoted -= size
  }

  @inlinable @inline(__always)
  mutating func bound(_ history: RankedList, host: inout some SlotHost & ~Copyable) {
    while lists.size(of: history) > historyLimit {
      guard let oldest = lists.back(of: history) else { return }
      remove(oldest, host: &host)
    }
  }
}

extension RankedList {
  /// Cacheus' R: objects requested more than once.
  @inlinable @inline(__always)
  static var reused: RankedList { RankedList(1) }
  /// Cacheus' SR: newcomers, and what R demoted.
  @inlinable @inline(__always)
  static var scanResistant: RankedList { RankedList(4) }
}

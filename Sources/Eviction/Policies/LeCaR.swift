import Parameters

/// Learning cache replacement: leaves each eviction to LRU or LFU, by weights that their mistakes teach.
public struct LeCaR: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lecar", summary: "LRU or LFU decides each eviction, by weights learned from regret",
    paper: "G. Vietri, L. V. Rodriguez, W. A. Martinez, S. Lyons, J. Liu, R. Rangaswami, M. Zhao "
      + "and G. Narasimhan, “Driving cache replacement with ML-based LeCaR”, HotStorage 2018; "
      + "the authors' code, sylab/LeCaR, commit 12ef27d.",
    idea: "Two experts, LRU and LFU, see the same cache. A request for an object that one of them "
      + "evicted a short while ago was that expert's mistake, and costs it a part of its weight: "
      + "regret. The weights are the probabilities with which the experts decide.",
    hit: "Frequency + 1, and the object moves to the most recent end.",
    miss: "A ghost of the LRU history multiplies w_lru by e^(−0.45 r), one of the LFU history "
      + "w_lfu, where r = 0.005^(t/C) and t is the number of requests since its eviction; the "
      + "weights are then divided by their sum and kept within 0.01 … 0.99. It returns with its "
      + "frequency + 1, anything else with frequency 1. It leaves its history before room is made.",
    eviction: "A draw leaves it to LRU with probability w_lru, else to LFU: the least recently "
      + "used, or the lowest frequency and among equals the least recently used. There is one draw "
      + "for each eviction, 53 bits of SplitMix64, even where both mean the same object.",
    ghosts: "Two histories, one for each expert's victims, of C each; the oldest-evicted is "
      + "forgotten first. A victim that both experts mean is not remembered.",
    complexity: "O(1) per request, but that LFU's choice passes the frequencies which only ghosts "
      + "have: none while some resident was requested once. An exponential only for a ghost.",
    differences:
      "The paper has no ties of LFU; the authors' code takes the smallest key, which a cache of"
      + " anything but block numbers cannot. Its weights are 32-bit floats, here IEEE doubles. "
      + "The same authors' later code (sylab/cacheus, commit 7e7053d) has histories of C/2: ghosts=0.5. A victim "
      + "that both experts choose enters no history, as in the authors' code. libCacheSim (commit"
      + " 0f4c06c46) keeps one history of C for both experts, remembers also what both would "
      + "evict, lets a ghost return with frequency 1, bounds no weight and draws in hundredths; "
      + "at commit aa0fc40 it has two histories of C/2. With sizes, t counts the bytes requested,"
      + " as C does.",
    parameters: [
      Parameter(
        "rate", .fraction(in: Fraction(0)...Fraction(10)), default: .fraction(Fraction(45, 100)),
        help: "learning rate: how much of its weight a mistake costs"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(1)),
        help: "ghosts that each of the two histories holds, as a multiple of the capacity"),
    ],
    bytesPerSlot: 24, miniatureError: 0)

  /// The residents by recency and by frequency, and both histories; a ghost notes when it was evicted.
  @usableFromInline var lists: RankedLists
  @usableFromInline var weights = ExpertWeights()
  @usableFromInline var generator: SplitMix64
  /// Size units requested.
  @usableFromInline var time = 0
  @usableFromInline var capacity: Int
  /// The number of size units that each history holds.
  @usableFromInline var historyLimit: Int
  @usableFromInline let ghostShare: Fraction
  @usableFromInline let learningRate: Double

  /// Creates an empty cache's policy, with equal weights.
  public init(_ configuration: PolicyConfiguration) {
    lists = RankedLists(slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
    capacity = configuration.capacity
    ghostShare = configuration.arguments.fraction("ghosts")
    historyLimit = ghostShare.floor(of: capacity)
    learningRate = configuration.arguments.fraction("rate").double
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    state.visit(&weights)
    state.visit(&generator)
    state.visit(&time)
    state.visit(&capacity)
    state.visit(&historyLimit)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.list(of: slot) == .residents }

  /// Prefetches the slot's record.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// Prefetches the slot's neighbours in both orders.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) { lists.prefetchNeighbors(of: slot) }

  /// Counts the request for both experts.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    time &+= request.size
    lists.moveToFront(request.slot, of: .residents)
    lists.increment(request.slot)
  }

  /// Learns from a ghost, makes room, and lets the object in with the frequency it had.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    time &+= request.size
    let slot = request.slot
    let history = lists.list(of: slot)
    if history != .none {
      regret(slot, isLRU: history == .lruHistory)
      lists.remove(slot, size: host.size(of: slot))
    }
    guard makeRoom(for: request, host: &host) else {
      lists.forgetFrequency(of: slot)
      return refuse(request, host: &host)
    }
    lists.prepend(slot, to: .residents, size: request.size)
    if history == .none { lists.rank(slot) } else { lists.revive(slot, counting: true) }
    return true
  }

  /// One of the experts evicts, and its history remembers the victim, unless the other agrees.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    guard let leastRecent = lists.unpinnedBack(of: .residents, host: host),
      let leastFrequent = lists.leastFrequent(among: .leastRecent, host: host)
    else { preconditionFailure("there is nothing to evict") }
    let isLRU = weights.choosesLRU(&generator)
    let victim = isLRU ? leastRecent : leastFrequent
    if !host.mayEvict(victim) { return }
    if leastRecent == leastFrequent {
      lists.forgetFrequency(of: victim)
      lists.remove(victim, size: host.size(of: victim))
      host.didEvictAndForget(victim)
      return
    }
    let history = isLRU ? RankedList.lruHistory : .lfuHistory
    lists.retire(victim, noting: time)
    lists.move(victim, toFrontOf: history, size: host.size(of: victim))
    host.didEvict(victim)
    bound(history, host: &host)
    prefetchNextVictims(host: host)
  }

  /// Forgets the slot and its frequency.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if lists.list(of: slot) == .none { return }
    lists.forgetFrequency(of: slot)
    lists.remove(slot, size: host.size(of: slot))
    host.didForget(slot)
  }

  /// Corrects the sum that the slot is part of.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
  }

  /// Empties the lists; the weights stay.
  @inlinable
  public mutating func removeAll() { lists.removeAll() }

  /// Bounds the histories by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
    historyLimit = ghostShare.floor(of: capacity)
    bound(.lruHistory, host: &host)
    bound(.lfuHistory, host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { lists.reserve(slots: slots) }

  /// The experts' weights.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    weights.show(show)
  }

  /// Brings near what the next eviction will read, most of it long unused.
  @inlinable @inline(__always)
  mutating func prefetchNextVictims(host: borrowing some SlotHost & ~Copyable) {
    if let slot = lists.back(of: .residents) { lists.prefetchNeighbors(of: slot) }
    if let slot = lists.leastFrequent(among: .leastRecent, host: host) {
      lists.prefetchNeighbors(of: slot)
    }
    if let slot = lists.back(of: .lruHistory) { lists.prefetchNeighbors(of: slot) }
    if let slot = lists.back(of: .lfuHistory) { lists.prefetchNeighbors(of: slot) }
  }

  /// Takes weight from the expert that evicted the ghost in `slot`, the more the shorter ago.
  @inlinable
  mutating func regret(_ slot: Slot, isLRU: Bool) {
    // The sum of all sizes may have passed the largest number since.
    let age = Double(UInt(bitPattern: time &- lists.note(of: slot)))
    let logarithmOf0005 = -5.298317366548036
    let regret = decay(logarithmOf0005 * age / Double(capacity))
    weights.scale(lru: isLRU, by: decay(-learningRate * regret))
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
  /// LeCaR's residents, by recency.
  @inlinable @inline(__always)
  static var residents: RankedList { RankedList(1) }
  /// The victims of LRU.
  @inlinable @inline(__always)
  static var lruHistory: RankedList { RankedList(2) }
  /// The victims of LFU.
  @inlinable @inline(__always)
  static var lfuHistory: RankedList { RankedList(3) }
}

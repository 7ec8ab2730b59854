import Parameters

/// FIFO-Merge: a hand examines a run of a FIFO queue at a time, keeps its most valuable objects, and evicts the rest.
public struct FIFOMerge: ListPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "fifo-merge",
    summary: "a hand examines objects by the hundred, and evicts the worse half",
    paper: "J. Yang, Y. Yue and K. V. Rashmi, “Segcache: a memory-efficient and scalable in-memory "
      + "key-value cache for small objects”, NSDI 2021 (merge-based eviction); FIFO_Merge of "
      + "libCacheSim (commit 0a94e75).",
    idea: "Segments of a log are evicted as a whole: the most requested objects of a few "
      + "neighbours are copied into one, and the others freed, at the cost of one pass for all.",
    hit: "The object's counter goes up by 1.",
    miss: "Room is made, and the object enters as the newest, with counter 0.",
    eviction: "The hand looks at the next objects (examine), from the oldest to the newest and "
      + "round again. Those of the highest counter/size (keep) stay where they are, with counters "
      + "halved, rounded up; the others leave, among equals the first that the hand saw. An empty "
      + "object counts one size unit. "
      + "While the cache holds no more than it would examine, only the object at the hand leaves.",
    complexity: "O(1) per hit. An eviction is O(examine), or O(examine log examine) where sizes "
      + "differ or what leaves has 31 hits or more; it makes room for many misses.",
    differences: "libCacheSim (file FIFO_Merge.c, commit 0a94e75) breaks ties at random; it "
      + "starts at the oldest again when it has passed the newest, as here, and also keeps by "
      + "recency or by the next use.",
    parameters: [
      Parameter(
        "examine", .integer(in: 1...65_536), default: .integer(100),
        help: "objects that the hand looks at in one eviction"),
      Parameter(
        "keep", .integer(in: 0...65_535), default: .integer(50),
        help: "objects of those that stay; fewer than examine"),
    ],
    bytesPerSlot: 13, hitsReorder: false, miniatureError: 0.001)

  /// One queue; its front is the newest.
  public var lists: SlotLists<UInt8>
  /// Indexed by slot: the hits since the object's entry, or since the hand halved them.
  @usableFromInline var counts: SlotArray<UInt32>
  /// The object that the hand looks at next; the oldest if there is none.
  @usableFromInline var hand: Slot?
  @usableFromInline let examined: Int
  @usableFromInline let kept: Int
  /// The objects of one eviction, and room to sort them.
  @usableFromInline var candidates: UnsafeMutablePointer<Candidate>
  @usableFromInline var sorted: UnsafeMutablePointer<Candidate>
  /// The number of objects of each count, the last one for all larger counts, too.
  @usableFromInline let counters: UnsafeMutablePointer<Int>

  /// An object that the hand has seen.
  @usableFromInline
  struct Candidate: BitwiseCopyable {
    @usableFromInline let slot: Slot
    @usableFromInline let place: UInt32
    @usableFromInline let size: Int
    @usableFromInline let count: UInt32

    @inlinable @inline(__always)
    init(slot: Slot, place: UInt32, count: UInt32, size: Int) {
      self.slot = slot
      self.place = place
      self.count = count
      self.size = size
    }

    /// Returns true if the object leaves before the other.
    @inlinable @inline(__always)
    static func < (left: Candidate, right: Candidate) -> Bool {
      let worth = Int(left.count).multipliedFullWidth(by: right.size)
      let other = Int(right.count).multipliedFullWidth(by: left.size)
      return (worth.high, worth.low, left.place) < (other.high, other.low, right.place)
    }
  }

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` if all that is examined would be kept.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    lists = SlotLists(count: 1, slots: configuration.slots)
    counts = SlotArray(repeating: 0, slots: configuration.slots)
    examined = configuration.arguments.integer("examine")
    kept = configuration.arguments.integer("keep")
    if kept >= examined {
      throw .conflict(
        policy: "fifo-merge",
        explanation: "keep=\(kept) leaves nothing to evict of "
          + "examine=\(examined); keep fewer")
    }
    candidates = .allocate(capacity: examined)
    sorted = .allocate(capacity: examined)
    counters = .allocate(capacity: FIFOMerge.countsSorted + 1)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    counts.visitState(&state)
    state.visit(&hand)
  }

  deinit {
    candidates.deallocate()
    sorted.deallocate()
    counters.deallocate()
  }

  /// Counts the hit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    counts[request.slot] &+= 1
  }

  /// Makes room, and enters the object as the newest.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    counts[request.slot] = 0
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts what is worth least of the objects that the hand passes.
  @inlinable
  public mutating func evict<Host: SlotHost & ~Copyable>(
    for request: Request?, host: inout Host
  ) {
    let isFew =
      Host.pinsSlots
      ? hasFewUnpinned(for: request, host: host) : lists.count(of: .first) <= examined
    if isFew {
      passPinned(host: host)
      let victim = atHand
      if !host.mayEvict(victim) { return }
      leave(victim, host: &host)
      return
    }
    var slot = atHand
    var areEqual = true
    for place in 0..<examined {
      while host.isPinned(slot) { slot = lists.newer(than: slot) ?? oldest }
      let candidate = Candidate(
        slot: slot, place: UInt32(truncatingIfNeeded: place), count: counts[slot],
        size: max(1, host.size(of: slot)))
      (candidates + place).initialize(to: candidate)
      areEqual = areEqual && candidate.size == candidates[0].size
      hand = lists.newer(than: slot)
      slot = atHand
    }
    if !areEqual || !sortByCount() { sortCandidates() }
    for place in 0..<examined &- kept {
      let victim = candidates[place].slot
      if !host.mayEvict(victim) { return }
      leave(victim, host: &host)
    }
    for place in examined &- kept..<examined {
      let candidate = candidates[place]
      counts[candidate.slot] = (candidate.count &+ 1) / 2
    }
  }

  /// Takes the slot out; the hand moves on from it.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if lists.owner(of: slot) == .none { return }
    if hand == slot { hand = lists.newer(than: slot) }
    lists.forget(slot, host: &host)
  }

  /// Empties the queue.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    hand = nil
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    counts.reserve(slots: slots)
  }

  @inlinable @inline(__always)
  var atHand: Slot { hand ?? oldest }

  @inlinable @inline(__always)
  var oldest: Slot {
    guard let slot = lists.back(of: .first) else {
      preconditionFailure("there is nothing to evict")
    }
    return slot
  }

  /// Moves the hand on to a slot that is not pinned; there is one.
  @inlinable @inline(__always)
  mutating func passPinned(host: borrowing some SlotHost & ~Copyable) {
    while host.isPinned(atHand) { hand = lists.newer(than: atHand) }
  }

  /// Returns true if no more slots than are examined are not pinned.
  @inlinable
  func hasFewUnpinned(
    for request: Request?, host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    if let pinned = host.pinned {
      let newcomer = request.map { host.isPinned($0.slot) } ?? false
      return lists.count(of: .first) &- pinned &+ (newcomer ? 1 : 0) <= examined
    }
    var count = 0
    var next = lists.back(of: .first)
    while let slot = next, count <= examined {
      if !host.isPinned(slot) { count += 1 }
      next = lists.newer(than: slot)
    }
    return count <= examined
  }

  /// Sorts candidates of one size: those that leave by their counts, the first that the hand saw first, and behind them
  /// the others.
  ///
  /// - Returns: False, with nothing sorted, if that takes more counters than there are.
  @inlinable @inline(__always)
  mutating func sortByCount() -> Bool {
    counters.update(repeating: 0, count: FIFOMerge.countsSorted + 1)
    for place in 0..<examined { counters[counter(of: candidates[place])] &+= 1 }
    var start = 0
    for counter in 0...FIFOMerge.countsSorted {
      let count = counters[counter]
      counters[counter] = start
      start &+= count
    }
    if counters[FIFOMerge.countsSorted] < examined &- kept { return false }
    for place in 0..<examined {
      let counter = counter(of: candidates[place])
      (sorted + counters[counter]).initialize(to: candidates[place])
      counters[counter] &+= 1
    }
    swap(&candidates, &sorted)
    return true
  }

  /// The counts below this one are told apart without comparisons.
  @inlinable static var countsSorted: Int { 31 }

  @inlinable @inline(__always)
  func counter(of candidate: Candidate) -> Int {
    min(Int(candidate.count), FIFOMerge.countsSorted)
  }

  /// Sorts the candidates in place by the order in which they leave: heapsort, as Swift's sort allocates.
  @inlinable @inline(never)
  mutating func sortCandidates() {
    for root in stride(from: examined / 2 - 1, through: 0, by: -1) { sift(root, below: examined) }
    for end in stride(from: examined - 1, to: 0, by: -1) {
      swap(&candidates[0], &candidates[end])
      sift(0, below: end)
    }
  }

  @inlinable
  mutating func sift(_ start: Int, below end: Int) {
    var root = start
    while 2 * root + 1 < end {
      var child = 2 * root + 1
      if child + 1 < end && candidates[child] < candidates[child + 1] { child += 1 }
      if !(candidates[root] < candidates[child]) { return }
      swap(&candidates[root], &candidates[child])
      root = child
    }
  }

  @inlinable @inline(__always)
  mutating func leave(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if hand == slot { hand = lists.newer(than: slot) }
    lists.remove(slot, size: host.size(of: slot))
    host.didEvictAndForget(slot)
  }
}

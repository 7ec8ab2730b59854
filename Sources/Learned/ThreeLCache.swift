#if Learned
  import EvictionCore
  import Parameters

  /// 3L-Cache: the objects whose next request is predicted to be farthest leave, of candidates that two scans pick.
  ///
  /// Residents stand in one list by recency. Ghosts stand in another: the window of history from which it learns.
  public struct ThreeLCache: ListPolicy, ~Copyable {
    /// Residents, most recent first, and ghosts, last evicted first.
    public var lists: SlotLists<UInt8>
    /// Residents that entered since the first training and were not picked by the scan of newcomers, newest first.
    @usableFromInline var newcomers: SlotLists<UInt8>
    /// Residents and ghosts, of which one is drawn at each request to be learned from.
    @usableFromInline var known: SlotSet
    /// The history of each resident and ghost.
    @usableFromInline var histories: SlotArray<History>
    /// The residents that have a prediction, the farthest first.
    @usableFromInline var candidates: SlotHeap<Prediction>

    @usableFromInline var generator: SplitMix64
    /// The number of the present request.
    @usableFromInline var clock: Int64 = 0
    @usableFromInline var isTrained = false
    /// True from the first eviction on.
    @usableFromInline var isSampling = false
    /// The number of evictions before more candidates are picked.
    @usableFromInline var evictionsDue = 0
    @usableFromInline var scan = Scan()
    @usableFromInline var window = Window()

    /// True for few misses, false for few missed bytes.
    @usableFromInline let countsObjects: Bool
    /// The rows of a training.
    let batch: Int
    /// The most candidates that the scan of the list picks at a time.
    @usableFromInline let mostPicked: Int
    let widestWindow: Int
    let trainer: TreeTrainer
    var trees = GradientBoostedTrees()
    /// The mean of the labels of the last training, which the trees do not have to learn, and of one that is under way.
    var meanLabel: Float = 0
    var nextMeanLabel: Float = 0
    /// The time of the last training.
    var trained: Int64 = 0
    var features: FloatRows
    var labels: FloatRows
    /// The residents that are predicted next, their features and the values.
    @usableFromInline var picked: [Slot] = []
    var rows: FloatRows
    var values: FloatRows
    var costs: LearningCosts

    /// Creates an empty cache's policy, drawing from the configuration's seed.
    public init(_ configuration: PolicyConfiguration) {
      let arguments = configuration.arguments
      countsObjects = arguments.text("objective") == "objects"
      batch = arguments.integer("batch")
      mostPicked = arguments.integer("sample")
      widestWindow = arguments.integer("window")
      trainer = TreeTrainer(
        columns: History.columns, rows: batch + mostPicked,
        TreeParameters(
          objective: .squaredError, rounds: 16, leaves: 32, depth: 0, learningRate: 0.1,
          subsample: 0.8, featureSubsample: 0.8, minimumRowsPerLeaf: 20, seed: configuration.seed),
        isBeside: configuration.trainsBesideRequests)
      costs = trainer.noCosts
      generator = SplitMix64(seed: configuration.seed)
      lists = SlotLists(count: 2, slots: configuration.slots)
      newcomers = SlotLists(count: 1, slots: configuration.slots)
      known = SlotSet(slots: configuration.slots)
      histories = SlotArray(repeating: History(), slots: configuration.slots)
      candidates = SlotHeap(slots: configuration.slots)
      // All at once, so that no request has to allocate: a training may have to wait for some evictions, and candidates are
      // picked by both scans, one of which may begin anew.
      features = FloatRows(capacity: (batch + mostPicked) * History.columns)
      labels = FloatRows(capacity: batch + mostPicked)
      rows = FloatRows(capacity: 4 * mostPicked * History.columns)
      values = FloatRows(capacity: 4 * mostPicked)
      picked.reserveCapacity(4 * mostPicked)
    }

    /// Residents are those of the first list.
    @inlinable @inline(__always)
    public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool { list == .first }

    /// Prefetches the slot's links and history.
    @inlinable @inline(__always)
    public func prefetch(_ slot: Slot) {
      lists.prefetch(slot)
      histories.prefetch(slot)
    }

    /// Learns from the request, and renews the object, which is no candidate any more.
    @inlinable
    public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
      clock &+= 1
      window.count(isHit: true)
      learn(of: request.slot, size: request.size)
      histories[request.slot].request(at: clock)
      if candidates.contains(request.slot) { candidates.remove(request.slot) }
      passScan(request.slot)
      lists.moveToFront(request.slot, of: .first)
      drawSample()
      forgetOldGhosts(host: &host)
    }

    /// Learns from the request if the object is a ghost, makes room, and enters it as the most recent.
    @inlinable
    public mutating func insert(
      _ request: Request, host: inout some SlotHost & ~Copyable
    ) -> Bool {
      clock &+= 1
      let slot = request.slot
      let isGhost = lists.owner(of: slot) == .past
      window.count(isHit: false, isGhost: isGhost)
      if isGhost {
        learn(of: slot, size: host.size(of: slot))
        histories[slot].request(at: clock)
        // The newest ghost is not forgotten below.
        lists.moveToFront(slot, of: .past)
      }
      drawSample()
      forgetOldGhosts(host: &host)
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      if isGhost {
        lists.remove(slot, from: .past, size: host.size(of: slot))
      } else {
        known.insert(slot)
        histories[slot] = History(requestedAt: clock)
      }
      lists.prepend(slot, to: .first, size: request.size)
      if isTrained { newcomers.prepend(slot, to: .first, size: request.size) }
      return true
    }

    /// Evicts the victim, which becomes the newest ghost.
    @inlinable
    public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
      let victim = victim(host: host)
      if !host.mayEvict(victim) { return }
      isSampling = true
      evictionsDue &-= 1
      let size = host.size(of: victim)
      if candidates.contains(victim) { scan.noteEviction(histories[victim]) }
      takeOutOfScans(victim, size: size)
      lists.move(victim, from: .first, toFrontOf: .past, size: size)
      host.didEvict(victim)
    }

    /// Unlinks `slot`, resident or ghost, and forgets its history.
    @inlinable
    public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
      if lists.owner(of: slot) == .none { return }
      takeOutOfScans(slot, size: host.size(of: slot))
      known.remove(slot)
      lists.forget(slot, host: &host)
    }

    /// Corrects the sums of the lists that hold `slot`.
    @inlinable
    public mutating func changeSize(of slot: Slot, by difference: Int) {
      lists.changeSize(of: slot, by: difference)
      if newcomers.owner(of: slot) != .none { newcomers.changeSize(of: slot, by: difference) }
    }

    /// Empties lists, histories and candidates; the trees stay.
    @inlinable
    public mutating func removeAll() {
      lists.removeAll()
      newcomers.removeAll()
      known.removeAll()
      candidates.removeAll()
      scan.place = nil
      scan.length = 0
      evictionsDue = 0
    }

    /// Grows the arrays.
    @inlinable
    public mutating func reserve(slots: Int) {
      lists.reserve(slots: slots)
      newcomers.reserve(slots: slots)
      known.reserve(slots: slots)
      histories.reserve(slots: slots)
      candidates.reserve(slots: slots)
    }

    /// Shows the trainings, the window, and what the scans have learned.
    public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
      show("trainings", Double(costs.trainings))
      show("model-bytes", Double(costs.modelBytes))
      show("window", Double(window.width))
      show("newcomers", Double(scan.newcomerPercent) / 100)
      show("scanned", Double(scan.oldPercent) / 100)
      show("frequency", Double(scan.highestFrequency))
    }

    /// The costs of all trainings and predictions.
    public var learningCosts: LearningCosts? {
      var costs = costs
      costs.featureBytes = features.bytes + labels.bytes + rows.bytes + trainer.bytes
      return costs
    }
  }

  extension ThreeLCache {
    /// Chooses the candidate of the farthest prediction; until the first training, the least recent.
    @inlinable
    mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
      if evictionsDue <= 0 { takeTrees() }
      if isTrained {
        if evictionsDue <= 0 || candidates.count == 0 { pickCandidates(host: host) }
        while let farthest = candidates.first {
          if !host.isPinned(farthest) { return farthest }
          candidates.remove(farthest)
        }
      }
      guard let oldest = lists.unpinnedBack(of: .first, host: host) else {
        preconditionFailure("there is nothing to evict")
      }
      return oldest
    }

    /// Notes the present time as the one that the next request of an object drawn at random is measured from.
    @inlinable @inline(__always)
    mutating func drawSample() {
      if !isSampling || known.count == 0 { return }
      let slot = known[generator.index(below: known.count)]
      if histories[slot].sampled == 0 { histories[slot].sampled = clock }
    }

    /// Learns the time from the sample of `slot`, if there is one, to its present request. Once there are trees, of every
    /// fourth sample.
    @inlinable @inline(__always)
    mutating func learn(of slot: Slot, size: Int) {
      if histories[slot].sampled == 0 { return }
      if takesSample() {
        addRow(histories[slot], size: size, distance: clock &- histories[slot].sampled)
      }
      histories[slot].sampled = 0
    }

    @inlinable @inline(__always)
    mutating func takesSample() -> Bool { !isTrained || generator.next() & 3 == 0 }

    /// Forgets the oldest ghosts of a window that is full, and learns that their next requests are far.
    @inlinable @inline(__always)
    mutating func forgetOldGhosts(host: inout some SlotHost & ~Copyable) {
      while lists.count(of: .past) >= lists.count(of: .first) &* (window.width &- 1) &+ 2,
        let ghost = lists.back(of: .past)
      {
        window.isFull = true
        if histories[ghost].sampled != 0 && takesSample() {
          let waited = clock &- histories[ghost].lastRequest
          window.longestWait = max(window.longestWait, waited)
          addRow(
            histories[ghost], size: host.size(of: ghost), distance: window.boundary &+ waited)
        }
        known.remove(ghost)
        lists.forgetBack(of: .past, host: &host)
      }
    }

    /// Moves the scan of the list past `slot`, which leaves its place.
    @inlinable @inline(__always)
    mutating func passScan(_ slot: Slot) {
      if scan.place == slot { scan.place = lists.newer(than: slot) }
    }

    @inlinable @inline(__always)
    mutating func takeOutOfScans(_ slot: Slot, size: Int) {
      passScan(slot)
      if candidates.contains(slot) { candidates.remove(slot) }
      if newcomers.owner(of: slot) != .none { newcomers.remove(slot, size: size) }
    }
  }

  extension ListID {
    /// The ghosts of 3L-Cache.
    @inlinable @inline(__always)
    static var past: ListID { ListID(2) }
  }
#endif

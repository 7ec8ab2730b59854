#if Learned
  import EvictionCore
  import Parameters

  /// LRB, learning relaxed Belady: of a random sample, the object leaves whose next request is predicted to be farthest.
  public struct LRB: PinnablePolicy, ~Copyable {
    /// The catalog's entry.
    public static let information = PolicyInformation(
      name: "lrb", summary: "the farthest predicted next request of a random sample",
      paper:
        "Z. Song, D. S. Berger, K. Li and W. Lloyd, “Learning relaxed Belady for content distribution "
        + "network caching”, NSDI 2020.",
      idea:
        "Belady's MIN evicts the object whose next request is farthest. Any object whose next request is "
        + "beyond a boundary is nearly as good a victim, so a prediction need not be exact. Trees learn "
        + "the time to the next request from the past of objects. They are trained on what happened to "
        + "objects that were drawn at random within a window of requests.",
      hit:
        "The samples of the object get their label, the time that passed since each. The request joins "
        + "its past: its last 31 distances, and 10 counts that decay exponentially, with half-lives of "
        + "2¹⁰ to 2¹⁹ requests. Then an object is drawn from residents and ghosts as a new sample.",
      miss: "As a hit, for a ghost. Then room is made, and the object enters.",
      eviction:
        "Before the first training, and where the least recent resident was requested a window ago or "
        + "earlier, it leaves. Else positions in the array of residents are drawn, sample times and with "
        + "repetition, or all are compared if there are no more. The highest logarithm of the predicted "
        + "time leaves, times the size where objective is objects; of equals the one drawn first. Each "
        + "time that batch samples have labels, the trees are trained anew on these alone.",
      ghosts:
        "Objects that left, until a window has passed since their last request: their samples then get "
        + "twice the window as their label. An object that leaves a window after its last request is "
        + "forgotten at once.",
      complexity:
        "O(1) per request; O(sample × rounds × leaves) per eviction; a training takes about 10 µs per "
        + "sample. An object requested once takes 60 bytes, and 172 more after its second request.",
      differences:
        "As libCacheSim's copy of the authors' code (commit 2eb2b8f6a), with these differences. The trees "
        + "are XGBoost's, not LightGBM's, with at most 6 splits above a leaf and 32 bins of a feature; "
        + "depth=0:bins=256 is nearest to LightGBM's defaults, with which trainings take three times as "
        + "long and hits are as many. Features that an object lacks are missing, not 0. The authors "
        + "tune the window to each trace and train on 131,072 samples; libCacheSim's window is 2²⁶ "
        + "requests, so a run of less than 131,072 samples never learns there. Here the window is a "
        + "multiple of the residents at the first eviction after a start or a resize, and "
        + "batch=131072 is the authors'. Candidates are drawn with repetition. There are no extra "
        + "features: traces here have none. Time is the number of requests.",
      parameters: [
        Parameter(
          "window", .fraction(in: Fraction(1)...Fraction(1_000_000_000)),
          default: .fraction(Fraction(8)),
          help: "the memory window in requests, as a multiple of the residents"),
        Parameter(
          "batch", .integer(in: 64...1_048_576), default: .integer(4_096),
          help: "labelled samples for a training"),
        Parameter(
          "sample", .integer(in: 1...65_536), default: .integer(64),
          help: "residents drawn at each eviction"),
        Parameter(
          "objective", .choice(["objects", "bytes"]), default: .text("objects"),
          help: "the misses to reduce: of objects, or of bytes"),
        Parameter(
          "rounds", .integer(in: 1...1_000), default: .integer(32), help: "trees of a model"),
        Parameter(
          "leaves", .integer(in: 2...1_024), default: .integer(32), help: "leaves of a tree"),
        Parameter(
          "depth", .integer(in: 0...64), default: .integer(6),
          help: "splits above a leaf at most; 0 for no limit"),
        Parameter(
          "bins", .integer(in: 2...4_096), default: .integer(32),
          help: "intervals of a feature that a training tells apart"),
        Parameter(
          "rate", .fraction(in: Fraction(1, 1_000)...Fraction(1)),
          default: .fraction(Fraction(1, 10)), help: "the learning rate"),
      ],
      bytesPerSlot: 420, learningInterval: { $0.integer("batch") })

    /// Candidates are.
    @inlinable @inline(__always)
    public static var drawsVictims: Bool { true }

    @usableFromInline var residents: SlotSet
    @usableFromInline var ghosts: SlotSet
    /// The residents by their last request.
    @usableFromInline var recency: SlotLists<UInt8>
    /// Residents and ghosts by their last request, but residents that were last requested a window ago.
    @usableFromInline var known: SlotLists<UInt8>
    @usableFromInline var model: RelaxedBelady
    @usableFromInline var generator: SplitMix64
    /// The number of the present request.
    @usableFromInline var clock: Int64 = 0
    /// The memory window in requests; 0 before the first eviction.
    @usableFromInline var window: Int64 = 0
    /// True from the first eviction on.
    @usableFromInline var isSampling = false
    @usableFromInline let multiple: Fraction
    @usableFromInline let sample: Int
    @usableFromInline let weighsSize: Bool

    /// Creates an empty cache's policy, drawing from the configuration's seed.
    public init(_ configuration: PolicyConfiguration) {
      let arguments = configuration.arguments
      let slots = configuration.slots
      residents = SlotSet(slots: slots)
      ghosts = SlotSet(slots: slots)
      recency = SlotLists(count: 1, slots: slots)
      known = SlotLists(count: 1, slots: slots)
      generator = SplitMix64(seed: configuration.seed)
      multiple = arguments.fraction("window")
      sample = arguments.integer("sample")
      weighsSize = arguments.text("objective") == "objects"
      let parameters = TreeParameters(
        objective: .squaredError, rounds: arguments.integer("rounds"),
        leaves: arguments.integer("leaves"), depth: arguments.integer("depth"),
        learningRate: arguments.fraction("rate").double, bins: arguments.integer("bins"),
        subsample: 0.8, featureSubsample: 0.8, minimumRowsPerLeaf: 20, seed: configuration.seed)
      model = RelaxedBelady(
        slots: slots, sample: sample, batch: arguments.integer("batch"), parameters,
        isBeside: configuration.trainsBesideRequests)
    }

    /// Passes on what changes.
    public mutating func visitState(_ state: inout PolicyState) {
      residents.visitState(&state)
      ghosts.visitState(&state)
      recency.visitState(&state)
      known.visitState(&state)
      model.visitState(&state)
      state.visit(&generator)
      state.visit(&clock)
      state.visit(&window)
      state.visit(&isSampling)
    }

    /// Returns true if the object in `slot` is resident.
    @inlinable @inline(__always)
    public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

    /// Prefetches the slot's position.
    @inlinable @inline(__always)
    public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

    /// Labels the object's samples, and adds the request to its past.
    @inlinable
    public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
      let slot = request.slot
      advance(to: slot, host: &host)
      requestAgain(slot, size: host.size(of: slot))
      recency.moveToFront(slot, of: .first)
      drawSample()
    }

    /// Labels the samples of a ghost, makes room, and adds the object to the residents.
    @inlinable
    public mutating func insert(
      _ request: Request, host: inout some SlotHost & ~Copyable
    ) -> Bool {
      let slot = request.slot
      advance(to: slot, host: &host)
      if ghosts.contains(slot) { requestAgain(slot, size: host.size(of: slot)) }
      drawSample()
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      if ghosts.contains(slot) {
        ghosts.remove(slot)
      } else {
        model.histories.begin(slot, at: clock)
        known.prepend(slot, to: .first, size: 1)
      }
      residents.insert(slot)
      recency.prepend(slot, to: .first, size: 1)
      return true
    }

    /// Evicts the least recent resident, or the one of the farthest predicted request.
    @inlinable
    public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
      if window == 0 { window = max(1, Int64(multiple.floor(of: residents.count))) }
      let victim = victim(host: host)
      if !host.mayEvict(victim) { return }
      isSampling = true
      residents.remove(victim)
      recency.remove(victim, from: .first, size: 1)
      let age = clock &- model.histories.lastRequest(of: victim)
      // One that an earlier, shorter window has passed would not be found again.
      if age >= window || known.owner(of: victim) == .none {
        label(victim, as: age &+ window, size: host.size(of: victim))
        forget(victim)
        host.didEvictAndForget(victim)
      } else {
        ghosts.insert(victim)
        host.didEvict(victim)
      }
    }

    /// Forgets the slot, resident or ghost, and its samples.
    @inlinable
    public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
      if residents.contains(slot) {
        residents.remove(slot)
        recency.remove(slot, from: .first, size: 1)
      } else if ghosts.contains(slot) {
        ghosts.remove(slot)
      } else {
        return
      }
      forget(slot)
      host.didForget(slot)
    }

    /// Forgets every slot; the trees stay, and the rows of the next training.
    public mutating func removeAll() {
      residents.removeAll()
      ghosts.removeAll()
      recency.removeAll()
      known.removeAll()
      model.removeAll()
    }

    /// The window is measured anew at the next eviction.
    @inlinable
    public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
      window = 0
    }

    /// Grows the arrays.
    public mutating func reserve(slots: Int) {
      residents.reserve(slots: slots)
      ghosts.reserve(slots: slots)
      recency.reserve(slots: slots)
      known.reserve(slots: slots)
      model.histories.reserve(slots: slots)
    }

    /// Shows the window, the trainings, the size of the model and the samples that wait for the next training.
    public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
      let costs = model.costs
      show("window", Double(window))
      show("trainings", Double(costs.trainings))
      show("model-bytes", Double(costs.modelBytes))
      show("waiting", Double(model.waitingRows))
    }

    /// The costs of trainings and predictions so far.
    public var learningCosts: LearningCosts? { model.costs }
  }

  extension LRB {
    /// Counts the request for `newcomer`, and forgets the ghosts that were last requested a window ago.
    @inlinable
    mutating func advance(to newcomer: Slot, host: inout some SlotHost & ~Copyable) {
      clock &+= 1
      if window == 0 { return }
      while let slot = known.back(of: .first),
        clock &- model.histories.lastRequest(of: slot) >= window
      {
        if residents.contains(slot) {
          known.remove(slot, from: .first, size: 1)
          continue
        }
        label(slot, as: 2 &* window, size: host.size(of: slot))
        ghosts.remove(slot)
        forget(slot)
        // The newcomer's slot stays a ghost to the host, until it is admitted or refused.
        if slot != newcomer { host.didForget(slot) }
      }
    }

    /// Labels the samples of a slot that is requested again, and adds the request to its past.
    @usableFromInline
    mutating func requestAgain(_ slot: Slot, size: Int) {
      model.label(slot, size: size, now: clock, window: window)
      model.histories.request(slot, at: clock)
      if known.owner(of: slot) == .first {
        known.moveToFront(slot, of: .first)
      } else {
        known.prepend(slot, to: .first, size: 1)
      }
    }

    @usableFromInline
    mutating func label(_ slot: Slot, as distance: Int64, size: Int) {
      model.label(slot, size: size, now: clock, window: window, limit: distance)
    }

    /// Draws a resident or a ghost as a sample.
    @usableFromInline
    mutating func drawSample() {
      let count = residents.count + ghosts.count
      if !isSampling || count == 0 { return }
      let index = generator.index(below: count)
      let slot = index < residents.count ? residents[index] : ghosts[index - residents.count]
      model.histories.sample(slot, at: clock)
    }

    @usableFromInline
    mutating func forget(_ slot: Slot) {
      if known.owner(of: slot) == .first { known.remove(slot, from: .first, size: 1) }
      model.histories.forget(slot)
    }

    /// Chooses the resident that leaves next.
    @inlinable
    mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
      model.takeTrees()
      guard let oldest = recency.unpinnedBack(of: .first, host: host) else {
        preconditionFailure("there is nothing to evict")
      }
      if !model.isTrained || clock &- model.histories.lastRequest(of: oldest) >= window {
        return oldest
      }
      let comparesAll = residents.count <= sample
      var count = 0
      for index in 0..<(comparesAll ? residents.count : sample) {
        let slot = comparesAll ? residents[index] : residents.draw(&generator, host: host)
        if comparesAll && host.isPinned(slot) { continue }
        model.describe(count, slot, size: host.size(of: slot), now: clock, window: window)
        count += 1
      }
      model.predict(count)
      var victim = model.candidate(0)
      var farthest = -Float.infinity
      for index in 0..<count {
        let slot = model.candidate(index)
        let weight = weighsSize ? Float(host.size(of: slot)) : 1
        let distance = model.prediction(index) * weight
        if distance > farthest {
          farthest = distance
          victim = slot
        }
      }
      return victim
    }
  }
#endif

#if Learned
  import EvictionCore
  import Parameters

  /// GL-Cache: objects that came together are a segment, and the segments of the least predicted utility are merged.
  ///
  /// Not a `PinnablePolicy`: objects leave as a group, and those that stay become others' neighbours and are counted anew.
  public struct GLCache: ReplacementPolicy, ~Copyable {
    /// The objects, each in the list of its segment, the front the newest.
    @usableFromInline var lists: SlotLists<UInt32>
    @usableFromInline var objects: SlotArray<CachedObject>
    /// Indexed by list number; the first is no segment.
    @usableFromInline var segments = [Segment()]
    /// A segment that is free, the head of a chain of them.
    @usableFromInline var free = 0
    @usableFromInline var oldest = 0
    @usableFromInline var newest = 0
    @usableFromInline var inUse = 0
    /// The segment from which segments are merged next as long as nothing was learned.
    @usableFromInline var nextToMerge = 0
    /// The segments by rising utility, as of the last ranking; 0 for one that is gone.
    @usableFromInline var ranked: [UInt32] = []
    /// The number of ranked segments that were passed.
    @usableFromInline var position = 0
    @usableFromInline var candidates: [Candidate] = []
    @usableFromInline var learner: SegmentLearner
    /// The number of requests.
    @usableFromInline var clock = Int64(0)
    @usableFromInline var lastTraining = Int64(0)
    @usableFromInline var missRatio = Float(0.5)
    @usableFromInline var misses = 0
    @usableFromInline var lastRatio = Int64(0)
    @usableFromInline var residents = 0
    @usableFromInline var used = 0
    @usableFromInline var capacity: Int
    @usableFromInline let mostObjects: Int
    @usableFromInline let fewestSegments: Int
    @usableFromInline let merged: Int
    @usableFromInline let rankedShare: Double
    @usableFromInline let interval: Int64

    /// The record of an object or a ghost.
    @usableFromInline
    struct CachedObject: BitwiseCopyable {
      /// The number of the last request.
      @usableFromInline var last: Int64
      /// The row of the snapshot to which the next request counts although the segment may be gone by then; −1 for
      /// none. A slot with a row that is in no segment is a ghost.
      @usableFromInline var row = Int32(-1)
      /// True if it was hit in its segment.
      @usableFromInline var isActive = false

      @inlinable
      init(last: Int64) { self.last = last }
    }

    /// A group of objects, in the chain of all segments.
    @usableFromInline
    struct Segment: BitwiseCopyable {
      @usableFromInline var older = 0
      @usableFromInline var newer = 0
      @usableFromInline var created = Int64(0)
      @usableFromInline var hits = 0
      @usableFromInline var active = 0
      @usableFromInline var missRatio = Float(0)
      /// Its row of the snapshot, −1 for none.
      @usableFromInline var row = Int32(-1)
      /// True once it was in a snapshot.
      @usableFromInline var wasChosen = false
      /// Its place among the ranked segments, −1 for none.
      @usableFromInline var rank = Int32(-1)

      @inlinable
      init() {}
    }

    /// An object that may leave, or a segment, to be ordered by its score.
    @usableFromInline
    struct Candidate: BitwiseCopyable {
      @usableFromInline var score: Double
      /// True once it was in a snapshot.
      @usableFromInline var wasChosen = false
      /// Its place among them: of equals the first is kept, or leaves.
      @usableFromInline var place: Int32
      @usableFromInline var number: UInt32

      @inlinable
      init(score: Double, place: Int, number: UInt32) {
        self.score = score
        self.place = Int32(truncatingIfNeeded: place)
        self.number = number
      }
    }

    /// The last model's costs, and those of all before.
    public var learningCosts: LearningCosts? {
      var costs = learner.costs
      costs.featureBytes = learner.featureBytes
      return costs
    }

    /// Creates an empty cache's policy.
    public init(_ configuration: PolicyConfiguration) {
      let arguments = configuration.arguments
      lists = SlotLists(count: 0, slots: configuration.slots)
      objects = SlotArray(repeating: CachedObject(last: 0), slots: configuration.slots)
      learner = SegmentLearner(
        seed: configuration.seed, isBeside: configuration.trainsBesideRequests)
      capacity = configuration.capacity
      mostObjects = arguments.integer("objects")
      fewestSegments = arguments.integer("segments")
      merged = arguments.integer("merge")
      rankedShare = arguments.fraction("rank").double
      interval = Int64(arguments.integer("retrain"))
    }

    /// Passes on what changes.
    public mutating func visitState(_ state: inout PolicyState) {
      lists.visitState(&state)
      objects.visitState(&state)
      state.visit(&segments)
      state.visit(&free)
      state.visit(&oldest)
      state.visit(&newest)
      state.visit(&inUse)
      state.visit(&nextToMerge)
      state.visit(&ranked)
      state.visit(&position)
      learner.visitState(&state)
      state.visit(&clock)
      state.visit(&lastTraining)
      state.visit(&missRatio)
      state.visit(&misses)
      state.visit(&lastRatio)
      state.visit(&residents)
      state.visit(&used)
      state.visit(&capacity)
      if segments.count != lists.count + 1 { state.refuse() }
    }

    /// Returns true if the object in `slot` is resident.
    @inlinable @inline(__always)
    public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

    /// Prefetches the slot's records.
    @inlinable @inline(__always)
    public func prefetch(_ slot: Slot) {
      lists.prefetch(slot)
      objects.prefetch(slot)
    }

    /// Counts the hit of the object and of its segment.
    @inlinable @inline(__always)
    public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
      clock += 1
      let slot = request.slot
      let segment = Int(lists.owner(of: slot).rawValue)
      segments[segment].hits += 1
      if !objects[slot].isActive {
        objects[slot].isActive = true
        segments[segment].active += 1
      }
      objects[slot].last = clock
      let row = segments[segment].row
      if row >= 0 {
        learner.credit(Int(row), size: request.size, now: clock)
        objects[slot].row = -1
      } else {
        creditFormerSegment(request)
      }
    }

    /// Counts the first request since the snapshot for an object that has left its segment of then.
    @inlinable @inline(__always)
    mutating func creditFormerSegment(_ request: Request) {
      let row = objects[request.slot].row
      if row >= 0 {
        learner.credit(Int(row), size: request.size, now: clock)
        objects[request.slot].row = -1
      }
    }

    /// Puts the object into the newest segment; trains if it is time.
    @inlinable @inline(__always)
    public mutating func insert(
      _ request: Request, host: inout some SlotHost & ~Copyable
    ) -> Bool {
      clock += 1
      misses += 1
      creditFormerSegment(request)
      if clock - lastRatio > 10_000 { updateMissRatio() }
      if learner.hasSnapshot && clock - lastTraining > interval { learn(host: &host) }
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      if newest == 0 || lists.count(of: GLCache.list(of: newest)) >= mostObjectsNow { open() }
      lists.prepend(request.slot, to: GLCache.list(of: newest), size: request.size)
      objects[request.slot] = CachedObject(last: clock)
      residents += 1
      used += request.size
      return true
    }

    /// Merges segments until an object has left.
    @inlinable
    public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
      if !learner.hasSnapshot { takeSnapshot() }
      learner.takeModel()
      let before = residents
      while residents == before && !host.hasRefused {
        let first = learner.isTrained ? leastUseful() : nextInOrder()
        merge(from: first, host: &host)
      }
    }

    /// Takes the slot out of its segment, or forgets the ghost.
    @inlinable
    public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
      let owner = lists.owner(of: slot)
      if owner != .none {
        leave(slot, size: host.size(of: slot))
        if lists.isEmpty(owner) { release(Int(owner.rawValue)) }
      } else if objects[slot].row < 0 {
        return
      }
      objects[slot].row = -1
      host.didForget(slot)
    }

    /// Empties the segments, and drops the snapshot. The model stays.
    public mutating func removeAll() {
      lists.removeAll()
      objects.removeAll()
      segments.removeSubrange(1...)
      free = 0
      while segments.count <= lists.count { addFree(segments.count) }
      oldest = 0
      newest = 0
      nextToMerge = 0
      inUse = 0
      ranked.removeAll(keepingCapacity: true)
      position = 0
      residents = 0
      used = 0
      learner.hasSnapshot = false
    }

    /// Notes the capacity, on which the number of objects of a segment depends.
    @inlinable
    public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
      self.capacity = capacity
    }

    /// Counts the object's new size in its segment.
    @inlinable
    public mutating func changeSize(of slot: Slot, by difference: Int) {
      lists.changeSize(of: slot, by: difference)
      used += difference
    }

    /// Grows the arrays.
    @inlinable
    public mutating func reserve(slots: Int) {
      lists.reserve(slots: slots)
      objects.reserve(slots: slots)
    }

    /// The segments in use, and what was learned.
    public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
      show("segments", Double(inUse))
      show("trainings", Double(learner.costs.trainings))
      show("model-bytes", Double(learner.costs.modelBytes))
    }
  }
#endif

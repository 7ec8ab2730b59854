import Parameters

/// Segcache: objects of about the same time to live share segments, which expire as a whole, and are evicted by merging.
public struct Segcache: PinnablePolicy, ~Copyable {
  /// The objects, each in the list of its segment, the front the newest.
  @usableFromInline var lists: SlotLists<UInt16>
  /// Indexed by slot: the hits since the object's entry, or since it was last merged.
  @usableFromInline var hits: SlotArray<UInt8>
  @usableFromInline var segments: [Segment]
  @usableFromInline var buckets: [Bucket]
  /// A bit for each bucket that has segments.
  @usableFromInline var occupied = [UInt64](repeating: 0, count: Segcache.never / 64 + 1)
  /// A segment that is free, the head of a chain of them.
  @usableFromInline var free: Int
  @usableFromInline var inUse = 0
  @usableFromInline var opened = 0
  @usableFromInline var residents = 0
  @usableFromInline var segmentSize = 1
  @usableFromInline var segmentLimit = 1
  @usableFromInline let segmentCount: Int
  @usableFromInline let resolution: Int64
  /// The time of the last miss, and of the last expiry.
  @usableFromInline var now = Int64.min
  @usableFromInline var lastExpiry = Int64.min
  /// The bucket that was merged last.
  @usableFromInline var lastBucket = 0
  @usableFromInline var emptyMerges = 0
  @usableFromInline var fullMerges = 0

  /// A part of the log, in the chain of its bucket.
  @usableFromInline
  struct Segment: BitwiseCopyable {
    @usableFromInline var bucket = 0
    @usableFromInline var older = Segcache.none
    @usableFromInline var newer = Segcache.none
    /// The size of what was written, with the holes of what was removed.
    @usableFromInline var written = 0
    @usableFromInline var created = Int64(0)
    /// The number of segments opened before; negative for one that is free.
    @usableFromInline var number = -1

    @inlinable
    init() {}
  }

  /// The segments of about one time to live.
  @usableFromInline
  struct Bucket: BitwiseCopyable {
    @usableFromInline var oldest = Segcache.none
    @usableFromInline var newest = Segcache.none
    @usableFromInline var nextToMerge = Segcache.none

    @inlinable
    init() {}
  }

  @inlinable static var none: Int { -1 }
  /// The bucket of what never expires, after 1,024 for times to live.
  @inlinable static var never: Int { 1_024 }

  /// Times, and when objects expire.
  @inlinable
  public static var needs: RequestNeeds { [.time, .expiry] }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    segmentCount = configuration.arguments.integer("segments")
    resolution = Int64(configuration.arguments.integer("resolution"))
    lists = SlotLists(count: segmentCount, slots: configuration.slots)
    hits = SlotArray(repeating: 0, slots: configuration.slots)
    segments = Array(repeating: Segment(), count: segmentCount)
    buckets = Array(repeating: Bucket(), count: Segcache.never + 1)
    free = 0
    chainFree()
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    hits.visitState(&state)
    state.visit(&segments)
    state.visit(&buckets)
    state.visit(&occupied)
    state.visit(&free)
    state.visit(&inUse)
    state.visit(&opened)
    state.visit(&residents)
    state.visit(&segmentSize)
    state.visit(&segmentLimit)
    state.visit(&now)
    state.visit(&lastExpiry)
    state.visit(&lastBucket)
    state.visit(&emptyMerges)
    state.visit(&fullMerges)
  }

  @usableFromInline
  mutating func chainFree() {
    for segment in 0..<segmentCount {
      segments[segment] = Segment()
      segments[segment].newer = segment + 1 < segmentCount ? segment + 1 : Segcache.none
    }
    free = 0
  }

  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    segmentSize = max(1, capacity / segmentCount + (capacity % segmentCount == 0 ? 0 : 1))
    segmentLimit = max(1, capacity / segmentSize)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  /// Prefetches the slot's links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// Counts the hit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    hits[request.slot] = min(hits[request.slot] + 1, 127)
  }

  /// One of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { hits[slot] >= 127 }

  /// Writes the object into the newest segment of its bucket.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    now = request.time / resolution
    guard request.expiry > request.time, request.size <= segmentSize, expire(host: &host) else {
      return refuse(request, host: &host)
    }
    let bucket =
      request.expiry == .max
      ? Segcache.never : Segcache.bucket(of: (request.expiry - request.time) / resolution)
    while true {
      if host.hasRoom(for: request) {
        let newest = buckets[bucket].newest
        if newest != Segcache.none && segments[newest].written + request.size <= segmentSize {
          write(request, into: newest)
          return true
        }
        if inUse < segmentLimit {
          open(bucket)
          continue
        }
      }
      if !reclaim(host: &host) { return refuse(request, host: &host) }
    }
  }

  /// Merges segments, or empties the oldest, until an object has left.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let before = residents
    while residents == before && reclaim(host: &host) {}
  }

  /// Takes the slot out of its segment.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    let owner = lists.owner(of: slot)
    if owner == .none { return }
    lists.remove(slot, size: host.size(of: slot))
    residents -= 1
    host.didForget(slot)
    if lists.isEmpty(owner) { release(Int(owner.rawValue) - 1) }
  }

  /// Empties the segments.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    chainFree()
    for bucket in buckets.indices { buckets[bucket] = Bucket() }
    for word in occupied.indices { occupied[word] = 0 }
    inUse = 0
    residents = 0
  }

  /// Sets the size of segments, and their number.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
  }

  /// Counts the object's new size in its segment.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
    segments[Int(lists.owner(of: slot).rawValue) - 1].written += difference
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    hits.reserve(slots: slots)
  }

  /// The segments in use.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("segments", Double(inUse))
  }
}

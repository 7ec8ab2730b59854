import EvictionCore
import Synchronization

/// A directory in memory: each key of the store, with a policy over them.
///
/// It is a cache in memory whose values are in the store, so that a disk cache decides as `MemoryCache`
/// does, to the last hit.
final class PolicyDirectory: DiskDirectory {
  /// The value of every entry: that it is there.
  private struct Presence {}

  private let entries: MemoryCache<TextKey, Presence>
  /// The requests that make a newcomer a resident.
  private let requestsToAdmit: Int
  let leaving = LeavingKeys()

  private let clock: WallClock
  private let observer: DirectoryObserver?

  /// An empty directory.
  init(
    _ limits: DiskCacheLimits, clock: WallClock, cacheClock: CacheClock
  ) throws(PolicyError) {
    self.clock = clock
    let leaving = leaving
    requestsToAdmit = try limits.policy.requestsToAdmit
    observer = limits.observer.map(DirectoryObserver.init)
    var options = MemoryCacheOptions()
    options.clock = cacheClock
    entries = try MemoryCache.open(
      countLimit: limits.count, costLimit: limits.cost, costs: .given, policy: limits.policy,
      admission: limits.admission, seed: limits.seed, observer: observer, options: options,
      onRemoval: { key, _, cause in
        switch cause {
        case .size: leaving.evict(key)
        case .expired: leaving.expire(key)
        case .replaced, .removed, .discarded: break
        }
      })
  }

  /// Tells the policy of every row: by access, or, where accesses are not recorded, by insertion.
  ///
  /// What is too old, does not fit the limits any more, or has a damaged row, is leaving. An admission
  /// filter hears of all, and refuses none: they were admitted once.
  ///
  /// - Parameter deadline: Until when an entry may be returned; nil for ever.
  func rebuild(
    from store: HybridStore, byAccess: Bool, deadline: (StoredMetadata) -> Int64?
  ) throws(StoreError) {
    func add(_ row: StoredRow) throws(StoreError) {
      let key = TextKey(row.key)
      guard row.metadata.cost >= 0 else { return leaving.add(key, .discarded) }
      let tags = row.metadata.extendedSize > 0 ? try store.tags(row.key) : []
      // A policy that admits what is requested again is told again.
      for _ in 0..<requestsToAdmit
      where admit(key, cost: row.metadata.cost, deadline: deadline(row.metadata), tags: tags) {
        return
      }
    }
    try entries.admittingAll { () throws(StoreError) in
      if byAccess {
        try store.forEachBatch { rows throws(StoreError) in
          for row in rows { try add(row) }
          return true
        }
      } else {
        var all: [StoredRow] = []
        try store.forEachBatch { rows in
          all += rows
          return true
        }
        all.sort { $0.metadata.insertion < $1.metadata.insertion }
        for row in all { try add(row) }
      }
    }
  }

  /// From now on the observer hears of operations.
  func beginObservation() { observer?.isOpen.store(true, ordering: .relaxed) }

  func use(_ key: TextKey) -> Bool { entries.value(forKey: key) != nil }

  func holds(_ key: TextKey) -> Bool? { entries.contains(key) }

  func timeRemaining(of key: TextKey) -> Duration? { entries.timeRemaining(forKey: key) }

  func admit(_ key: TextKey, cost: Int, deadline: Int64?, tags: Set<String>) -> Bool {
    let life = deadline.map { clock.time(until: $0) }
    let isStored =
      if !tags.isEmpty {
        entries.set(
          Presence(), forKey: key, tags: tags, cost: cost, expiration: life.map { .after($0) })
      } else if let life {
        entries.set(Presence(), forKey: key, cost: cost, expiration: .after(life))
      } else {
        entries.set(Presence(), forKey: key, cost: cost)
      }
    if isStored {
      leaving.keep(key)
    } else {
      leaving.add(key, life?.nanoseconds == 0 ? .expired : .size)
    }
    return isStored
  }

  func setLife(_ life: Duration?, of key: TextKey) {
    entries.setExpiration(Expiration(timeToLive: life), forKey: key)
  }

  func keeps(_ key: TextKey) -> Bool {
    guard entries.contains(key) else { return false }
    leaving.removed([key])
    if entries.contains(key) { return true }
    // It has just left once more.
    leaving.add(key, .expired)
    return false
  }

  /// No other process puts anything under these keys.
  func removalFailed() {}

  func removed(_ key: TextKey) { entries.remove(key) }

  func removeAll() { entries.removeAll() }

  func removeOutdated() -> Bool {
    entries.trim()
    return true
  }

  func trim(toCount count: Int, cost: Int, atMost limit: Int) -> Int {
    entries.trim(toCount: count, cost: cost, atMost: limit)
  }

  func enforceLimits() {}

  func keys(tagged tag: String) -> [TextKey] { entries.keys(tagged: tag) }

  func coldest(_ count: Int) -> [TextKey]? { entries.coldest(count) }

  func hottest(_ count: Int) -> [TextKey]? { entries.hottest(count) }

  var policyInternals: [String: Double] { entries.policyInternals }

  var limits: (count: Int?, cost: Int?) { (entries.countLimit, entries.costLimit) }

  func setLimits(count: Int?, cost: Int?) { entries.setLimits(count: count, cost: cost) }

  var keys: [TextKey] { entries.snapshot().map(\.key) }

  var count: Int { entries.count }

  var totalCost: Int { entries.totalCost }
}

/// The observer of a cache on disk, which hears nothing of the entries that opening finds.
private final class DirectoryObserver: CacheObserver {
  private let observer: any CacheObserver
  let isOpen = Atomic(false)

  init(_ observer: any CacheObserver) { self.observer = observer }

  func cacheBegins() { observer.cacheBegins() }

  var observedKeys: SpatialSample { observer.observedKeys }

  func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
    if isOpen.load(ordering: .relaxed) { observer.cacheDid(event, keyHash: keyHash, cost: cost) }
  }
}

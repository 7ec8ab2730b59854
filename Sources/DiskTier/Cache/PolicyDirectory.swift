import Eviction

/// A directory in memory: each key of the store, with a policy over them.
///
/// It is a cache in memory whose values are in the store, so that a disk cache decides as `MemoryCache`
/// does, to the last hit.
final class PolicyDirectory<Policy: ReplacementPolicy & ~Copyable>: DiskDirectory {
  /// The value of every entry: that it is there.
  private struct Presence {}

  private let entries: MemoryCache<TextKey, Presence, Policy>
  let leaving = LeavingKeys()

  /// An empty directory.
  init(_ options: DiskCacheOptions) throws(PolicyError) {
    let leaving = leaving
    entries = try MemoryCache(
      countLimit: options.countLimit, costLimit: options.costLimit,
      parameters: options.parameters, admission: options.admission, seed: options.seed,
      onEviction: { key, _ in leaving.evict(key) })
  }

  /// Tells the policy of every row: by access, or, where accesses are not recorded, by insertion.
  ///
  /// What does not fit the limits any more is leaving.
  func rebuild(from store: HybridStore, byAccess: Bool) throws(StoreError) {
    if byAccess {
      try store.forEachBatch { rows in
        for row in rows { rebuild(row) }
        return true
      }
    } else {
      var all: [StoredRow] = []
      try store.forEachBatch { rows in
        all += rows
        return true
      }
      all.sort { $0.metadata.insertion < $1.metadata.insertion }
      for row in all { rebuild(row) }
    }
  }

  private func rebuild(_ row: StoredRow) {
    let key = TextKey(row.key)
    if !entries.set(Presence(), forKey: key, cost: row.metadata.cost) { leaving.add(key) }
  }

  func use(_ key: TextKey) -> Bool { entries.value(forKey: key) != nil }

  func mayContain(_ key: TextKey) -> Bool { entries.contains(key) }

  func admit(_ key: TextKey, cost: Int) -> Bool {
    if entries.set(Presence(), forKey: key, cost: cost) {
      leaving.keep(key)
      return true
    }
    leaving.add(key)
    return false
  }

  func removed(_ key: TextKey) { entries.removeValue(forKey: key) }

  func removeAll() { entries.removeAll() }

  func trim(toCount count: Int, cost: Int) {
    let limits = (count: entries.countLimit, cost: entries.costLimit)
    if count < entries.count { entries.countLimit = count }
    if cost < entries.totalCost { entries.costLimit = cost }
    setLimits(count: limits.count, cost: limits.cost)
  }

  func enforceLimits() {}

  func setLimits(count: Int?, cost: Int?) {
    if entries.countLimit != count { entries.countLimit = count }
    if entries.costLimit != cost { entries.costLimit = cost }
  }

  var count: Int { entries.count }

  var totalCost: Int { entries.totalCost }
}

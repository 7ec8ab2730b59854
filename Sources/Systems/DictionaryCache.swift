import EvictionCore

/// A dictionary behind a lock: no limits, nothing ever leaves.
package final class DictionaryCache: CacheSystem, @unchecked Sendable {
  package static let information = SystemInformation(
    name: "dictionary-lock",
    summary: "a dictionary and a lock: the least that is safe, without limits",
    policy: "infinite", unboundedBecause: "a dictionary has no limits")

  private let lock: any CacheLock
  private var values: [UInt32: (value: SystemValue, cost: Int)] = [:]
  private var counts = CacheStatistics()

  package init(_ setup: SystemSetup) throws(SystemError) { lock = setup.lock(nil) }

  package func value(forKey key: UInt32) -> SystemValue? {
    var value: SystemValue?
    lock.withLock { value = values[key]?.value }
    return value
  }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    lock.withLock {
      let previous = values.updateValue((value, cost), forKey: key)
      counts.totalCost += cost - (previous?.cost ?? 0)
      if previous == nil { counts.insertions += 1 }
    }
  }

  package func remove(_ key: UInt32) {
    lock.withLock { counts.totalCost -= values.removeValue(forKey: key)?.cost ?? 0 }
  }

  package func removeAll() {
    lock.withLock {
      values = [:]
      counts.totalCost = 0
    }
  }

  package var statistics: CacheStatistics {
    var result = CacheStatistics()
    lock.withLock {
      result = counts
      result.count = values.count
    }
    return result
  }
}

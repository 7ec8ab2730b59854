import EvictionCore
import Synchronization

/// AFNetworking's image cache: a dictionary behind a concurrent queue, purged by sorting all entries.
///
/// An insertion and the purge that it may cause are two barrier blocks that the caller does not wait for; what is
/// called later waits for them. A get runs beside others. When an insertion passes the capacity, all entries are sorted by their last access, and the oldest removed until the preferred
/// size is reached.
///
/// - Complexity: O(1) for a get; O(n log n) for an insertion that purges.
package final class AFImageCache: CacheSystem, @unchecked Sendable {
  package static let information = SystemInformation(
    name: "afnetworking",
    summary:
      "AFAutoPurgingImageCache: beyond the capacity all entries are sorted and the oldest purged",
    policy: "lru", lock: BarrierQueueLock.information.name)

  private final class Entry: Sendable {
    let value: SystemValue
    let cost: Int
    /// The number of the last access. The original's date is written by several readers at once, and may tie.
    let lastAccess: Atomic<UInt64>

    init(_ value: SystemValue, cost: Int, access: UInt64) {
      self.value = value
      self.cost = cost
      lastAccess = Atomic(access)
    }
  }

  /// The capacity of the original, in bytes.
  package static let usualCapacity = 100_000_000
  /// The size that a purge leaves, in bytes, of the usual capacity.
  package static let usualPreferred = 60_000_000

  /// The most that entries cost together.
  package let capacity: Int
  /// The most that a purge leaves.
  package let preferred: Int

  private let queue: any CacheLock
  private let insertions = WorkQueue("afnetworking.insert")
  private let accesses = Atomic<UInt64>(0)
  private var entries: [UInt32: Entry] = [:]
  private var usage = 0
  private var counts = CacheStatistics()
  private var observation: SystemEvents.Observation?

  package init(_ setup: SystemSetup) throws(SystemError) {
    capacity = setup.capacity ?? AFImageCache.usualCapacity
    preferred = setup.capacity.map { $0 / 5 * 3 + $0 % 5 * 3 / 5 } ?? AFImageCache.usualPreferred
    queue = setup.lock(BarrierQueueLock.self)
    observation = setup.events.observe { [weak self] event in
      if case .memoryPressure = event { self?.removeAll() }
    }
  }

  /// The key of an image: its address, and an identifier for what was made of it.
  package static func key(url: String, identifier: String?) -> String { url + (identifier ?? "") }

  /// The cost of an image in bytes.
  package static func cost(width: Int, height: Int, scale: Int) -> Int {
    width * height * scale * scale * 4
  }

  private func nextAccess() -> UInt64 { accesses.add(1, ordering: .relaxed).newValue }

  package func value(forKey key: UInt32) -> SystemValue? {
    var value: SystemValue?
    insertions.wait()
    queue.withSharedLock {
      guard let entry = entries[key] else { return }
      entry.lastAccess.store(nextAccess(), ordering: .relaxed)
      value = entry.value
    }
    return value
  }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    insertions.later { [self] in
      insert(value, forKey: key, cost: cost)
      queue.withLock { if usage > capacity { purge() } }
    }
  }

  private func insert(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    queue.withLock {
      let entry = Entry(value, cost: cost, access: nextAccess())
      let previous = entries.updateValue(entry, forKey: key)
      usage += cost - (previous?.cost ?? 0)
      if previous == nil { counts.insertions += 1 }
    }
  }

  private func purge() {
    let sorted = entries.sorted {
      $0.value.lastAccess.load(ordering: .relaxed) < $1.value.lastAccess.load(ordering: .relaxed)
    }
    for (key, entry) in sorted {
      if usage <= preferred { return }
      entries[key] = nil
      usage -= entry.cost
      counts.evictions += 1
    }
  }

  package func remove(_ key: UInt32) { _ = removeValue(forKey: key) }

  /// Removes the value of `key`. Returns true if there was one.
  package func removeValue(forKey key: UInt32) -> Bool {
    var isRemoved = false
    insertions.wait()
    queue.withLock {
      guard let entry = entries.removeValue(forKey: key) else { return }
      usage -= entry.cost
      isRemoved = true
    }
    return isRemoved
  }

  package func removeAll() { _ = removeAllValues() }

  /// Removes all values. Returns true if there were any.
  package func removeAllValues() -> Bool {
    var isRemoved = false
    insertions.wait()
    queue.withLock {
      isRemoved = !entries.isEmpty
      entries = [:]
      usage = 0
    }
    return isRemoved
  }

  /// The cost of all entries.
  package var memoryUsage: Int {
    var result = 0
    insertions.wait()
    queue.withSharedLock { result = usage }
    return result
  }

  package var statistics: CacheStatistics {
    var result = CacheStatistics()
    insertions.wait()
    queue.withSharedLock {
      result = counts
      result.count = entries.count
      result.totalCost = usage
    }
    return result
  }

  package func finish() { insertions.wait() }
}

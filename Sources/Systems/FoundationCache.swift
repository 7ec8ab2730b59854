import EvictionCore
import Foundation
import Synchronization

/// Foundation's own `NSCache`, as it is on this platform.
///
/// Foundation on Linux evicts the lowest cost first and, among equals, the newest: a full cache of equal costs admits
/// nothing.
package final class FoundationCache: CacheSystem, @unchecked Sendable {
  package static let information = SystemInformation(
    name: "nscache",
    summary: "Foundation's NSCache; on Linux a full cache of equal costs admits nothing",
    policy: "lru",
    lock: "own")

  private let cache = NSCache<BoxedKey, BoxedValue>()
  private let delegate: EvictionCounter
  private let insertions = Atomic(0)

  package init(_ setup: SystemSetup) throws(SystemError) {
    delegate = EvictionCounter()
    cache.delegate = delegate
    cache.countLimit = setup.countLimit ?? 0
    cache.totalCostLimit = setup.costLimit ?? 0
  }

  package func value(forKey key: UInt32) -> SystemValue? {
    cache.object(forKey: BoxedKey(key))?.bytes
  }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    insertions.add(1, ordering: .relaxed)
    cache.setObject(BoxedValue(value), forKey: BoxedKey(key), cost: cost)
  }

  package func remove(_ key: UInt32) { cache.removeObject(forKey: BoxedKey(key)) }

  package func removeAll() { cache.removeAllObjects() }

  /// `NSCache` does not say how many objects it holds.
  package var statistics: CacheStatistics {
    var statistics = CacheStatistics()
    statistics.insertions = insertions.load(ordering: .relaxed)
    statistics.evictions = delegate.evictions.load(ordering: .relaxed)
    return statistics
  }

  /// Counts what leaves before it does.
  private final class EvictionCounter: NSObject, NSCacheDelegate {
    let evictions = Atomic(0)

    func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject object: Any) {
      evictions.add(1, ordering: .relaxed)
    }
  }
}

/// A key as an object, which `NSCache` wants.
final class BoxedKey: NSObject {
  let key: UInt32

  init(_ key: UInt32) { self.key = key }

  override var hash: Int { Int(truncatingIfNeeded: UInt64(key) &* 0x9E37_79B9_7F4A_7C15) }

  override func isEqual(_ object: Any?) -> Bool { (object as? BoxedKey)?.key == key }
}

/// A value as an object.
final class BoxedValue: NSObject {
  let bytes: SystemValue

  init(_ bytes: SystemValue) { self.bytes = bytes }
}

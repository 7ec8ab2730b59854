import DiskTier
import EvictionCore
import Parameters

/// This project's cache on disk.
package final class DiskSystem: CacheSystem {
  package static let information = SystemInformation(
    name: "diskcache", summary: "this project's DiskCache, with any policy", policy: "s3fifo",
    lock: AdaptiveLock.information.name, usesDisk: true,
    parameters: [
      .policy,
      Parameter(
        "inline", .bytes(in: 0...Int.max), default: .integer(20_480),
        help: "values larger than this are files"),
    ])

  private let cache: DiskCache<UInt32, SystemValue>
  private let path: String

  package init(_ setup: SystemSetup) throws(SystemError) {
    var options = DiskCacheOptions()
    options.trimInterval = nil
    options.store.inlineThreshold = setup.arguments.integer("inline")
    path = "\(setup.folder)/diskcache"
    cache = try SystemError.onDisk(path) { () throws(DiskCacheError) in
      try DiskCache.open(
        path: "\(setup.folder)/diskcache", countLimit: setup.countLimit, costLimit: setup.costLimit,
        policy: setup.policy, seed: setup.seed, options: options, coder: .bytes)
    }
  }

  package func value(forKey key: UInt32) throws(SystemError) -> SystemValue? {
    try SystemError.onDisk(path) { () throws(DiskCacheError) in try cache.value(forKey: key) }
  }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) throws(SystemError) {
    try SystemError.onDisk(path) { () throws(DiskCacheError) in
      _ = try cache.set(value, forKey: key, cost: cost)
    }
  }

  package func remove(_ key: UInt32) throws(SystemError) {
    try SystemError.onDisk(path) { () throws(DiskCacheError) in _ = try cache.remove(key) }
  }

  package func removeAll() throws(SystemError) {
    try SystemError.onDisk(path) { () throws(DiskCacheError) in try cache.removeAll() }
  }

  package var statistics: CacheStatistics { cache.statistics }

  package func finish() throws(SystemError) {
    cache.waitForBackgroundWork()
    try SystemError.onDisk(path) { () throws(DiskCacheError) in try cache.flush() }
  }
}

extension SystemError {
  /// Calls `body`, which uses a cache on disk.
  static func onDisk<Value>(
    _ path: String, _ body: () throws(DiskCacheError) -> Value
  ) throws(SystemError) -> Value {
    do throws(DiskCacheError) {
      return try body()
    } catch { throw .disk(path: path, problem: "\(error)") }
  }

  /// Calls `body`, which uses files through Foundation.
  static func onFiles<Value>(_ path: String, _ body: () throws -> Value) throws(SystemError)
    -> Value
  {
    do { return try body() } catch {
      throw .disk(path: path, problem: error.localizedDescription)
    }
  }
}

import DiskTier
import EvictionCore
import Foundation
import Parameters
import Synchronization

/// YYCache: ``YYMemoryCache`` before a disk cache, both least recently used first.
///
/// Sets and removals go to both, a hit on disk is taken into memory. Values larger than the threshold are files, others
/// rows. Limits of the disk are kept by a trim every 60 seconds, in the order cost, count, age and free space; between
/// two trims it holds more.
package final class YYCache: CacheSystem {
  package static let information = SystemInformation(
    name: "yycache",
    summary:
      "YYCache: an LRU in memory before SQLite and files, which a trim every minute brings within limits",
    policy: "lru", lock: PThreadLock.information.name, usesDisk: true,
    parameters: [
      Parameter(
        "memory", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "limit of the memory tier, as a fraction of the capacity"),
      Parameter(
        "inline", .bytes(in: 0...Int.max), default: .integer(20_480),
        help: "values larger than this are files; 0 for files only"),
      Parameter(
        "later", .flag, default: .flag(false),
        help: "trims memory costs on a queue, as the original does; hits then depend on the machine"
      ),
      .background(every: 0),
    ])

  /// The time between two trims of the disk.
  package static let trimInterval = Duration.seconds(60)

  package let memory: YYMemoryCache<UInt32, SystemValue>
  package let disk: DiskCache<UInt32, SystemValue>
  private let countLimit: Int?
  private let costLimit: Int?
  /// The time without a use after which entries leave the disk at a trim; nil for any.
  private let ageLimit: Duration?
  private let freeSpaceFloor: Int
  private let trimmed = Mutex(0)

  package convenience init(_ setup: SystemSetup) throws(SystemError) {
    try self.init(setup, ageLimit: nil, freeSpaceFloor: 0)
  }

  /// - Parameters:
  ///   - ageLimit: The time without a use, on the system's clock, after which entries leave the disk at a trim; nil for
  ///     any.
  ///   - freeSpaceFloor: The bytes that a trim leaves free on the disk.
  package init(
    _ setup: SystemSetup, ageLimit: Duration?, freeSpaceFloor: Int
  ) throws(SystemError) {
    let inMemory = setup.part(setup.arguments.fraction("memory")) ?? .max
    // The semaphore of the disk is the store's own.
    let lock = setup.lock(PThreadLock.self)
    memory = YYMemoryCache(
      name: "yycache", countLimit: setup.isSized ? .max : inMemory,
      costLimit: setup.isSized ? inMemory : .max, lock: (lock as? any TryableLock) ?? PThreadLock(),
      clock: setup.clock, events: setup.events, trimsLater: setup.arguments.flag("later"))
    countLimit = setup.countLimit
    costLimit = setup.costLimit
    self.ageLimit = ageLimit
    self.freeSpaceFloor = freeSpaceFloor
    var options = DiskCacheOptions()
    options.trimInterval = nil
    options.store.inlineThreshold = setup.arguments.integer("inline")
    let path = "\(setup.folder)/yycache"
    var environment = StoreEnvironment()
    let start = environment.now()
    environment.now = { [clock = setup.clock] in start &+ Int64(clamping: clock.now) }
    disk = try SystemError.onDisk(path) { () throws(DiskCacheError) in
      try DiskCache.open(
        path: path, limits: DiskCacheLimits(policy: .lru, seed: setup.seed), options: options,
        coder: .bytes, environment: environment)
    }
    setup.clock.repeat(every: YYCache.trimInterval) { [weak self] in try? self?.trimDisk() }
  }

  package func value(forKey key: UInt32) throws(SystemError) -> SystemValue? {
    if let value = memory.value(forKey: key) { return value }
    let found = try onDisk { () throws(DiskCacheError) in try disk.entry(forKey: key) }
    guard let found else { return nil }
    memory.set(found.value, forKey: key, cost: found.metadata.cost)
    return found.value
  }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) throws(SystemError) {
    memory.set(value, forKey: key, cost: cost)
    try onDisk { () throws(DiskCacheError) in _ = try disk.set(value, forKey: key, cost: cost) }
  }

  package func remove(_ key: UInt32) throws(SystemError) {
    memory.remove(key)
    try onDisk { () throws(DiskCacheError) in _ = try disk.remove(key) }
  }

  package func removeAll() throws(SystemError) {
    memory.removeAll()
    try onDisk { () throws(DiskCacheError) in try disk.removeAll() }
  }

  /// Trims the disk by cost, count, age and free space, in this order.
  package func trimDisk() throws(SystemError) {
    let number = try onDisk { () throws(DiskCacheError) in
      var number = 0
      if let costLimit { number += try disk.trim(toCost: costLimit) }
      if let countLimit { number += try disk.trim(toCount: countLimit) }
      if let ageLimit { number += try disk.trim(unusedFor: ageLimit) }
      let missing =
        freeSpaceFloor > 0 ? freeSpaceFloor - (DiskSpace.free(at: disk.path) ?? .max) : 0
      if missing > 0 {
        let before = try disk.count
        try disk.trim(freeing: missing)
        number += max(0, before - (try disk.count))
      }
      return number
    }
    trimmed.withLock { $0 += number }
  }

  private func onDisk<Value>(
    _ body: () throws(DiskCacheError) -> Value
  ) throws(SystemError) -> Value {
    try SystemError.onDisk(disk.path, body)
  }

  package var statistics: CacheStatistics {
    var statistics = disk.statistics
    statistics.evictions = trimmed.withLock { $0 }
    return statistics
  }

  package func finish() throws(SystemError) {
    memory.finish()
    disk.waitForBackgroundWork()
    try onDisk { () throws(DiskCacheError) in try disk.flush() }
  }
}

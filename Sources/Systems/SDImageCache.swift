import EvictionCore
import Foundation
import Parameters
import Synchronization

/// SDWebImage's image cache: `NSCache` before a folder of files that one serial queue reads and writes; a set does not
/// wait for its file.
///
/// A file bears the hash of its key. What was not modified for a week leaves at a clean-up, and if a size limit is
/// exceeded then, the longest unmodified leave until less than half of it is used. Clean-ups run in the background and at
/// termination; memory pressure clears the memory only.
package final class SDImageCache: CacheSystem, @unchecked Sendable {
  package static let information = SystemInformation(
    name: "sdwebimage",
    summary:
      "SDImageCache: NSCache before files; a clean-up in the background leaves half of the limit",
    policy: "lru", lock: SerialQueueLock.information.name, usesDisk: true,
    parameters: [
      Parameter(
        "memory", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "limit of the memory cache, as a fraction of the capacity"),
      .background(every: 100_000),
    ])

  /// The age at which files leave.
  package static let maximumAge = Duration.seconds(7 * 24 * 3_600)

  /// The facts of a file.
  private struct File {
    var cost: Int
    /// The last modification, on the clock.
    var modified: UInt64
    /// The number of the modification, which orders those at one moment.
    var number: Int
  }

  private let memory: FoundationCache
  private let ioQueue: any CacheLock
  private let io = WorkQueue("sdwebimage.io")
  private let failure = Mutex<SystemError?>(nil)
  private let clock: SystemClock
  private let folder: String
  private let limit: Int?
  private var files: [UInt32: File] = [:]
  private var modifications = 0
  private var counts = CacheStatistics()
  private var observation: SystemEvents.Observation?

  package init(_ setup: SystemSetup) throws(SystemError) {
    var memorySetup = setup
    memorySetup.capacity = setup.part(setup.arguments.fraction("memory"))
    memory = try FoundationCache(memorySetup)
    ioQueue = setup.lock(SerialQueueLock.self)
    clock = setup.clock
    folder = setup.folder
    limit = setup.capacity
    observation = setup.events.observe { [weak self] event in
      switch event {
      case .memoryPressure: self?.memory.removeAll()
      case .background: self?.terminate()
      }
    }
  }

  /// The name of a key's file: its hash.
  package static func fileName(of key: UInt32) -> String {
    let hash = [0, 1].map { key.stableHash(seed: $0) }
    return hash.map { String(format: "%016llx", $0) }.joined()
  }

  /// The cost of an image in memory: its pixels.
  package static func cost(width: Int, height: Int, scale: Int) -> Int {
    width * height * scale * scale
  }

  private func path(of key: UInt32) -> String { "\(folder)/\(SDImageCache.fileName(of: key))" }

  package func value(forKey key: UInt32) -> SystemValue? {
    if let value = memory.value(forKey: key) { return value }
    io.wait()
    return diskValue(forKey: key)
  }

  /// Reads a value from its file and takes it into memory.
  private func diskValue(forKey key: UInt32) -> SystemValue? {
    var found: (value: SystemValue, cost: Int)?
    ioQueue.withLock {
      guard let file = files[key] else { return }
      if let data = FileManager.default.contents(atPath: path(of: key)) {
        found = ([UInt8](data), file.cost)
      } else {
        files[key] = nil
      }
    }
    if let found { memory.set(found.value, forKey: key, cost: found.cost) }
    return found?.value
  }

  /// A question that can be given up.
  package final class Query: Sendable {
    private let isGivenUp = Atomic(false)

    package func cancel() { isGivenUp.store(true, ordering: .relaxed) }
    var isCancelled: Bool { isGivenUp.load(ordering: .relaxed) }
  }

  /// Asks for a value: what is in memory is returned at once, what is on disk on another thread.
  ///
  /// - Parameter completion: Called with the value, or nil for none; not called once the query is cancelled.
  package func query(
    _ key: UInt32, completion: @escaping @Sendable (SystemValue?) -> Void
  ) -> Query {
    let query = Query()
    if let value = memory.value(forKey: key) {
      completion(value)
      return query
    }
    io.later { [self] in
      if query.isCancelled { return }
      let value = diskValue(forKey: key)
      if !query.isCancelled { completion(value) }
    }
    return query
  }

  /// Takes a value into memory; its file is written later, and that this failed is told by `finish` only.
  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    memory.set(value, forKey: key, cost: cost)
    let now = clock.now
    io.later { [self] in
      ioQueue.withLock { write(value, forKey: key, cost: cost, at: now) }
    }
  }

  private func write(_ value: SystemValue, forKey key: UInt32, cost: Int, at moment: UInt64) {
    do throws(SystemError) {
      try SystemError.onFiles(path(of: key)) {
        try Data(value).write(to: URL(fileURLWithPath: path(of: key)), options: .atomic)
      }
    } catch { return failure.withLock { $0 = $0 ?? error } }
    modifications += 1
    if files[key] == nil { counts.insertions += 1 }
    files[key] = File(cost: cost, modified: moment, number: modifications)
  }

  package func remove(_ key: UInt32) {
    memory.remove(key)
    io.wait()
    ioQueue.withLock { delete(key) }
  }

  private func delete(_ key: UInt32) {
    if files.removeValue(forKey: key) == nil { return }
    try? FileManager.default.removeItem(atPath: path(of: key))
  }

  package func removeAll() {
    memory.removeAll()
    io.wait()
    ioQueue.withLock { for key in Array(files.keys) { delete(key) } }
  }

  /// Does the work of the app's end: a clean-up, as in the background.
  package func terminate() {
    io.wait()
    ioQueue.withLock { cleanUp() }
  }

  /// Removes what is too old, and, beyond the limit, the longest unmodified until less than half of it is used.
  private func cleanUp() {
    let age = SDImageCache.maximumAge.nanoseconds
    if clock.now >= age {
      for (key, file) in files where file.modified < clock.now - age { evict(key) }
    }
    guard let limit else { return }
    var used = files.values.reduce(0) { $0 + $1.cost }
    if used <= limit { return }
    for (key, file) in files.sorted(by: { $0.value.number < $1.value.number }) {
      if used < limit - used { return }
      evict(key)
      used -= file.cost
    }
  }

  private func evict(_ key: UInt32) {
    delete(key)
    counts.evictions += 1
  }

  package var statistics: CacheStatistics {
    var result = CacheStatistics()
    io.wait()
    ioQueue.withLock {
      result = counts
      result.count = files.count
      result.totalCost = files.values.reduce(0) { $0 + $1.cost }
    }
    return result
  }

  package func finish() throws(SystemError) {
    io.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

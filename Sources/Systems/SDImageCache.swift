import EvictionCore
import Foundation
import Parameters
import Synchronization

/// SDWebImage's image cache: `NSCache` before a folder of files that one serial queue reads and writes.
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
  private let queries = DispatchQueue(label: "sdwebimage.io")
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

  package func value(forKey key: UInt32) throws(SystemError) -> SystemValue? {
    if let value = memory.value(forKey: key) { return value }
    return try diskValue(forKey: key)
  }

  /// Reads a value from its file and takes it into memory.
  private func diskValue(forKey key: UInt32) throws(SystemError) -> SystemValue? {
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
    _ key: UInt32, completion: @escaping @Sendable (Result<SystemValue?, SystemError>) -> Void
  ) -> Query {
    let query = Query()
    if let value = memory.value(forKey: key) {
      completion(.success(value))
      return query
    }
    queries.async { [self] in
      if query.isCancelled { return }
      let result = Result { () throws(SystemError) in try diskValue(forKey: key) }
      if !query.isCancelled { completion(result) }
    }
    return query
  }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) throws(SystemError) {
    memory.set(value, forKey: key, cost: cost)
    var failure: SystemError?
    ioQueue.withLock {
      do throws(SystemError) {
        try SystemError.onFiles(path(of: key)) {
          try Data(value).write(to: URL(fileURLWithPath: path(of: key)), options: .atomic)
        }
        modifications += 1
        if files[key] == nil { counts.insertions += 1 }
        files[key] = File(cost: cost, modified: clock.now, number: modifications)
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  package func remove(_ key: UInt32) throws(SystemError) {
    memory.remove(key)
    ioQueue.withLock { delete(key) }
  }

  private func delete(_ key: UInt32) {
    if files.removeValue(forKey: key) == nil { return }
    try? FileManager.default.removeItem(atPath: path(of: key))
  }

  package func removeAll() throws(SystemError) {
    memory.removeAll()
    ioQueue.withLock { for key in Array(files.keys) { delete(key) } }
  }

  /// Does the work of the app's end: a clean-up, as in the background.
  package func terminate() { ioQueue.withLock { cleanUp() } }

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
    ioQueue.withLock {
      result = counts
      result.count = files.count
      result.totalCost = files.values.reduce(0) { $0 + $1.cost }
    }
    return result
  }

  package func finish() throws(SystemError) { queries.sync {} }
}

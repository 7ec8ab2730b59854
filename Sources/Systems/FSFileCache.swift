import EvictionCore
import Foundation
import Parameters
import Synchronization

/// A cache of property lists: each file one dictionary, held in memory and written whole at every set.
///
/// Reads are calls to a concurrent queue, changes are barriers; a serial queue writes the file, under another name that
/// then replaces it. Memory pressure drops the dictionaries, not the files.
///
/// - Complexity: a get O(1) and a question whether the file exists; a set O(size of its file).
package final class FSFileCache: CacheSystem, @unchecked Sendable {
  package static let information = SystemInformation(
    name: "fsfilecache",
    summary: "property lists in memory, each rewritten whole at every set", policy: "infinite",
    lock: BarrierQueueLock.information.name, usesDisk: true,
    unboundedBecause: "files grow without limit", requestLimit: 20_000,
    parameters: [
      Parameter(
        "files", .integer(in: 1...100_000), default: .integer(1),
        help: "property lists over which the keys are spread"),
      Parameter(
        "all", .flag, default: .flag(false),
        help: "replays more than 20000 requests, however long it takes"),
    ])

  /// An operation whose time is recorded.
  package enum Operation: Sendable { case get, set, remove, write }

  private let folder: String
  private let fileCount: Int
  private let lock: any CacheLock
  private let writer = DispatchQueue(label: "fsfilecache.write")
  private var lists: [Int: [String: Data]] = [:]
  private var counts = CacheStatistics()
  private let times = Mutex<[Operation: [Duration]]>([:])
  private let written = Atomic(0)
  private let failure = Mutex<SystemError?>(nil)
  private var observation: SystemEvents.Observation?
  /// Times that are kept of each operation.
  private static let recorded = 1_000

  package init(_ setup: SystemSetup) throws(SystemError) {
    folder = setup.folder
    fileCount = setup.arguments.integer("files")
    lock = setup.lock(BarrierQueueLock.self)
    observation = setup.events.observe { [weak self] event in
      if case .memoryPressure = event { self?.dropLists() }
    }
  }

  /// The property list of a key.
  package func path(forKey key: UInt32) -> String { path(of: Int(key) % fileCount) }

  private func path(of file: Int) -> String { "\(folder)/\(file).plist" }

  package func value(forKey key: UInt32) throws(SystemError) -> SystemValue? {
    let start = ContinuousClock.now
    defer { record(.get, since: start) }
    let file = Int(key) % fileCount
    var (isLoaded, value) = (false, Data?.none)
    lock.withSharedLock {
      // A file that was removed has no values any more.
      if isGone(file) { return isLoaded = true }
      guard let list = lists[file] else { return }
      (isLoaded, value) = (true, list["\(key)"])
    }
    if !isLoaded {
      lock.withLock { value = load(file)["\(key)"] }
    }
    return value.map { [UInt8]($0) }
  }

  /// Returns the dictionary of a file, from the disk where it is not in memory.
  private func load(_ file: Int) -> [String: Data] {
    if let list = lists[file] { return list }
    let list = FSFileCache.read(path(of: file))
    lists[file] = list
    return list
  }

  private static func read(_ path: String) -> [String: Data] {
    guard let data = FileManager.default.contents(atPath: path),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    else { return [:] }
    return list as? [String: Data] ?? [:]
  }

  /// Changes the dictionary; its file is written later, and that this failed is told by `finish` only.
  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    let start = ContinuousClock.now
    change(key) { $0.updateValue(Data(value), forKey: "\(key)") == nil ? 1 : 0 }
    record(.set, since: start)
  }

  package func remove(_ key: UInt32) throws(SystemError) {
    let start = ContinuousClock.now
    change(key) {
      $0["\(key)"] = nil
      return 0
    }
    record(.remove, since: start)
  }

  /// Changes a dictionary in memory and has its file written; the call does not wait for that.
  private func change(_ key: UInt32, _ body: (inout [String: Data]) -> Int) {
    let file = Int(key) % fileCount
    lock.withLock {
      // A file that was removed is begun anew.
      if isGone(file) { lists[file] = [:] }
      var list = load(file)
      lists[file] = nil
      counts.insertions += body(&list)
      lists[file] = list
      pending.withLock { $0[file, default: 0] += 1 }
      writer.async { [self, list] in write(list, to: file) }
    }
  }

  /// Writes that are waited for, by file.
  private let pending = Mutex<[Int: Int]>([:])

  /// Returns true for a file that is neither there nor about to be written.
  private func isGone(_ file: Int) -> Bool {
    pending.withLock { $0[file] == nil } && !FileManager.default.fileExists(atPath: path(of: file))
  }

  private func write(_ list: [String: Data], to file: Int) {
    let start = ContinuousClock.now
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: list, format: .binary, options: 0)
      try data.write(to: URL(fileURLWithPath: path(of: file)), options: .atomic)
      written.add(data.count, ordering: .relaxed)
    } catch {
      failure.withLock {
        $0 = $0 ?? .disk(path: path(of: file), problem: error.localizedDescription)
      }
    }
    pending.withLock { pending in
      let left = (pending[file] ?? 1) - 1
      pending[file] = left > 0 ? left : nil
    }
    record(.write, since: start)
  }

  package func removeAll() throws(SystemError) {
    try finish()
    lock.withLock {
      lists = [:]
      for file in 0..<fileCount { try? FileManager.default.removeItem(atPath: path(of: file)) }
    }
  }

  private func dropLists() {
    writer.sync {}
    lock.withLock { lists = [:] }
  }

  private func record(_ operation: Operation, since start: ContinuousClock.Instant) {
    let time = ContinuousClock.now - start
    times.withLock { times in
      if times[operation, default: []].count < FSFileCache.recorded {
        times[operation, default: []].append(time)
      }
    }
  }

  /// The times of the first thousand of each operation.
  package func recordedTimes(of operation: Operation) -> [Duration] {
    times.withLock { $0[operation] ?? [] }
  }

  /// Bytes handed to the system.
  package var bytesWritten: Int { written.load(ordering: .relaxed) }

  package var statistics: CacheStatistics {
    var result = CacheStatistics()
    lock.withSharedLock {
      result = counts
      result.count = lists.values.reduce(0) { $0 + $1.count }
    }
    return result
  }

  package func finish() throws(SystemError) {
    writer.sync {}
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

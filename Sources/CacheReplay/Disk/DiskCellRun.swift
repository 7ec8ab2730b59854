import DiskTier
import EvictionCore
import Foundation
import Parameters
import Requests
import Results
import Traces

/// One cell of an experiment on disk in one round: a trace through a cache in a folder of its own.
///
/// First the replay, then overwrites of a sample of what is resident, then the opening of the folder as a
/// kill would leave it, and last, with the system's memory of the files dropped, reads of another sample.
package final class DiskCellRun {
  /// The cache that is driven: bytes by the numbers of keys.
  typealias ReplayedDisk = DiskCache<UInt32, [UInt8]>

  private let trace: Trace
  private let options: RunOptions
  private let isSized: Bool
  private let policy: Specification
  private let cachePolicy: CachePolicy
  private let folder: String
  private var measures: DiskMeasures
  private var times: DiskTimes
  private var values: DiskValues
  private var counts = RequestCounts()
  private var evictionsBefore = 0
  private var expirationsBefore = 0
  private var phase = Phase.warmup
  /// The trace's time, by which entries expire.
  private let clock = MovedClock()
  /// Requests between two looks at the log and at the observer.
  private static let stride = 64
  /// Keys of each size that are overwritten, and read cold.
  private static let sample = 24

  /// The purpose of operations.
  private enum Phase {
    /// Requests at the start, of which nothing is counted.
    case warmup
    /// The trace's requests.
    case trace
    /// More of some operations, to know their times.
    case sample
  }

  /// - Parameters:
  ///   - trace: The requests.
  ///   - options: Capacity, parameters, seed and warm-up.
  ///   - isSized: Measures the capacity in bytes.
  ///   - policy: The policy's name and parameters.
  ///   - cachePolicy: The policy as caches take it.
  ///   - measures: The point of the grid.
  ///   - folder: The cache's folder, which is made.
  package init(
    _ trace: Trace, options: RunOptions, isSized: Bool, policy: Specification,
    of cachePolicy: CachePolicy, measures: DiskMeasures, folder: String
  ) {
    self.trace = trace
    self.options = options
    self.isSized = isSized
    self.policy = policy
    self.cachePolicy = cachePolicy.with(PolicyDescription.ownParameters(of: policy))
    self.measures = measures
    self.folder = folder
    times = DiskTimes(inlineThreshold: measures.setup.inlineThreshold)
    values = DiskValues(keys: trace.distinct)
  }

  /// Runs the cell; returns nil if `observer`, which is told the requests done, stopped it.
  package func run(
    into measurement: inout Results.Measurement, observer: (Int) -> Bool
  ) throws(DiskCacheError) -> DiskMeasures? {
    let cache = try countingWrites { () throws(DiskCacheError) in try open(folder) }
    let start = ContinuousClock.now
    let isDone = try countingWrites { () throws(DiskCacheError) in
      try replay(cache, observer: observer)
    }
    if !isDone { return nil }
    let seconds = (ContinuousClock.now - start).seconds
    counts.evictions = cache.statistics.evictions - evictionsBefore
    counts.expirations = cache.statistics.expirations - expirationsBefore
    measurement.record(counts, isSized: true, hasCosts: false)
    measurement.record(seconds: seconds, requestsRun: trace.requests)
    let residents = try self.residents(of: cache)
    phase = .sample
    try countingWrites { () throws(DiskCacheError) in
      try overwrite(residents.map(\.id), in: cache)
    }
    measures.commits = cache.storeStatistics.commits
    noteLog()
    let files = DiskActivity.files(in: folder)
    measures.files = files.count
    measures.allocatedBytes = DiskActivity.allocation(of: files)
    measures.recovery = try recover(from: cache)
    // The log is copied back into the database.
    try countingWrites { cache.close() }
    if DroppedFile.isPossible {
      let cold = try open(folder, isCold: true)
      try readCold(residents, from: cold)
      cold.close()
    }
    measures.read = times.summary(.read)
    measures.coldRead = times.summary(.coldRead)
    measures.write = times.summary(.write)
    measures.replace = times.summary(.replace)
    measures.sizes = times.sizes
    return measures
  }

  /// Runs `body`, and adds what the process wrote meanwhile to the bytes written.
  private func countingWrites<Value>(
    _ body: () throws(DiskCacheError) -> Value
  ) throws(DiskCacheError) -> Value {
    let before = DiskActivity.bytesWritten
    let value = try body()
    if let before, let after = DiskActivity.bytesWritten {
      measures.bytesWritten = (measures.bytesWritten ?? 0) + after - before
    }
    return value
  }

  private func open(
    _ folder: String, isCold: Bool = false
  ) throws(DiskCacheError) -> ReplayedDisk {
    var disk = DiskCacheOptions()
    disk.trimInterval = nil
    // What is written depends on the requests, not on how long they take.
    disk.store.secondsPerFlush = 86_400
    disk.store.inlineThreshold = measures.setup.inlineThreshold
    disk.store.pageSize = measures.setup.pageSize
    disk.store.durability = Durability(rawValue: measures.setup.durability) ?? .processCrash
    if isCold {
      disk.store.pageCache = 0
      disk.store.mappedBytes = 0
      disk.store.reconcilesOnOpen = false
    }
    let limits = DiskCacheLimits(
      count: isSized ? nil : options.capacity, cost: isSized ? options.capacity : nil,
      policy: cachePolicy,
      admission: options.arguments.nested("admission").map { CacheAdmission($0) },
      seed: options.seed)
    var environment = StoreEnvironment()
    environment.entryClock = options.expires ? clock : nil
    return try ReplayedDisk.open(
      path: folder, limits: limits, options: disk, coder: .bytes, environment: environment)
  }

  // MARK: Replay

  private func replay(
    _ cache: ReplayedDisk, observer: (Int) -> Bool
  ) throws(DiskCacheError) -> Bool {
    for index in 0..<trace.requests {
      if index % DiskCellRun.stride == 0 {
        noteLog()
        if !observer(index) { return false }
      }
      if index == options.warmup {
        phase = .trace
        evictionsBefore = cache.statistics.evictions
        expirationsBefore = cache.statistics.expirations
      }
      if options.expires, let times = trace.times { clock.move(to: times[index]) }
      let id = trace.ids[index]
      var size = trace.sizes.map { Int(clamping: $0[index]) } ?? 0
      let operation = trace.operations?[index] ?? .get
      if size == ColumnSource.unknownSize {
        size = 0
        if isSized && (operation.role == .reference || operation.role == .update) {
          passUnknownSize(operation.role)
          continue
        }
      }
      switch operation.role {
      case .removal: try cache.remove(id)
      case .renewal:
        if options.expires {
          try cache.setExpiration(expiration(at: index) ?? .never, forKey: id)
        }
      case .update:
        let isHit = try write(id, size: size, for: index, to: cache)
        if options.countsSets { count(id, size: size, isHit: isHit) }
      case .reference:
        let isHit =
          try operation == .write
          ? write(id, size: size, for: index, to: cache)
          : get(id, size: size, for: index, from: cache)
        count(id, size: size, isHit: isHit)
      }
    }
    return true
  }

  /// Counts a request of an object whose size no request has told yet: a miss that admits nothing.
  private func passUnknownSize(_ role: TraceOperation.Role) {
    if phase == .warmup || role == .update && !options.countsSets { return }
    counts.countUnknownSize()
  }

  private func count(_ id: UInt32, size: Int, isHit: Bool) {
    if phase == .warmup { return }
    counts.count(Request(slot: id, size: size), isHit: isHit, weighs: true)
  }

  /// A get, and the set that follows a miss; returns whether it hit.
  private func get(
    _ id: UInt32, size: Int, for index: Int, from cache: ReplayedDisk
  ) throws(DiskCacheError) -> Bool {
    let key = id
    let start = Clock.now()
    let value = try cache.value(forKey: key)
    let end = Clock.now()
    if let value {
      note(end &- start, .read, size: value.count)
    } else {
      try set(id, size: size, in: cache, as: .write, expiration: expiration(at: index))
    }
    return value != nil
  }

  /// A set that the trace asks for; returns whether the key had a value.
  private func write(
    _ id: UInt32, size: Int, for index: Int, to cache: ReplayedDisk
  ) throws(DiskCacheError) -> Bool {
    let isResident = try cache.contains(id)
    try set(
      id, size: size, in: cache, as: isResident ? .replace : .write,
      expiration: expiration(at: index))
    return isResident
  }

  private func expiration(at index: Int) -> Expiration? {
    options.expires ? trace.ttls.flatMap { Expiration(traceTimeToLive: $0[index]) } : nil
  }

  private func set(
    _ id: UInt32, size: Int, in cache: ReplayedDisk, as operation: DiskTimes.Operation,
    expiration: Expiration? = nil
  ) throws(DiskCacheError) {
    let key = id
    let value = values.next(id, size: size)
    let start = Clock.now()
    let isStored = try cache.set(
      value, forKey: key, cost: isSized ? value.count : 1, expiration: expiration)
    let end = Clock.now()
    if isStored {
      note(end &- start, operation, size: size)
      measures.bytesSet += size
      if operation == .write && phase == .trace { counts.insertions += 1 }
    }
  }

  private func note(_ nanoseconds: UInt64, _ operation: DiskTimes.Operation, size: Int) {
    if phase == .warmup { return }
    times.record(nanoseconds, operation, size: size, isSample: phase == .sample)
  }

  private func noteLog() {
    let log = DiskActivity.size(ofFile: folder + "/manifest.sqlite-wal")
    measures.longestLog = max(measures.longestLog, log)
  }

  // MARK: Afterwards

  private struct Resident {
    var id: UInt32
    var size: Int
  }

  /// A sample of what is resident, some of each size, the latest first.
  private func residents(
    of cache: ReplayedDisk
  ) throws(DiskCacheError) -> [Resident] {
    var seen: Set<UInt32> = []
    var taken: [Int: Int] = [:]
    var residents: [Resident] = []
    for index in (0..<trace.requests).reversed() where seen.insert(trace.ids[index]).inserted {
      let size = trace.sizes.map { Int(clamping: $0[index]) } ?? 0
      if size == ColumnSource.unknownSize { continue }
      let exponent = DiskTimes.exponent(of: size)
      guard taken[exponent, default: 0] < DiskCellRun.sample,
        try cache.contains(trace.ids[index])
      else { continue }
      taken[exponent, default: 0] += 1
      residents.append(Resident(id: trace.ids[index], size: size))
    }
    return residents
  }

  private func overwrite(
    _ ids: [UInt32], in cache: ReplayedDisk
  ) throws(DiskCacheError) {
    for id in ids {
      guard let size = try cache.value(forKey: id)?.count else { continue }
      try set(id, size: size, in: cache, as: .replace)
    }
  }

  /// Opens a copy of the folder as it is while the cache is open, which is how a kill would leave it.
  private func recover(
    from cache: ReplayedDisk
  ) throws(DiskCacheError) -> DiskRecovery? {
    let copy = folder + "-killed"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    guard DiskCellRun.link(folder, to: copy) else { return nil }
    let entries = try cache.count
    let start = ContinuousClock.now
    let killed = try open(copy)
    let openSeconds = (ContinuousClock.now - start).seconds
    killed.waitForBackgroundWork()
    let reconciledSeconds = (ContinuousClock.now - start).seconds
    let lost = entries - (try killed.count)
    killed.close()
    return DiskRecovery {
      $0.entries = entries
      $0.lost = lost
      $0.openSeconds = openSeconds
      $0.reconciledSeconds = reconciledSeconds
    }
  }

  /// Copies the database, and links the values' files, which are never changed in place.
  private static func link(_ folder: String, to copy: String) -> Bool {
    let manager = FileManager.default
    do {
      try manager.createDirectory(atPath: copy, withIntermediateDirectories: true)
      for file in DiskActivity.files(in: folder) {
        let name = file.dropFirst(folder.count)
        let target = copy + name
        try manager.createDirectory(
          atPath: (target as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true)
        if name.hasPrefix("/data/") {
          try manager.linkItem(atPath: file, toPath: target)
        } else {
          try manager.copyItem(atPath: file, toPath: target)
        }
      }
      return true
    } catch { return false }
  }

  private func readCold(
    _ residents: [Resident], from cache: ReplayedDisk
  ) throws(DiskCacheError) {
    // One after the other: there may be more than a process may have open.
    for path in DiskActivity.files(in: folder + "/data") { _ = try DroppedFile(path) }
    var database: [DroppedFile] = []
    for name in ["manifest.sqlite", "manifest.sqlite-wal"] {
      let path = "\(folder)/\(name)"
      if DiskActivity.size(ofFile: path) > 0 { database.append(try DroppedFile(path)) }
    }
    for resident in residents {
      // Reading one value brings neighbours in the database with it.
      for file in database { try file.drop() }
      let start = Clock.now()
      let value = try cache.value(forKey: resident.id)
      let end = Clock.now()
      if let value { note(end &- start, .coldRead, size: value.count) }
    }
  }
}

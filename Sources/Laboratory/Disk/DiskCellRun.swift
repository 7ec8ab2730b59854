import DiskTier
import Eviction
import Foundation
import Parameters
import Traces

/// One cell of an experiment on disk in one round: a trace through a cache in a folder of its own.
///
/// First the replay, then overwrites of a sample of what is resident, then the opening of the folder as a
/// kill would leave it, and last, with the system's memory of the files dropped, reads of another sample.
final class DiskCellRun {
  private let trace: Trace
  private let cell: SweepPlan.Cell
  private let isSized: Bool
  private let warmup: Int
  private let folder: String
  private var measures: DiskMeasures
  private var times: DiskTimes
  private var values: DiskValues
  private var counts = RequestCounts()
  private var insertions = 0
  /// Requests between two looks at the log and at the observer.
  private static let stride = 64
  /// Keys of each size that are overwritten, and read cold.
  private static let sample = 24

  init(
    _ trace: Trace, cell: SweepPlan.Cell, settings: SweepPlan.Settings, measures: DiskMeasures,
    folder: String
  ) {
    self.trace = trace
    self.cell = cell
    isSized = settings.isSized
    warmup = settings.warmup
    self.measures = measures
    self.folder = folder
    times = DiskTimes(inlineThreshold: measures.inlineThreshold)
    values = DiskValues(keys: trace.distinct)
  }

  /// Runs the cell; returns nil if `observer`, which is told the requests done, stopped it.
  func run(
    into measurement: inout Measurement, observer: (Int) -> Bool
  ) throws(DiskCacheError) -> DiskMeasures? {
    let writtenBefore = DiskActivity.bytesWritten
    var cache = try open(folder)
    let start = ContinuousClock.now
    guard try replay(cache, observer: observer) else { return nil }
    let seconds = (ContinuousClock.now - start).seconds
    let statistics = cache.statistics
    counts.insertions = insertions
    counts.evictions = statistics.evictions
    measurement.record(counts, isSized: true, hasCosts: false)
    measurement.record(seconds: seconds, requestsRun: trace.requests)
    let residents = try self.residents(of: cache)
    try overwrite(residents.map(\.id), in: cache)
    measures.commits = cache.storeStatistics.commits
    measures.bytesWritten = DiskActivity.bytesWritten.flatMap { now in
      writtenBefore.map { now - $0 }
    }
    noteLog()
    let files = DiskActivity.files(in: folder)
    measures.files = files.count
    measures.allocatedBytes = DiskActivity.allocation(of: files)
    measures.recovery = try recover(from: cache)
    cache.close()
    if DroppedFiles.isPossible {
      cache = try open(folder, isCold: true)
      try readCold(residents, from: cache)
      cache.close()
    }
    measures.read = times.summary(.read)
    measures.coldRead = times.summary(.coldRead)
    measures.write = times.summary(.write)
    measures.replace = times.summary(.replace)
    measures.sizes = times.sizes
    return measures
  }

  private func open(
    _ folder: String, isCold: Bool = false
  ) throws(DiskCacheError) -> any ReplayableDiskCache {
    var options = DiskCacheOptions()
    options.trimInterval = nil
    options.countLimit = isSized ? nil : cell.capacity
    options.costLimit = isSized ? cell.capacity : nil
    options.parameters = cell.policy.specification.withoutNested("admission")
      .without(PolicyRunner.commonParameters)
    options.admission = cell.policy.arguments.nested("admission")
    options.seed = UInt64(bitPattern: Int64(cell.seed))
    options.store.inlineThreshold = measures.inlineThreshold
    options.store.pageSize = measures.pageSize
    options.store.durability = Durability(rawValue: measures.durability) ?? .processCrash
    if isCold {
      options.store.pageCache = 0
      options.store.mappedBytes = 0
      options.store.reconcilesOnOpen = false
    }
    return try cell.policy.runner.openDisk(folder, options)
  }

  // MARK: Replay

  private func replay(
    _ cache: any ReplayableDiskCache, observer: (Int) -> Bool
  ) throws(DiskCacheError) -> Bool {
    for index in 0..<trace.requests {
      if index % DiskCellRun.stride == 0 {
        noteLog()
        if !observer(index) { return false }
      }
      let id = trace.ids[index]
      let size = trace.sizes.map { Int(clamping: $0[index]) } ?? 0
      let operation = trace.operations?[index] ?? .get
      switch operation.role {
      case .removal: _ = try cache.removeValue(forKey: "\(id)")
      case .update: try write(id, size: size, to: cache)
      case .reference:
        let isHit =
          try operation == .write
          ? write(id, size: size, to: cache) : get(id, size: size, from: cache)
        if index >= warmup {
          counts.count(
            Request(slot: id, size: size), isHit: isHit, weighs: true)
        }
      }
    }
    return true
  }

  /// A get, and the set that follows a miss; returns whether it hit.
  private func get(
    _ id: UInt32, size: Int, from cache: any ReplayableDiskCache
  ) throws(DiskCacheError) -> Bool {
    let key = "\(id)"
    let start = Clock.now()
    let value = try cache.value(forKey: key)
    let end = Clock.now()
    if let value {
      times.record(end &- start, .read, size: value.count)
    } else {
      try set(id, size: size, in: cache, as: .write)
    }
    return value != nil
  }

  /// A set that the trace asks for; returns whether the key had a value.
  @discardableResult
  private func write(
    _ id: UInt32, size: Int, to cache: any ReplayableDiskCache
  ) throws(DiskCacheError) -> Bool {
    let isResident = try cache.contains("\(id)")
    try set(id, size: size, in: cache, as: isResident ? .replace : .write)
    return isResident
  }

  private func set(
    _ id: UInt32, size: Int, in cache: any ReplayableDiskCache, as operation: DiskTimes.Operation
  ) throws(DiskCacheError) {
    let key = "\(id)"
    let value = values.next(id, size: size)
    let start = Clock.now()
    let isStored = try cache.set(
      value, forKey: key, extended: nil, cost: isSized ? nil : 1, timeToLive: nil)
    let end = Clock.now()
    if isStored {
      times.record(end &- start, operation, size: size)
      measures.bytesSet += size
      if operation == .write { insertions += 1 }
    }
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
    of cache: any ReplayableDiskCache
  ) throws(DiskCacheError) -> [Resident] {
    var seen: Set<UInt32> = []
    var taken: [Int: Int] = [:]
    var residents: [Resident] = []
    for index in (0..<trace.requests).reversed() where seen.insert(trace.ids[index]).inserted {
      let size = trace.sizes.map { Int(clamping: $0[index]) } ?? 0
      let exponent = DiskTimes.exponent(of: size)
      guard taken[exponent, default: 0] < DiskCellRun.sample,
        try cache.contains("\(trace.ids[index])")
      else { continue }
      taken[exponent, default: 0] += 1
      residents.append(Resident(id: trace.ids[index], size: size))
    }
    return residents
  }

  private func overwrite(
    _ ids: [UInt32], in cache: any ReplayableDiskCache
  ) throws(DiskCacheError) {
    for id in ids {
      guard let size = try cache.value(forKey: "\(id)")?.count else { continue }
      try set(id, size: size, in: cache, as: .replace)
    }
  }

  /// Opens a copy of the folder as it is while the cache is open, which is how a kill would leave it.
  private func recover(
    from cache: any ReplayableDiskCache
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
    return DiskRecovery(
      entries: entries, lost: lost, openSeconds: openSeconds,
      reconciledSeconds: reconciledSeconds)
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
    _ residents: [Resident], from cache: any ReplayableDiskCache
  ) throws(DiskCacheError) {
    let values = DroppedFiles(DiskActivity.files(in: folder + "/data"))
    let database = DroppedFiles([folder + "/manifest.sqlite", folder + "/manifest.sqlite-wal"])
    for resident in residents {
      // Reading one value brings neighbours in the database with it.
      database.drop()
      let start = Clock.now()
      let value = try cache.value(forKey: "\(resident.id)")
      let end = Clock.now()
      if let value { times.record(end &- start, .coldRead, size: value.count) }
    }
    withExtendedLifetime(values) {}
  }
}

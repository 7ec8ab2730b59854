import CSQLite
import DiskTier
import Foundation
import StoreFaults
import Testing

/// Calls to the disk that fail: each one, in every operation, in every way.
@Suite struct StoreFaultTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fault: DiskFault
  }

  static let kinds = [
    Kind(testDescription: "I/O error", fault: .fail(errno: EIO, sqlite: SQLITE_IOERR)),
    Kind(
      testDescription: "I/O error that SQLite calls corruption",
      fault: .fail(errno: EIO, sqlite: SQLITE_IOERR | 33 << 8)),
    Kind(testDescription: "full", fault: .fail(errno: ENOSPC, sqlite: SQLITE_FULL)),
    Kind(testDescription: "busy", fault: .fail(errno: EBUSY, sqlite: SQLITE_BUSY)),
  ]

  static let steps: [StoreStep] = [
    .put(key: 1, value: inlineValue), .put(key: 1, value: fileValue + 9),
    .put(key: 3, value: fileValue), .put(key: 3, value: inlineValue), .put(key: 8, value: 3),
    .put(key: 8, value: fileValue), .remove(keys: [1]), .remove(keys: [0, 1, 2, 3]), .removeAll,
    .get(key: 1), .get(key: 2), .flush,
  ]

  /// Two values in the database, two in files.
  static let before = [0: 0, 1: fileValue, 2: inlineValue, 3: fileValue + 18]

  private let folder = TemporaryFolder()

  static func options(_ durability: Durability = .processCrash) -> StoreOptions {
    .testing {
      $0.durability = durability
      $0.touchesPerFlush = 1
      $0.reconcilesOnOpen = false
      $0.logLimit = 1 << 16
    }
  }

  static func fill(_ store: HybridStore) throws {
    try store.remove(StoreStep.name(8))
    for (key, value) in before.sorted(by: { $0.key < $1.key }) {
      try StoreStep.put(key: key, value: value).run(on: store)
    }
  }

  @Test(arguments: kinds, [Durability.processCrash, .powerLoss])
  func aFailedOperationLosesNothing(kind: Kind, durability: Durability) throws {
    let disk = FaultyDisk()
    let store = try HybridStore(
      path: folder.store, options: Self.options(durability), environment: disk.environment)
    var failures = 0
    for step in Self.steps {
      var number = 0
      var isOver = false
      while !isOver {
        try Self.fill(store)
        disk.restart { [number] count, _ in count == number ? kind.fault : nil }
        var expected = ExpectedValues(values: Self.before)
        do throws(StoreError) {
          try step.run(on: store)
          step.apply(to: &expected.values)
        } catch {
          failures += 1
          if durability == .powerLoss { expected.underWay = step }
        }
        isOver = disk.count <= number
        disk.restart()
        let comment = Comment(rawValue: "\(step.line), call \(number)")
        let report = try store.check(repair: true)
        #expect(report.database == [] && report.mismatches == [], comment)
        #expect(report.missingFiles == [] && report.totalsAgree, comment)
        #expect(try expected.problems(of: store, keys: 10) == [], comment)
        number += 1
      }
    }
    #expect(failures > 20)
    #expect(store.statistics.setAsides == 0)
    try store.close()
  }

  @Test(arguments: kinds) func aFailedOpeningLosesNothing(kind: Kind) throws {
    let first = try HybridStore(path: folder.store, options: Self.options())
    try Self.fill(first)
    try first.close()
    var number = 0
    while true {
      let disk = FaultyDisk { [number] count, _ in count == number ? kind.fault : nil }
      do throws(StoreError) {
        let store = try HybridStore(
          path: folder.store, options: Self.options(), environment: disk.environment)
        #expect(store.statistics.setAsides == 0)
        if disk.count <= number { break }
      } catch {
        if case .corrupt = error { Issue.record("\(error)") }
      }
      let store = try HybridStore(path: folder.store, options: Self.options())
      #expect(try ExpectedValues(values: Self.before).problems(of: store, keys: 10) == [])
      try store.close()
      number += 1
    }
    #expect(number > 10)
  }

  @Test func readsGoOnWhenTheDiskIsFull() throws {
    let disk = FaultyDisk()
    let store = try HybridStore(
      path: folder.store, options: Self.options(), environment: disk.environment)
    try Self.fill(store)
    disk.restart { _, call in
      call.name == "write" || call.name == "open" && call.path.contains("/temporary/")
        ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
    let inline = #expect(throws: StoreError.self) { try store.put([1], forKey: "a") }
    #expect(
      inline?.description
        == "\(folder.store)/manifest.sqlite: cannot write an entry: no space left;"
        + " free some space or remove entries")
    let file = #expect(throws: StoreError.self) { try store.put(bytes(fileValue), forKey: "a") }
    #expect(file?.description.contains("cannot make a file: no space left; free") == true)
    for (key, value) in Self.before {
      #expect(try store.get(StoreStep.name(key), touching: true)?.bytes == bytes(value))
    }
    #expect(store.statistics.failedFlushes > 0)
    disk.restart()
    try store.flush()
    #expect(try ExpectedValues(values: Self.before).problems(of: store, keys: 10) == [])
  }

  @Test func accessesThatCannotBeWrittenAreNotTriedAgainByEachRead() throws {
    let disk = FaultyDisk()
    let store = try HybridStore(
      path: folder.store, options: .testing { $0.touchesPerFlush = 4 },
      environment: disk.environment)
    for key in 0..<4 { try store.put([1], forKey: "\(key)") }
    disk.restart { _, call in
      call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
    for round in 0..<100 { _ = try store.get("\(round % 4)", touching: true) }
    #expect(store.statistics.failedFlushes == 1)
    disk.restart()
    try store.flush()
    for round in 0..<8 { _ = try store.get("\(round % 4)", touching: true) }
    #expect(store.statistics.failedFlushes == 1)
  }

  @Test func interruptedAndShortCallsAreGoneOnWith() throws {
    let disk = FaultyDisk { number, call in
      let isInterruptible = ["open", "read", "write"].contains(call.name)
      if call.isOfManifest || !isInterruptible { return nil }
      switch number % 3 {
      case 0: return .fail(errno: EINTR, sqlite: SQLITE_OK)
      case 1: return .half
      default: return nil
      }
    }
    let store = try HybridStore(
      path: folder.store, options: .testing { $0.durability = .none },
      environment: disk.environment)
    for key in 0..<20 { try store.put(bytes(fileValue), forKey: "\(key)") }
    for key in 0..<20 { #expect(try store.get("\(key)")?.bytes == bytes(fileValue)) }
    #expect(store.statistics.mismatches == 0)
  }

  /// A database that SQLite calls corrupt in the middle of an operation is set aside, and the operation done
  /// again.
  @Test func corruptionInTheMiddleBeginsANewDatabase() throws {
    let disk = FaultyDisk()
    var options = Self.options()
    options.pageCache = 0
    let store = try HybridStore(
      path: folder.store, options: options, environment: disk.environment)
    for key in 0..<200 { try store.put(bytes(3), forKey: "\(key)") }
    try store.put(bytes(fileValue), forKey: "file")
    for key in 0..<200 where store.statistics.setAsides == 0 {
      disk.restart { _, call in
        call.name == "read" && call.isOfManifest
          ? .fail(errno: 0, sqlite: SQLITE_CORRUPT) : nil
      }
      _ = try? store.get("\(key)")
    }
    disk.restart()
    #expect(store.statistics.setAsides >= 1)
    #expect(try store.get("file") == nil)
    try store.put([1], forKey: "a")
    store.waitForBackgroundWork()
    #expect(folder.files().isEmpty)
    #expect(try store.check(repair: false).isClean)
  }

  @Test func aFailedCheckpointIsTriedAgain() throws {
    let disk = FaultyDisk()
    let store = try HybridStore(
      path: folder.store, options: Self.options(), environment: disk.environment)
    disk.restart { _, call in
      call.name == "write" && call.path.hasSuffix("manifest.sqlite")
        ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
    }
    for key in 0..<60 { try store.put(bytes(3), forKey: "\(key)") }
    #expect(store.statistics.failedCheckpoints > 0)
    #expect(store.statistics.checkpoints == 0)
    disk.restart()
    for key in 0..<60 { try store.put(bytes(3), forKey: "\(key)") }
    #expect(store.statistics.checkpoints > 0)
    #expect(try store.count == 60)
  }
}

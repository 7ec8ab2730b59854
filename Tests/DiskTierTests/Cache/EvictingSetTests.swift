import CSQLite
import DiskTier
import Eviction
import EvictionCore
import Foundation
import Testing

/// Sets into a full cache, where the new row may take the place of the one that leaves.
struct EvictingSetTests {
  private let folder = TemporaryFolder()
  private let threshold = 64

  private func open(countLimit: Int) throws -> DiskCache<String, [UInt8]> {
    var setup = DiskSetup()
    setup.countLimit = countLimit
    setup.trimInterval = nil
    setup.options.store.inlineThreshold = threshold
    return try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: CachePolicy(FIFO.self), options: setup, coder: .bytes)
  }

  /// The largest number of a row.
  private func lastRow() -> Int {
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    defer { sqlite3_close(database) }
    var statement: OpaquePointer?
    sqlite3_prepare_v2(database, "SELECT max(id) FROM entry", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    return sqlite3_step(statement) == SQLITE_ROW ? Int(sqlite3_column_int64(statement, 0)) : -1
  }

  /// The value that leaves always has the other length.
  @Test(arguments: [(0, 4), (16, 4), (17, 20)])
  func aRowOfAboutTheSameLengthTakesThePlaceOfTheOneThatLeaves(longer: Int, last: Int) throws {
    let cache = try open(countLimit: 4)
    for number in 0..<20 {
      let length = number / 4 % 2 == 0 ? 30 : 30 + longer
      let value = [UInt8](repeating: UInt8(number), count: length)
      try cache.set(value, forKey: "\(number + 10)")
      #expect(try cache.value(forKey: "\(number + 10)") == value)
      #expect(try cache.value(forKey: "\(number + 6)") == nil)
    }
    #expect(try cache.count == 4)
    cache.close()
    #expect(lastRow() == last)
  }

  /// Values in rows, in files, and empty ones, with and without extended data, against a model.
  @Test(arguments: UInt64(1)...4) func everySetLeavesWhatTheModelHas(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var model: [(key: String, value: [UInt8], extended: [UInt8]?)] = []
    var cache = try open(countLimit: 5)
    for step in 0..<400 {
      let key = "key \(generator.index(below: 12))"
      let length = [0, 3, 30, 40, threshold, threshold + 1, 500][generator.index(below: 7)]
      let value = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let extended = step % 3 == 0 ? [UInt8](repeating: 7, count: step % 20) : nil
      #expect(try cache.set(value, forKey: key, extended: extended))
      if let place = model.firstIndex(where: { $0.key == key }) {
        model[place] = (key, value, extended)
      } else {
        if model.count == 5 { model.removeFirst() }
        model.append((key, value, extended))
      }
      for entry in model {
        let found = try cache.entry(forKey: entry.key)
        #expect(found?.value == entry.value && found?.extended == entry.extended, "step \(step)")
      }
      #expect(try cache.count == model.count)
      #expect(try cache.totalSize == model.reduce(0) { $0 + $1.value.count })
      #expect(folder.files().count == model.count { $0.value.count > threshold })
      if step % 100 == 99 {
        let report = try cache.check()
        #expect(report.isClean && report.entries == model.count)
        cache.close()
        cache = try open(countLimit: 5)
      }
    }
  }
}

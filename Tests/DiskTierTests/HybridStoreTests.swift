import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

@Suite struct HybridStoreTests {
  private let folder = TemporaryFolder()

  private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> HybridStore {
    try HybridStore(path: folder.store, options: .testing(change))
  }

  @Test(arguments: Array(0..<9)) func aValueComesBackAsItWasPut(number: Int) throws {
    let store = try open()
    let outcome = try store.put(
      bytes(number), forKey: "a", extended: [1, 2], expires: 77, cost: 9)
    let found = try #require(try store.get("a"))
    #expect(found.bytes == bytes(number))
    #expect(found.extended == [1, 2])
    #expect(found.metadata == outcome.metadata)
    #expect(found.metadata.size == bytes(number).count)
    #expect(found.metadata.extendedSize == 2)
    #expect(found.metadata.expires == 77)
    #expect(found.metadata.cost == 9)
    #expect(folder.files().count == (bytes(number).count > StoreStep.threshold ? 1 : 0))
  }

  @Test func aKeyThatIsNotThereIsNil() throws {
    let store = try open()
    #expect(try store.get("a") == nil)
    #expect(try store.metadata("a") == nil)
    #expect(try !store.contains("a"))
    #expect(try store.remove("a") == nil)
  }

  @Test(arguments: ["", "ä", "a\u{0}b", "e\u{301}", String(repeating: "k", count: 5_000)])
  func anyStringIsAKey(key: String) throws {
    let store = try open()
    try store.put([1], forKey: key)
    #expect(try store.get(key)?.bytes == [1])
    try store.forEachBatch { rows in
      #expect(rows.map(\.key) == [key])
      return true
    }
  }

  @Test func keysAreComparedByTheirBytes() throws {
    let store = try open()
    try store.put([1], forKey: "\u{E9}")
    #expect(try store.get("e\u{301}") == nil)
  }

  @Test func anOverwriteReplacesTheValueAndKeepsItsInsertion() throws {
    let store = try open()
    let first = try store.put(bytes(fileValue), forKey: "a")
    let second = try store.put(bytes(fileValue + 9), forKey: "a")
    #expect(second.replacedSize == bytes(fileValue).count)
    #expect(second.metadata.insertion == first.metadata.insertion)
    #expect(second.metadata.access > first.metadata.access)
    #expect(try store.get("a")?.bytes == bytes(fileValue + 9))
    #expect(folder.files().count == 1)
    try store.put(bytes(inlineValue), forKey: "a")
    #expect(try store.get("a")?.bytes == bytes(inlineValue))
    #expect(folder.files().isEmpty)
    #expect(try store.count == 1)
    #expect(try store.totalSize == bytes(inlineValue).count)
  }

  @Test func manyKeysAreRemovedTogether() throws {
    let store = try open()
    for key in 0..<10 { try store.put(bytes(key), forKey: "\(key)") }
    let outcome = try store.remove((0..<6).map(String.init) + ["none", "0"])
    #expect(outcome.count == 6)
    #expect(outcome.bytes == (0..<6).map { bytes($0).count }.reduce(0, +))
    #expect(try store.count == 4)
    #expect(try (0..<10).filter { try store.contains("\($0)") } == [6, 7, 8, 9])
  }

  @Test func removeAllLeavesNothingAndTellsItsProgress() throws {
    let store = try open()
    for key in 0..<9 { try store.put(bytes(fileValue), forKey: "\(key)") }
    // The reconciliation of a store that was just opened empties the trash, too.
    store.waitForBackgroundWork()
    var told: [[Int]] = []
    try store.removeAll { told.append([$0, $1]) }
    #expect(told.first == [0, 9])
    #expect(told.last == [9, 9])
    #expect(try store.count == 0)
    #expect(try store.totalSize == 0)
    #expect(folder.files("").filter { $0.contains("/data/") || $0.contains("/trash/") }.isEmpty)
    try store.put(bytes(fileValue), forKey: "again")
    #expect(try store.check(repair: false).isClean)
  }

  @Test func removeAllGivesTheDatabasesSpaceBack() throws {
    let store = try open { $0.logLimit = 1 << 16 }
    for key in 0..<400 { try store.put(bytes(3), forKey: "\(key)") }
    try store.removeAll()
    try store.close()
    #expect(folder.size("manifest.sqlite") < 50_000)
  }

  @Test func entriesComeInTheOrderOfAccess() throws {
    let store = try open()
    for key in 0..<10 { try store.put([UInt8(key)], forKey: "\(key)") }
    store.touch(["3", "1"])
    _ = try store.get("0", touching: true)
    _ = try store.get("2")
    func order() throws -> [String] {
      var order: [String] = []
      try store.forEachBatch(of: 3) { rows in
        #expect(rows.count <= 3)
        order += rows.map(\.key)
        return true
      }
      return order
    }
    let expected = ["2", "4", "5", "6", "7", "8", "9", "3", "1", "0"]
    #expect(try order() == expected)
    try store.flush()
    #expect(try order() == expected)
    var batches = 0
    try store.forEachBatch(of: 2) { _ in
      batches += 1
      return batches < 3
    }
    #expect(batches == 3)
  }

  @Test func everythingIsThereAfterClosing() throws {
    let first = try open()
    for key in 0..<9 { try first.put(bytes(key), forKey: "\(key)", cost: key) }
    first.touch("4")
    try first.close()
    #expect(folder.size("manifest.sqlite-wal") == 0)
    let second = try open()
    #expect(try second.count == 9)
    #expect(try second.totalSize == (0..<9).map { bytes($0).count }.reduce(0, +))
    for key in 0..<9 { #expect(try second.get("\(key)")?.bytes == bytes(key)) }
    var last: String?
    try second.forEachBatch { rows in
      last = rows.last?.key
      return true
    }
    #expect(last == "4")
  }

  @Test func accessesAreWrittenByCountAndByTime() throws {
    func writtenAccess() throws -> Int64 {
      // The shared store's other view sees only what was written.
      let other = try open { $0.sharing = .shared }
      return try #require(try other.metadata("a")).access
    }
    let store = try open {
      $0.sharing = .shared
      $0.touchesPerFlush = 2
      $0.secondsPerFlush = 0.05
    }
    let start = try store.put([1], forKey: "a").metadata.access
    store.touch(["a", "b"])
    let byCount = try writtenAccess()
    #expect(byCount > start)
    store.touch("a")
    while try writtenAccess() == byCount { usleep(10_000) }
  }

  @Test func aClosedStoreSaysSo() throws {
    let store = try open()
    try store.close()
    try store.close()
    let error = #expect(throws: StoreError.self) { try store.get("a") }
    #expect(error?.description == "\(folder.store): the store is closed; open it again")
  }

  @Test func whatTheKeysHashSharesWithAnotherDisplacesIt() throws {
    var store = try open()
    try store.put([1, 2], forKey: "a")
    try store.close()
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    #expect(sqlite3_exec(database, "UPDATE entry SET key = 'b'", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    store = try open { $0.reconcilesOnOpen = false }
    #expect(try store.get("a") == nil)
    let outcome = try store.put([3], forKey: "a")
    #expect(outcome.displacedKey == "b")
    #expect(outcome.replacedSize == nil)
    #expect(store.statistics.collisions == 1)
    #expect(try store.count == 1)
    #expect(try store.totalSize == 1)
  }

  @Test(arguments: StoreOptions.Sharing.allCases, [1, 2, 3])
  func randomStepsAgreeWithADictionary(sharing: StoreOptions.Sharing, seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var expected: [Int: Int] = [:]
    for round in 0..<3 {
      let store = try open {
        $0.sharing = sharing
        $0.logLimit = 1 << 16
        $0.touchesPerFlush = 3
      }
      let steps = StoreStep.random(
        100, keys: 12, firstValue: round * 100, using: &generator)
      for step in steps {
        step.apply(to: &expected)
        try step.run(on: store)
        if case .get(let key) = step {
          #expect(try store.contains(StoreStep.name(key)) == (expected[key] != nil))
        }
        #expect(try store.count == expected.count)
      }
      #expect(try ExpectedValues(values: expected).problems(of: store, keys: 12) == [])
      try store.close()
    }
  }

  @Test func severalThreadsMayUseIt() throws {
    let store = try open { $0.touchesPerFlush = 5 }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<40 {
        let key = (thread * 7 + round) % 11
        _ = try? store.put(bytes(key), forKey: "\(key)")
        if let found = try? store.get("\(key)", touching: true) {
          #expect(found.bytes == bytes(key))
        }
        if round % 5 == 0 { _ = try? store.remove("\((key + 3) % 11)") }
      }
    }
    #expect(store.statistics.mismatches == 0)
    #expect(try store.check(repair: false).isClean)
  }
}

import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Synchronization
import Testing

private typealias Bytes = DiskCache<String, [UInt8]>

/// Disks without space: what a cache holds can be removed all the same.
@Suite struct FullDiskTests {
  enum Removal: CaseIterable {
    case remove, removeAll, trimToCount, trimFreeing, setLimits

    fileprivate func run(on cache: Bytes) throws {
      switch self {
      case .remove: #expect(try cache.remove("old"))
      case .removeAll: try cache.removeAll()
      case .trimToCount: #expect(try cache.trim(toCount: 0) > 0)
      case .trimFreeing: #expect(try cache.trim(freeing: .max) > 0)
      case .setLimits: try cache.setLimits(count: 0, cost: nil)
      }
    }
  }

  private let folder = TemporaryFolder()

  private func open(
    _ path: String, _ sharing: StoreOptions.Sharing,
    _ environment: StoreEnvironment = StoreEnvironment()
  ) throws -> Bytes {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.sharing = sharing
    options.store.inlineThreshold = 4_000
    return try Bytes.open(
      path: path, policy: .lru, options: options, coder: .bytes, environment: environment)
  }

  /// Sets an entry `old`, and then values of `size` bytes until ten have failed.
  private func fill(_ cache: Bytes, size: Int) throws {
    try cache.set([1], forKey: "old")
    var failures = 0
    for number in 0..<10_000 where failures < 10 {
      do {
        try cache.set([UInt8](repeating: 1, count: size), forKey: "\(number)")
      } catch DiskCacheError.store(.full) { failures += 1 }
    }
    #expect(failures == 10)
    #expect(try cache.count > 10)
  }

  /// Makes the entry `old` outdated on a full disk, and runs a removal.
  private func clear(_ cache: Bytes, _ removal: Removal, size: Int) throws {
    do {
      while true { try cache.set([UInt8](repeating: 2, count: size), forKey: "old") }
    } catch DiskCacheError.store(.full) {
      #expect(try cache.value(forKey: "old") == nil)
    }
    if removal == .remove { return }
    try removal.run(on: cache)
    #expect(try cache.count == 0)
    #expect(try cache.set([3], forKey: "new") == (removal != .setLimits))
  }

  private func expectCleared(_ cache: Bytes, _ removal: Removal) throws {
    #expect(try cache.value(forKey: "old") == nil)
    if removal != .remove { #expect(try cache.count == (removal == .setLimits ? 0 : 1)) }
    #expect(try cache.check().isClean)
  }

  @Test(
    "F3: a full disk can be cleared", arguments: Removal.allCases, StoreOptions.Sharing.allCases)
  func aFullDiskCanBeCleared(_ removal: Removal, _ sharing: StoreOptions.Sharing) throws {
    for size in [3_000, 9_000] {
      let limited = LimitedDisk(folder: folder.path, capacity: 3 << 20)
      let disk = FaultyDisk(limited.fault)
      let path = "\(folder.path)/\(size)"
      let cache = try open(path, sharing, disk.environment)
      try fill(cache, size: size)
      limited.fill()
      try clear(cache, removal, size: size)
      cache.waitForBackgroundWork()
      cache.close()
      try expectCleared(try open(path, sharing), removal)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(arguments: Removal.allCases, StoreOptions.Sharing.allCases)
  func aCacheThatIsOpenedOnAFullDiskCanBeCleared(
    _ removal: Removal, _ sharing: StoreOptions.Sharing
  ) throws {
    let limited = LimitedDisk(folder: folder.path, capacity: 3 << 20)
    let disk = FaultyDisk(limited.fault)
    var cache = try open(folder.store, sharing, disk.environment)
    try fill(cache, size: 3_000)
    cache.close()
    limited.fill()
    cache = try open(folder.store, sharing, disk.environment)
    try removal.run(on: cache)
    #expect(try cache.value(forKey: "old") == nil)
    cache.close()
    cache = try open(folder.store, sharing)
    #expect(try cache.value(forKey: "old") == nil)
    if removal != .remove { #expect(try cache.count == 0) }
    #expect(try cache.check().isClean)
  }

  /// What a set on a full disk made outdated does not come back, even if the process dies right after it.
  @Test(arguments: StoreOptions.Sharing.allCases)
  func aSetThatFailsLeavesNoOutdatedValueAfterARestart(_ sharing: StoreOptions.Sharing) throws {
    let limited = LimitedDisk(folder: folder.path, capacity: 3 << 20)
    let disk = FaultyDisk(limited.fault)
    let cache = try open(folder.store, sharing, disk.environment)
    try fill(cache, size: 3_000)
    limited.fill()
    #expect(throws: DiskCacheError.self) {
      while true { try cache.set([UInt8](repeating: 2, count: 3_000), forKey: "old") }
    }
    // As the process leaves it that dies now.
    let copy = folder.path + "/copy"
    try FileManager.default.copyItem(atPath: folder.store, toPath: copy)
    let reopened = try open(copy, sharing)
    #expect(try reopened.value(forKey: "old") == nil)
    #expect(try reopened.count == cache.count)
  }

  /// A copy of the files before each call is what a process leaves that dies then.
  @Test(arguments: StoreOptions.Sharing.allCases)
  func aProcessThatDiesWhileItRemovesOnAFullDiskLosesNothingElse(
    _ sharing: StoreOptions.Sharing
  ) throws {
    let limited = LimitedDisk(folder: folder.store, capacity: 1 << 20)
    let disk = FaultyDisk(limited.fault)
    let options = StoreOptions.testing { $0.sharing = sharing }
    let store = try HybridStore(
      path: folder.store, options: options, environment: disk.environment)
    var kept: [String: [UInt8]] = [:]
    for number in 0..<1_000 {
      let value = [UInt8](repeating: UInt8(number & 0xFF), count: 1_500)
      guard (try? store.put(value, forKey: "\(number)")) != nil else { break }
      kept["\(number)"] = value
    }
    limited.fill()
    kept["7"] = nil
    let copies = Mutex(0)
    let (source, target) = (folder.store, folder.path)
    disk.restart { number, call in
      let fault = limited.fault(number, call)
      if number < 5 || number % 16 == 0 || !["read", "write", "lock"].contains(call.name) {
        let copy = copies.withLock { count in
          count += 1
          return "\(target)/copy-\(count)"
        }
        try? FileManager.default.copyItem(atPath: source, toPath: copy)
      }
      return fault
    }
    #expect(try store.remove("7") == 1_500)
    disk.restart(limited.fault)
    let count = copies.withLock { $0 }
    #expect(count > 5)
    for number in 1...count {
      let copy = try HybridStore(path: "\(folder.path)/copy-\(number)", options: options)
      for (key, value) in kept { #expect(try copy.get(key)?.bytes == value) }
      #expect(try copy.check(repair: false).isClean)
      try copy.close()
      try FileManager.default.removeItem(atPath: "\(folder.path)/copy-\(number)")
    }
    try store.close()
    let reopened = try HybridStore(path: folder.store, options: options)
    #expect(try reopened.count == kept.count)
    #expect(try reopened.get("7") == nil)
  }

  /// The reserve is a part of the log's limit, and small where the log is.
  @Test func theReserveGrowsWithTheLog() throws {
    let store = try HybridStore(path: folder.store)
    #expect(folder.size("reserve") == 256 << 10)
    for number in 0..<1_000 {
      try store.put([UInt8](repeating: 1, count: 9_000), forKey: "\(number)")
      #expect(folder.size("manifest.sqlite-wal") <= 9 * folder.size("reserve") / 8 + 20_000)
    }
    #expect(folder.size("reserve") <= 6 << 20)
    try store.close()
    #expect(folder.size("reserve") == 256 << 10)
  }

  #if os(Linux)
    @Test(arguments: Removal.allCases, StoreOptions.Sharing.allCases)
    func aRealFullDiskCanBeCleared(_ removal: Removal, _ sharing: StoreOptions.Sharing) throws {
      for size in [3_000, 9_000] {
        guard let disk = SmallDisk(bytes: 6 << 20) else { return }
        let cache = try open(disk.store, sharing)
        try fill(cache, size: size)
        let filler = FileManager.default.createFile(
          atPath: disk.store + "/../filler", contents: nil)
        #expect(filler)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: disk.store + "/../filler"))
        while (try? handle.write(contentsOf: [UInt8](repeating: 1, count: 4_096))) != nil {}
        try clear(cache, removal, size: size)
        cache.waitForBackgroundWork()
        cache.close()
        let reopened = try open(disk.store, sharing)
        try expectCleared(reopened, removal)
        reopened.close()
      }
    }
  #endif
}

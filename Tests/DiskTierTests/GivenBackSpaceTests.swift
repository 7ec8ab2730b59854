import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// The space that an emptied cache gives back to the disk at once.
@Suite struct GivenBackSpaceTests {
  private typealias Bytes = DiskCache<String, [UInt8]>

  private let folder = TemporaryFolder()

  private func filled(_ sharing: StoreOptions.Sharing) throws -> Bytes {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.sharing = sharing
    options.store.durability = .none
    let cache = try Bytes.open(path: folder.store, policy: .lru, options: options, coder: .bytes)
    for number in 0..<2_000 {
      try cache.set([UInt8](repeating: 1, count: 3_000), forKey: "\(number)")
    }
    return cache
  }

  private func expectSmall() {
    #expect(folder.size("manifest.sqlite") < 1 << 17)
    #expect(folder.size("manifest.sqlite-wal") < 1 << 17)
    #expect(folder.size("reserve") == 1 << 18)
  }

  @Test(
    "F8: removing everything gives the space back", arguments: StoreOptions.Sharing.allCases)
  func removingEverythingGivesTheSpaceBack(_ sharing: StoreOptions.Sharing) throws {
    let cache = try filled(sharing)
    try cache.removeAll()
    expectSmall()
    #expect(try cache.set([1], forKey: "a"))
    #expect(try cache.check().isClean)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func trimmingToNothingGivesTheSpaceBack(_ sharing: StoreOptions.Sharing) throws {
    for trim: (Bytes) throws -> Void in [
      { try $0.trim(freeing: .max) }, { try $0.trim(toCount: 0) }, { try $0.trim(toCost: 0) },
      { try $0.setLimits(count: 0, cost: nil) },
    ] {
      let cache = try filled(sharing)
      try trim(cache)
      expectSmall()
      #expect(try cache.check().isClean)
      cache.close()
    }
  }

  /// Evictions make the log longer, which is no reason for more of them.
  @Test(arguments: [20_480, 0]) func theLogEvictsNothingForTheFreeSpace(threshold: Int) throws {
    let limited = LimitedDisk(folder: folder.path, capacity: 6 << 20)
    let disk = FaultyDisk(limited.fault)
    var environment = disk.environment
    environment.freeSpace = { _ in limited.free }
    var options = DiskSetup()
    options.trimInterval = nil
    options.freeSpaceFloor = 1 << 20
    options.store.inlineThreshold = threshold
    let cache = try Bytes.open(
      path: folder.store, policy: .lru, options: options, coder: .bytes, environment: environment)
    let size = threshold == 0 ? 30_000 : 3_000
    for number in 0..<9_000_000 / size {
      #expect(try cache.set([UInt8](repeating: 1, count: size), forKey: "\(number)"))
    }
    // Of the 5 MB that are left, the log and the reserve take half a megabyte.
    #expect(try cache.totalSize > 3_500_000)
    #expect(limited.free > 700_000)
  }
}

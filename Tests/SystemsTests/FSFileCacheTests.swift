import EvictionCore
import Foundation
import Systems
import Testing

/// The cache of property lists; the names begin with the behaviours' ids.
@Suite struct FSFileCacheTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func cache(
    files: Int = 1, events: SystemEvents = SystemEvents()
  ) throws -> FSFileCache {
    var setup = SystemSetup(FSFileCache.self, in: folder, ["files": .integer(files)])
    setup.events = events
    return try FSFileCache(setup)
  }

  private func list(_ path: String) throws -> [String: Data] {
    let data = try #require(FileManager.default.contents(atPath: path))
    return try #require(
      PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Data])
  }

  @Test func f1FileIsOnePropertyListHeldAsADictionary() throws {
    let cache = try cache(files: 2)
    for key in 0..<6 as Range<UInt32> { cache.set([UInt8(key)], forKey: key, cost: 1) }
    try cache.finish()
    #expect(folder.files.sorted() == ["0.plist", "1.plist"])
    #expect(try list(cache.path(forKey: 0)).keys.sorted() == ["0", "2", "4"])
    #expect(try cache.value(forKey: 4) == [4])
    // In memory: what others write into the file is not seen.
    let path = cache.path(forKey: 4)
    #expect(FileManager.default.contents(atPath: path)?.starts(with: Data("bplist".utf8)) == true)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try cache.value(forKey: 4) == [4])
  }

  @Test func f2EachReadLooksWhetherTheFileExists() throws {
    let cache = try cache()
    cache.set([1], forKey: 1, cost: 1)
    try cache.finish()
    #expect(try cache.value(forKey: 1) == [1])
    try FileManager.default.removeItem(atPath: cache.path(forKey: 1))
    #expect(try cache.value(forKey: 1) == nil)
  }

  @Test func f3EverySetRewritesTheWholeFile() throws {
    let cache = try cache()
    cache.set([UInt8](repeating: 1, count: 10_000), forKey: 1, cost: 1)
    try cache.finish()
    let first = cache.bytesWritten
    cache.set([2], forKey: 2, cost: 1)
    try cache.finish()
    #expect(first > 10_000 && cache.bytesWritten - first > 10_000)
  }

  @Test func f3SetDoesNotWaitForTheFile() throws {
    let cache = try cache()
    cache.set([UInt8](repeating: 1, count: 32 << 20), forKey: 1, cost: 1)
    cache.set([2], forKey: 2, cost: 1)
    try cache.finish()
    let sets = cache.recordedTimes(of: .set)
    let writes = cache.recordedTimes(of: .write)
    #expect(sets.count == 2 && writes.count == 2 && sets[1] < writes[1])
  }

  @Test func f3SetAlwaysReportsSuccess() throws {
    let cache = try cache()
    try FileManager.default.removeItem(atPath: folder.path)
    cache.set([1], forKey: 1, cost: 1)
    #expect(throws: SystemError.self) { try cache.finish() }
  }

  /// The file is replaced, never changed: anyone who has it open reads the old one to its end.
  @Test func f4FileIsReplacedByRename() throws {
    let cache = try cache()
    cache.set([1], forKey: 1, cost: 1)
    try cache.finish()
    let path = cache.path(forKey: 1)
    let before = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
    let open = try #require(FileHandle(forReadingAtPath: path))
    let length = try #require(FileManager.default.contents(atPath: path)).count
    cache.set([UInt8](repeating: 2, count: 5_000), forKey: 2, cost: 1)
    try cache.finish()
    let after = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
    #expect(before != after)
    #expect(try open.readToEnd()?.count == length)
    #expect(folder.files == ["0.plist"])
  }

  @Test func f5PressureDropsTheDictionariesNotTheFiles() throws {
    let events = SystemEvents()
    let cache = try cache(events: events)
    cache.set([1], forKey: 1, cost: 1)
    events.post(.memoryPressure(.critical))
    #expect(cache.statistics.count == 0)
    #expect(try cache.value(forKey: 1) == [1])
    #expect(cache.statistics.count == 1)
  }

  @Test func f6TimesOfOperationsAreRecorded() throws {
    let cache = try cache()
    cache.set([1], forKey: 1, cost: 1)
    _ = try cache.value(forKey: 1)
    try cache.remove(1)
    try cache.finish()
    #expect(cache.recordedTimes(of: .set).count == 1)
    #expect(cache.recordedTimes(of: .get).count == 1)
    #expect(cache.recordedTimes(of: .remove).count == 1)
    #expect(cache.recordedTimes(of: .write).count == 2)
    #expect(cache.recordedTimes(of: .write).allSatisfy { $0 > .zero })
  }
}

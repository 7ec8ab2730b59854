import DiskTier
import Eviction
import EvictionCore
import Foundation
import StoreFaults
import Testing

/// The files that caches are saved in: what is refused, and what a failure leaves.
@Suite("A saved cache is whole, or refused")
struct SavedFileTests {
  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/saved" }

  typealias Texts = MemoryCache<String, String>

  private func filled(_ count: Int = 5, policy: CachePolicy = .lru) -> Texts {
    let cache = Texts(countLimit: 50, policy: policy, seed: 9)
    for key in 0..<count { cache.set("value \(key)", forKey: "Schlüssel \(key)") }
    return cache
  }

  private func empty(policy: CachePolicy = .lru) -> Texts {
    Texts(countLimit: 50, policy: policy, seed: 9)
  }

  private func error(_ body: () throws -> Void) -> SavedCacheError? {
    do {
      try body()
      return nil
    } catch { return error as? SavedCacheError }
  }

  @Test func keysAndValuesComeBack() throws {
    try filled().save(to: path, coder: .text)
    let cache = empty()
    try cache.restore(from: path, coder: .text)
    for key in 0..<5 { #expect(cache.value(forKey: "Schlüssel \(key)") == "value \(key)") }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func tasksWaitWithoutAThread() async throws {
    try await filled().save(to: path, coder: .text)
    let cache = empty()
    try await cache.restore(from: path, coder: .text)
    #expect(cache.count == 5)
  }

  @Test("Every byte that is changed, and every end that is missing, is noticed")
  func damage() throws {
    try filled().save(to: path, coder: .text)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let cache = empty()
    func isRefused(_ bytes: [UInt8]) throws -> Bool {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      guard case .damaged = error({ try cache.restore(from: path, coder: .text) }) else {
        return false
      }
      return cache.isEmpty
    }
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 1 << (place % 8)
      #expect(try isRefused(bytes), "byte \(place)")
    }
    for length in 0..<whole.count { #expect(try isRefused(Array(whole.prefix(length)))) }
    #expect(try isRefused(whole + [0]))
    try Data(whole).write(to: URL(fileURLWithPath: path))
    try cache.restore(from: path, coder: .text)
    #expect(cache.count == 5)
  }

  @Test func whatIsNoSavedCacheIsRefused() throws {
    let cache = empty()
    #expect(error { try cache.restore(from: path, coder: .text) } == .absent(path: path))
    #expect(SavedCache.seed(at: path) == nil)
    for content in ["", "evlcache", String(repeating: "no saved cache ", count: 1_000)] {
      try Data(content.utf8).write(to: URL(fileURLWithPath: path))
      guard case .damaged = error({ try cache.restore(from: path, coder: .text) }) else {
        Issue.record("\(content.prefix(20))")
        continue
      }
      #expect(SavedCache.seed(at: path) == nil)
    }
    guard case .some = error({ try cache.restore(from: folder.path, coder: .text) }) else {
      Issue.record("a folder")
      return
    }
    #expect(SavedCache.seed(at: folder.path) == nil)
  }

  @Test func aCacheThatWasMadeOtherwiseIsRefused() throws {
    try filled().save(to: path, coder: .text)
    func refusal(_ cache: Texts) -> String {
      error { try cache.restore(from: path, coder: .text) }?.description ?? "none"
    }
    #expect(
      refusal(empty(policy: .slru())) == "\(path): saved with policy lru, not slru; "
        + "make the cache alike, or start with an empty one")
    #expect(
      refusal(Texts(countLimit: 50, policy: .lru, seed: 8)) == "\(path): saved with seed 9, not 8; "
        + "make the cache with seed: SavedCache.seed(at:)")
    #expect(
      refusal(Texts(costLimit: 50, costs: .given, policy: .lru, seed: 9)).contains(
        "saved with limit of entries, not of cost"))
    #expect(
      refusal(Texts(countLimit: 50, policy: .lru, admission: .tinyLFU(), seed: 9)).contains(
        "saved with admission"))
    let inUse = filled(1)
    #expect(refusal(inUse).contains("has entries already"))
    #expect(inUse.count == 1, "what is refused changes nothing")
    let coder = ValueCoder<String>(name: "other", encode: { Array($0.utf8) }, decode: { _ in "" })
    #expect(
      error { try empty().restore(from: path, coder: coder) }
        == .differs(path: path, what: "coder", saved: "text", here: "other"))
  }

  @Test func keysWhoseHashesChangeAreRefusedWhereHashesMatter() throws {
    let plain = MemoryCache<Pair, Int>(countLimit: 10, policy: .lru, seed: 1)
    plain.set(1, forKey: Pair(left: 1, right: 2))
    try plain.save(to: path, coder: .json)
    let again = MemoryCache<Pair, Int>(countLimit: 10, policy: .lru, seed: 1)
    try again.restore(from: path, coder: .json)
    #expect(again.value(forKey: Pair(left: 1, right: 2)) == 1)
    let sketch = MemoryCache<Pair, Int>(countLimit: 10, policy: .wTinyLFU(), seed: 1)
    #expect(error { try sketch.save(to: path, coder: .json) } == .hashesChange)
    let parts = ShardedCache<Pair, Int>(shards: 2, countLimit: 10, policy: .lru, seed: 1)
    #expect(error { try parts.save(to: path, coder: .json) } == .hashesChange)
    // Also where nothing was saved yet.
    #expect(error { try sketch.restore(from: path + "-2", coder: .json) } == .hashesChange)
    #expect(error { try parts.restore(from: path + "-2", coder: .json) } == .hashesChange)
    let ids = MemoryCache<UUID, Int>(countLimit: 10, policy: .wTinyLFU(), seed: 1)
    let id = UUID()
    ids.set(1, forKey: id)
    try ids.save(to: path, coder: .json)
    let others = MemoryCache<UUID, Int>(countLimit: 10, policy: .wTinyLFU(), seed: 1)
    try others.restore(from: path, coder: .json)
    #expect(others.value(forKey: id) == 1)
    let texts = MemoryCache<String, Int>(countLimit: 10, policy: .wTinyLFU(), seed: 1)
    #expect(
      error { try texts.restore(from: path, coder: .json) }
        == .differs(path: path, what: "keys", saved: "UUID", here: "String"))
  }

  @Test func aPolicyThatPassesNothingOnIsRefused() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 10, policy: CachePolicy(Secretive.self))
    cache.set(1, forKey: 1)
    #expect(error { try cache.save(to: path, coder: .json) } == .policyRefuses(policy: "secretive"))
    #expect(cache.coldest(1) == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aValueThatCannotBeConvertedIsNamed() throws {
    struct No: Error {}
    let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .lru, seed: 1)
    cache.set(1, forKey: 77)
    let never = ValueCoder<Int>(
      name: "never", encode: { _ in throw No() }, decode: { _ in throw No() })
    guard
      case .coding(path: path, key: "77", problem: _) = error({
        try cache.save(to: path, coder: never)
      })
    else {
      Issue.record("encoded")
      return
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let once = ValueCoder<Int>(name: "never", encode: { _ in [1] }, decode: { _ in throw No() })
    try cache.save(to: path, coder: once)
    let again = MemoryCache<Int, Int>(countLimit: 10, policy: .lru, seed: 1)
    guard
      case .coding(path: path, key: "77", problem: _) = error({
        try again.restore(from: path, coder: once)
      })
    else {
      Issue.record("decoded")
      return
    }
    #expect(again.isEmpty)
  }

  @Test("A call that fails leaves the old file, and nothing beside it", arguments: [ENOSPC, EIO])
  func faults(errno: Int32) throws {
    try filled(1).save(to: path, coder: .text)
    let old = try Data(contentsOf: URL(fileURLWithPath: path))
    let disk = FaultyDisk()
    try SavedCache.save([filled()], to: "\(path)-2", coder: .text, environment: disk.environment)
    let calls = disk.count
    #expect(calls >= 6)
    for number in 0..<calls {
      disk.restart { count, _ in count == number ? .fail(errno: errno, sqlite: 10) : nil }
      let failure = error {
        try SavedCache.save([filled()], to: path, coder: .text, environment: disk.environment)
      }
      guard case .file(let reason) = failure else {
        Issue.record("call \(number): \(String(describing: failure))")
        continue
      }
      #expect("\(reason)".hasPrefix("\(path): cannot save the cache: "))
      // Only what follows the new name may fail with the new file there.
      let now = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(now == old || number >= calls - 2, "call \(number)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
      try old.write(to: URL(fileURLWithPath: path))
    }
  }

  #if os(Linux)
    @Test func aFullDiskIsSaid() throws {
      guard let disk = SmallDisk(bytes: 64 << 10) else { return }
      try FileManager.default.createDirectory(
        atPath: disk.store, withIntermediateDirectories: false)
      let cache = MemoryCache<Int, [UInt8]>(countLimit: 10, policy: .lru)
      cache.set([UInt8](repeating: 7, count: 100 << 10), forKey: 1)
      let path = "\(disk.store)/saved"
      #expect(
        error { try cache.save(to: path, coder: .bytes) }
          == .file(.full(path: path, action: "save the cache")))
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.store) == [])
    }
  #endif
}

private struct Pair: DiskKey {
  var left: Int
  var right: Int

  init(left: Int, right: Int) {
    self.left = left
    self.right = right
  }

  var diskBytes: [UInt8] { Array("\(left),\(right)".utf8) }

  init?(diskBytes: [UInt8]) {
    let parts = String(decoding: diskBytes, as: UTF8.self).split(separator: ",").compactMap {
      Int($0)
    }
    guard parts.count == 2 else { return nil }
    self.init(left: parts[0], right: parts[1])
  }
}

/// Evicts what came first, and passes no state on.
private struct Secretive: ListPolicy, ~Copyable {
  static var information: PolicyInformation {
    PolicyInformation(
      name: "secretive", summary: "passes no state on", paper: "",
      bytesPerSlot: 9)
  }

  var lists: SlotLists<UInt8>

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}

import DiskTier
import Eviction
import Foundation
import Testing

/// Keys that a stranger has chosen for their hashes to lie together.
struct CollidingKeysTests {
  private let folder = TemporaryFolder()

  /// Keys whose places all lie in one 64th of an index, under the seed 42.
  private static let colliding = Array(
    (0...).lazy.map { "key \($0 + 100_000_000_000)" }
      .filter { TextKey($0).stableHash(seed: 42) >> 58 == 0 }.prefix(20_000))

  private static let ordinary = (0..<colliding.count).map { "key \($0 + 100_000_000_000)" }

  /// The processor time that this thread needs.
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  private func disk(_ name: String) throws -> DiskCache<String, [UInt8]> {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.durability = .none
    return try .open(
      path: "\(folder.path)/\(name)", policy: .lru, options: options, coder: .bytes)
  }

  private func expectEqualWork(_ set: (_ keys: [String], _ name: String) throws -> Double) throws {
    let ordinary = try set(Self.ordinary, "ordinary")
    let colliding = try set(Self.colliding, "colliding")
    #expect(colliding < 4 * ordinary)
  }

  @Test func theyMakeADiskCacheNoSlower() throws {
    try expectEqualWork { keys, name in
      let cache = try disk(name)
      return try seconds { for key in keys { try cache.set([], forKey: key) } }
    }
  }

  @Test func theyMakeATieredCacheNoSlower() throws {
    try expectEqualWork { keys, name in
      var options = TieredSetup()
      options.writing = .back(limit: .max)
      let cache = try TieredCache<String, [UInt8]>.open(
        disk: disk(name), policy: .lru, options: options)
      defer { try? cache.removeAll() }
      return try seconds { for key in keys { try cache.set([], forKey: key) } }
    }
  }
}

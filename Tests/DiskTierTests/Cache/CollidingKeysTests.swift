import DiskTier
import Eviction
import Foundation
import Testing

/// Keys that a stranger has chosen for their hashes to collide.
struct CollidingKeysTests {
  private let folder = TemporaryFolder()

  /// Sixteen bytes each, which have one hash under the seed 42.
  private static let colliding: [String] = {
    let ascii: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let start = SplitMix64.mix(16 + 42)
    var keys: [String] = []
    var first: UInt64 = 0
    while keys.count < 20_000 {
      // The next word of seven bits a byte; the second one makes the states after it equal.
      first = ((first | ~ascii) &+ 1) & ascii
      let second = SplitMix64.mix(start ^ first)
      if second & ascii == second {
        let bytes = [first, second].flatMap { word in
          (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        keys.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return keys
  }()

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

  private func disk(_ name: String) throws -> DiskCache<[UInt8], LRU> {
    var options = DiskCacheOptions()
    options.trimInterval = nil
    options.store.durability = .none
    return try .open(path: "\(folder.path)/\(name)", options: options, coder: .bytes)
  }

  private func expectEqualWork(_ set: (_ keys: [String], _ name: String) throws -> Double) throws {
    #expect(Set(Self.colliding.map { TextKey($0).stableHash(seed: 42) }).count == 1)
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
      var options = TieredCacheOptions()
      options.writing = .back(limit: .max)
      let cache = try TieredCache<[UInt8], LRU, LRU>(disk: disk(name), options: options)
      defer { try? cache.removeAll() }
      return try seconds { for key in keys { try cache.set([], forKey: key) } }
    }
  }
}

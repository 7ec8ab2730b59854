import AllocationCounter
import DiskTier
import Eviction
import Foundation
import Synchronization
import Testing

/// The number of values that live.
private let livingValues = Mutex<[String: Int]>([:])

/// A value that is counted while it lives, under the name of its test.
private final class Counted: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
    livingValues.withLock { $0[name, default: 0] += 1 }
  }

  deinit { livingValues.withLock { $0[name, default: 0] -= 1 } }

  static let coder = ValueCoder<Counted>(
    name: "counted", encode: { Array($0.name.utf8) },
    decode: { Counted(String(decoding: $0, as: UTF8.self)) })
}

@Suite("A cache on disk that is closed or released")
struct ReleasedDiskCacheTests {
  static let policies = PolicyCatalog.policies.filter {
    !$0.information.isBound && $0.needs.isSubset(of: .knownToCaches)
  }

  private let folder = TemporaryFolder()

  @Test("has released every value, of tiers too", arguments: policies)
  func values(policy: CachePolicy) throws {
    func use(_ name: String, writing: TieredCacheOptions.Writing, closes: Bool) throws {
      var options = TieredSetup()
      options.memoryCountLimit = 8
      options.writing = writing
      let disk = try DiskCache<String, Counted>.open(
        path: folder.store, countLimit: 12, policy: policy, coder: Counted.coder)
      let cache = try TieredCache.open(disk: disk, policy: policy, options: options)
      for number in 0..<40 {
        let key = "key \(number * number % 17)"
        if try cache.value(forKey: key) == nil { try cache.set(Counted(name), forKey: key) }
        if number % 9 == 0 { try cache.remove(key) }
      }
      #expect(livingValues.withLock { $0[name, default: 0] } > 0)
      if closes { try cache.close() } else { try cache.flush() }
    }
    for writing in [TieredCacheOptions.Writing.through, .back(limit: 4)] {
      for closes in [true, false] {
        let name = "\(policy), \(writing), \(closes)"
        try use(name, writing: writing, closes: closes)
        let left = living(name)
        #expect(left == 0, "\(left) values live on: \(name)")
      }
    }
  }

  /// The number of values that live on when the thread that writes back has had its turn, which holds the cache as
  /// long.
  private func living(_ name: String) -> Int {
    var left = 0
    for _ in 0..<1_000 {
      left = livingValues.withLock { $0[name, default: 0] }
      if left == 0 { return 0 }
      usleep(10_000)
    }
    return left
  }

  /// The index of 500 keys takes 70 kB; so many caches would lose 10 MB.
  @Test("takes no room though there were many", .enabled(if: allocations_are_counted()))
  func index() throws {
    func use(_ number: Int) throws {
      let cache = try DiskCache<String, [UInt8]>.open(
        path: folder.store, countLimit: 500, policy: Self.policies[number % Self.policies.count],
        coder: .bytes)
      if number == 0 {
        for key in 0..<500 {
          try cache.set([1], forKey: "a key that has forty-one characters, \(1_000 + key)")
        }
      }
      let count = try cache.count
      #expect(count == 500)
      if number % 2 == 0 { cache.close() }
    }
    for number in 0..<20 { try use(number) }
    let before = bytes_held_by_this_thread()
    for number in 1...150 { try use(number) }
    let bytes = bytes_held_by_this_thread() - before
    #expect(bytes < 1 << 20, "\(bytes) bytes are lost")
  }
}

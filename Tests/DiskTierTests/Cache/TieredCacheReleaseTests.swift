import DiskTier
import Dispatch
import Eviction
import Foundation
import Testing

/// Runs `action` as it dies.
private final class Mortal: Sendable {
  private let action: @Sendable () -> Void
  init(_ action: @escaping @Sendable () -> Void = {}) { self.action = action }
  deinit { action() }
}

private typealias MortalCache = TieredCache<String, Mortal>

struct TieredCacheReleaseTests {
  private let folder = TemporaryFolder()

  /// Whatever a value does to the cache as it dies, no lock is held.
  @Test(
    arguments: [TieredCacheOptions.Writing.through, .back(limit: 2)],
    [ValueRelease.caller, .background])
  func aValueMayUseTheCacheAsItDies(
    writing: TieredCacheOptions.Writing, release: ValueRelease
  ) throws {
    var options = TieredSetup()
    options.memoryCountLimit = 1
    options.writing = writing
    options.memory.release = release
    let coder = ValueCoder<Mortal>(name: "mortal", encode: { _ in [] }, decode: { _ in Mortal() })
    let cache = try MortalCache.open(
      disk: .open(path: folder.store, policy: .lru, coder: coder), policy: .lru, options: options)
    let deaths = Counter()
    @Sendable func mortal(_ key: String) -> Mortal {
      Mortal { [weak cache] in
        deaths.increment()
        _ = try? cache?.remove(key)
        _ = try? cache?.set(Mortal(), forKey: key)
        try? cache?.flush()
      }
    }
    let isOver = DispatchSemaphore(value: 0)
    let work = DispatchQueue(label: "work")
    work.async {
      // Replaced, evicted, removed, written, and removed with all others.
      for _ in 0..<3 {
        for key in ["a", "a", "b", "c"] { _ = try? cache.set(mortal(key), forKey: key) }
        _ = try? cache.remove("c")
        for key in ["d", "e", "f"] { _ = try? cache.set(mortal(key), forKey: key) }
        try? cache.flush()
        _ = try? cache.set(mortal("g"), forKey: "g")
        try? cache.removeAll()
      }
      isOver.signal()
    }
    try #require(isOver.wait(timeout: .now() + 20) == .success, "the cache hangs")
    for _ in 0..<1_000 where deaths.count < 24 { Thread.sleep(forTimeInterval: 0.01) }
    #expect(deaths.count == 24)
  }

  /// Each value of a chain has the next one leave as it dies.
  @Test func aChainOfValuesNeedsNoStack() throws {
    let length = 3_000
    var options = TieredSetup()
    options.memoryCountLimit = length
    options.writing = .back(limit: 2 * length)
    let coder = ValueCoder<Mortal>(name: "mortal", encode: { _ in [] }, decode: { _ in Mortal() })
    let cache = try MortalCache.open(
      disk: .open(path: folder.store, policy: .lru, coder: coder), policy: .lru, options: options)
    let deaths = Counter()
    let isOver = DispatchSemaphore(value: 0)
    let thread = Thread {
      for key in 0..<length {
        let value = Mortal { [weak cache] in
          deaths.increment()
          _ = try? cache?.remove("\(key + 1)")
        }
        _ = try? cache.set(value, forKey: "\(key)")
      }
      try? cache.flush()
      _ = try? cache.remove("0")
      isOver.signal()
    }
    thread.stackSize = 1 << 19
    thread.start()
    try #require(isOver.wait(timeout: .now() + 60) == .success, "the cache hangs")
    for _ in 0..<1_000 where deaths.count < length { Thread.sleep(forTimeInterval: 0.01) }
    #expect(deaths.count == length)
  }
}

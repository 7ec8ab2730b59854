import DiskTier
import Eviction
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30)))
struct DiskUpkeepTests {
  private let folder = TemporaryFolder()

  /// The writes that run at the same time, at most.
  private final class Watch: Sendable {
    private let state = Mutex((running: 0, most: 0, count: 0))

    var most: Int { state.withLock { $0.most } }
    var count: Int { state.withLock { $0.count } }

    func run(_ body: () -> Void) {
      state.withLock { state in
        state.running += 1
        state.most = max(state.most, state.running)
      }
      body()
      state.withLock { state in
        state.running -= 1
        state.count += 1
      }
    }
  }

  @Test func writingBackTakesAFewThreadsWhateverTheNumberOfCaches() async throws {
    let watch = Watch()
    let coder = ValueCoder<Int>(
      name: "slow",
      encode: { _ in
        watch.run { Thread.sleep(forTimeInterval: 0.005) }
        return []
      }, decode: { _ in 0 })
    var options = TieredCacheOptions()
    options.writing = .back(limit: 100)
    var caches: [TieredCache<String, Int>] = []
    for number in 0..<40 {
      let disk = try await DiskCache<String, Int>.open(
        path: "\(folder.path)/\(number)", coder: coder)
      caches.append(try TieredCache.open(disk: disk, options: options))
    }
    for cache in caches { try await cache.set(1, forKey: "a") }
    while watch.count < caches.count { try await Task.sleep(for: .milliseconds(1)) }
    #expect(watch.most <= BackgroundThreads.count)
    for cache in caches { try await cache.close() }
  }
}

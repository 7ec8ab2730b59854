import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

@Suite("What caches do by themselves", .endsWhenItHangs)
struct CacheUpkeepTests {
  let time = ManualClock()

  /// The callbacks that run at the same time, at most, and the threads of the process meanwhile.
  private final class Watch: Sendable {
    private let state = Mutex((running: 0, most: 0, threads: 0))

    var most: Int { state.withLock { $0.most } }
    var threads: Int { state.withLock { $0.threads } }

    func run(_ body: () -> Void) {
      state.withLock { state in
        state.running += 1
        state.most = max(state.most, state.running)
        state.threads = max(state.threads, Watch.threadsOfProcess)
      }
      body()
      state.withLock { $0.running -= 1 }
    }

    /// 0 where the system does not list them.
    static var threadsOfProcess: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
  }

  @Test("F11: takes a few threads, whatever the number of caches and shards")
  func fewThreads() async throws {
    let watch = Watch()
    let removed = Counter()
    let options = time.options {
      $0.trimInterval = .milliseconds(5)
      $0.expiration = .after(.seconds(1))
    }
    let onRemoval: @Sendable (Int, Int, RemovalCause) -> Void = { _, _, _ in
      watch.run { Thread.sleep(forTimeInterval: 0.002) }
      removed.add()
    }
    let before = Watch.threadsOfProcess
    let sharded = ShardedCache<Int, Int>(
      shards: 256, policy: .lru, options: options, onRemoval: onRemoval)
    let caches = (0..<200).map { _ in
      MemoryCache<Int, Int>(policy: .lru, options: options, onRemoval: onRemoval)
    }
    for key in 0..<2_000 { sharded.set(key, forKey: key) }
    for cache in caches { cache.set(1, forKey: 1) }
    time.advance(bySeconds: 1)
    try await waitUntil { removed.value == 2_200 }
    #expect(watch.most <= BackgroundThreads.count)
    // Other tests have theirs.
    #expect(watch.threads <= before + 160)
    withExtendedLifetime((sharded, caches)) {}
  }

  @Test("goes on in the others while a callback of one takes long")
  func slowCallback() async throws {
    let gate = DispatchSemaphore(value: 0)
    let started = Counter()
    let removals = Removals<Int>()
    let options = time.options {
      $0.trimInterval = .milliseconds(1)
      $0.expiration = .after(.seconds(1))
    }
    let slow = MemoryCache<Int, Int>(
      policy: .lru, options: options,
      onRemoval: { _, _, _ in
        started.add()
        gate.wait()
      })
    let others = (0..<10).map { _ in
      MemoryCache<Int, Int>(
        policy: .lru, options: options, onRemoval: { removals.append($0, $1, $2) })
    }
    for key in 0..<10 { slow.set(key, forKey: key) }
    time.advance(bySeconds: 1)
    try await waitUntil { started.value > 0 }
    for round in 0..<10 {
      for cache in others { cache.set(round, forKey: round) }
      time.advance(bySeconds: 1)
      var count = 0
      try await waitUntil {
        count += removals.take().count
        return count == others.count
      }
    }
    for _ in 0..<10 { gate.signal() }
    try await waitUntil { started.value == 10 }
  }
}

import Dispatch
import Eviction
import EvictionCore
import Foundation
import Synchronization
import TestConditions
import Testing

/// In one thread, a cache with buffered reads does what a strict one does, to the last eviction.
private struct BufferedAndStrict: PolicyVisitor {
  let admission: Bool
  var differences: [String] = []

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.isBound { return }
    // What looks at the clock learns of a touch when it is drained.
    if !policy.needs.isSubset(of: [.keyHash, .keyLength]) { return }
    do throws(PolicyError) {
      let (strict, strictEvictions) = try cache(of: Policy.self, .strict)
      let (buffered, bufferedEvictions) = try cache(of: Policy.self, .buffered)
      var generator = SplitMix64(seed: 3)
      for step in 0..<(isOptimized ? 3_000 : 1_000) {
        let key = generator.index(below: 1 + generator.index(below: 150))
        let isSame =
          switch generator.index(below: 40) {
          case 0: strict.removeValue(forKey: key) == buffered.removeValue(forKey: key)
          case 1: strict.set(step, forKey: key) == buffered.set(step, forKey: key)
          default: get(key, or: step, strict) == get(key, or: step, buffered)
          }
        if !isSame { differences.append("\(Policy.information.name) at step \(step)") }
      }
      if strict.statistics != buffered.statistics || strictEvictions.keys != bufferedEvictions.keys
      {
        differences.append("\(Policy.information.name) in its evictions")
      }
    } catch { differences.append("\(error)") }
  }

  /// A get, and a set on a miss: what either found.
  private func get(
    _ key: Int, or value: Int, _ cache: MemoryCache<Int, Int>
  ) -> Int? {
    if let found = cache.value(forKey: key) { return found }
    return cache.set(value, forKey: key) ? -1 : nil
  }

  private func cache<Policy: ReplacementPolicy & ~Copyable>(
    of policy: Policy.Type, _ reads: CacheReads
  ) throws(PolicyError) -> (MemoryCache<Int, Int>, EvictedEntries<Int>) {
    let evicted = EvictedEntries<Int>()
    let cache = try MemoryCache<Int, Int>.open(
      countLimit: 60, policy: CachePolicy(Policy.self), admission: admission ? .tinyLFU() : nil,
      seed: 42,
      options: .init(reads: reads), onRemoval: evicted.note)
    return (cache, evicted)
  }
}

@Suite struct BufferedReadsTests {
  @Test(arguments: [false, true])
  func oneThreadSeesNoDifference(admission: Bool) {
    // Whatever other threads this module's code has seen that no other module's has.
    let parts = ThreadStripes(bytes: 8)
    defer { parts.deallocate() }
    Self.onNewThread { _ = parts.own }
    let differences = Mutex<[String]>([])
    Self.onNewThread {
      var comparison = BufferedAndStrict(admission: admission)
      PolicyCatalog.visit(&comparison)
      differences.withLock { $0 = comparison.differences }
    }
    #expect(differences.withLock { $0 } == [])
  }

  private static func onNewThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      isDone.signal()
    }
    isDone.wait()
  }

  @Test func policyLearnsOfTouchesBeforeAnythingChanges() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 3, policy: .lru, options: .init(reads: .buffered))
    for key in 1...3 { cache.set(key, forKey: key) }
    _ = cache.value(forKey: 1)
    cache.set(4, forKey: 4)
    #expect(cache.contains(1) && !cache.contains(2))
    // Touched, and gone before the policy has heard of it.
    _ = cache.value(forKey: 3)
    cache.removeValue(forKey: 3)
    cache.set(5, forKey: 5)
    #expect(cache.contains(1) && cache.contains(4) && cache.contains(5))
  }

  @Test func everyGetIsCountedThoughTouchesAreLost() throws {
    let cache = MemoryCache<Int, Int>(
      countLimit: 100, policy: .slru(), lock: ReadWriteLock(), options: .init(reads: .buffered))
    for key in 0..<100 { cache.set(key, forKey: key) }
    let misses = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var generator = SplitMix64(seed: UInt64(thread))
      for _ in 0..<10_000 where cache.value(forKey: generator.index(below: 125)) == nil {
        misses.add(1, ordering: .relaxed)
      }
    }
    let statistics = cache.statistics
    #expect(statistics.requests == 40_000)
    #expect(statistics.misses == misses.load(ordering: .relaxed))
    #expect(cache.count == 100)
  }

  @Test func getsReadTogetherWhereTheLockAllows() throws {
    // While another reader is inside.
    let lock = BigReaderLock()
    let cache = MemoryCache<Int, Int>(
      countLimit: 2, policy: .lru, lock: lock, options: .init(reads: .buffered))
    cache.set(1, forKey: 1)
    let entered = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let reader = DispatchQueue(label: "reader")
    reader.async {
      lock.withSharedLock {
        entered.signal()
        done.wait()
      }
    }
    entered.wait()
    let found = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { if cache.value(forKey: 1) == 1 { found.signal() } }
    #expect(found.wait(timeout: .now() + 60) == .success)
    done.signal()
    reader.sync {}
  }

  @Test func observedCacheTellsAtOnce() throws {
    final class Counter: CacheObserver {
      let hits = Atomic(0)
      func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
        if event == .hit { hits.add(1, ordering: .relaxed) }
      }
    }
    let counter = Counter()
    let cache = MemoryCache<Int, Int>(
      countLimit: 2, policy: .lru, observer: counter, options: .init(reads: .buffered))
    cache.set(1, forKey: 1)
    _ = cache.value(forKey: 1)
    #expect(counter.hits.load(ordering: .relaxed) == 1)
  }
}

extension MemoryCacheOptions {
  fileprivate init(reads: CacheReads) {
    self.init()
    self.reads = reads
  }
}

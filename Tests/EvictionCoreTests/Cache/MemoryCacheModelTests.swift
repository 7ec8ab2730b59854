import AllocationCounter
import Eviction
import Foundation
import Parameters
import Synchronization
import TestConditions
import Testing

/// Random operations on a cache of each policy: what must hold whatever the policy decides.
private struct CacheChecker: PolicyVisitor {
  enum Limits: CaseIterable {
    case none, count, cost
  }

  var seed: UInt64

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.isBound { return }
    if !policy.needs.isSubset(of: .knownToCaches) { return }
    for limits in Limits.allCases { check(policy, limits) }
  }

  func check<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type, _ limits: Limits) {
    let name = Policy.information.name
    var generator = SplitMix64(seed: seed)
    let limit = 4 + generator.index(below: 30)
    let evicted = EvictedEntries<Int>()
    guard
      let cache = try? MemoryCache<Int, Int>.open(
        countLimit: limits == .none || limits == .cost && generator.index(below: 2) == 0
          ? nil : limit,
        costLimit: limits == .cost ? 4 * limit : nil, costs: .weighed { _ in 1 },
        policy: CachePolicy(Policy.self), seed: seed,
        onRemoval: evicted.note)
    else {
      Issue.record("\(name) does not run at \(limit)")
      return
    }
    var latest: [Int: Int] = [:]
    var seenEvictions = 0
    for step in 0..<1_000 {
      let key = generator.index(below: 3 * limit)
      switch generator.index(below: 20) {
      case 0:
        cache.removeValue(forKey: key)
        latest[key] = nil
      case 1 where step % 7 == 0:
        cache.removeAll()
        latest = [:]
      case 2 where step % 5 == 0 && limits != .none:
        cache.countLimit = 4 + generator.index(below: 30)
      case 3 where step % 3 == 0:
        let most = generator.index(below: limit)
        cache.trim(toCount: most)
        if cache.count > most { Issue.record("\(name), seed \(seed): trimmed to \(cache.count)") }
      case 3...7:
        let cost = 1 + generator.index(below: 9)
        if cache.set(step, forKey: key, cost: cost) {
          latest[key] = step
          if !cache.contains(key) {
            Issue.record("\(name), \(limits), seed \(seed), step \(step): \(key) is not stored")
            return
          }
        } else {
          latest[key] = nil
        }
      default:
        let value = cache.value(forKey: key)
        if value != nil && value != latest[key] {
          Issue.record("\(name), seed \(seed), step \(step): \(key) had an older value")
        }
        if value == nil {
          latest[key] = cache.set(step, forKey: key) ? step : nil
        }
      }
      let keys = evicted.keys(from: seenEvictions)
      for gone in keys where cache.contains(gone) && latest[gone] != step {
        Issue.record("\(name), seed \(seed), step \(step): \(gone) was evicted and is resident")
      }
      seenEvictions += keys.count
      if cache.count > cache.countLimit ?? .max || cache.totalCost > cache.costLimit ?? .max {
        Issue.record("\(name), seed \(seed), step \(step): the cache is over a limit")
      }
    }
    let statistics = cache.statistics
    #expect(statistics.evictions == evicted.keys.count)
    #expect(
      statistics.insertions - statistics.evictions - statistics.removals >= cache.count,
      "\(name), seed \(seed): every resident was inserted, and left at most once")
  }
}

@Suite struct MemoryCacheModelTests {
  @Test(arguments: 1...(isOptimized ? 8 : 2))
  func everyPolicyKeepsItsPromises(seed: Int) {
    var checker = CacheChecker(seed: UInt64(seed))
    PolicyCatalog.visit(&checker)
  }

  @Test func residentsOfAnLRUCacheAreThoseUsedLast() throws {
    var generator = SplitMix64(seed: 7)
    let cache = MemoryCache<Int, Int>(countLimit: 20, policy: .lru)
    var recent: [Int] = []
    for _ in 0..<2_000 {
      let key = generator.index(below: 40)
      if cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
      recent.removeAll { $0 == key }
      recent.append(key)
      if recent.count > 20 { recent.removeFirst() }
      #expect((0..<40).filter(cache.contains) == recent.sorted())
    }
  }

  @Test(.enabled(if: allocations_are_counted(), "allocations are not counted on this platform"))
  func fullCacheAllocatesNothing() throws {
    let cache = MemoryCache<UInt64, UInt64>(countLimit: 1_000, policy: .lru)
    func use(_ rounds: Int) {
      var generator = SplitMix64(seed: 3)
      for _ in 0..<rounds {
        let key = UInt64(generator.index(below: 3_000))
        if cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
      }
    }
    use(20_000)
    let before = allocations_of_this_thread()
    use(20_000)
    #expect(allocations_of_this_thread() == before)
  }

  @Test func allocationCounterCounts() {
    let before = allocations_of_this_thread()
    let block = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 1)
    block.deallocate()
    #expect(!allocations_are_counted() || allocations_of_this_thread() > before)
  }

  static let sharedLocks: [String] = LockCatalog.all.compactMap {
    $0.information.isThreadSafe ? $0.information.name : nil
  }

  @Test(arguments: sharedLocks)
  func threadsNeverSeeAnotherKeysValue(lock name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name))
    let cache = MemoryCache<Int, Int>(countLimit: 100, policy: .arc(), lock: lock.init())
    let wrong = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var generator = SplitMix64(seed: UInt64(thread))
      for _ in 0..<20_000 {
        let key = generator.index(below: 300)
        switch generator.index(below: 10) {
        case 0: cache.removeValue(forKey: key)
        case 1: cache.set(key, forKey: key, cost: 1 + key % 3)
        default:
          if let value = cache.value(forKey: key) {
            if value != key { wrong.add(1, ordering: .relaxed) }
          } else {
            cache.set(key, forKey: key)
          }
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(cache.count <= 100)
    let statistics = cache.statistics
    #expect(
      statistics.insertions - statistics.evictions - statistics.removals == cache.count,
      "an update lost under contention")
  }
}

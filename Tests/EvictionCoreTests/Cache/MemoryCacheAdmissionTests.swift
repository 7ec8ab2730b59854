import Eviction
import Parameters
import TestConditions
import Testing

@Suite("A cache behind an admission filter")
struct MemoryCacheAdmissionTests {
  @Test("refuses what the filter refuses, and counts it")
  func refusalsAreCounted() throws {
    let cache = MemoryCache<Int, String>(
      costLimit: 1_000, costs: .weighed { _ in 1 }, policy: .lru, admission: .size(limit: 100))
    #expect(!cache.set("large", forKey: 1, cost: 101))
    #expect(cache.set("small", forKey: 2, cost: 100))
    #expect(cache.value(forKey: 1) == nil && cache.value(forKey: 2) == "small")
    #expect(cache.statistics.rejections == 1 && cache.statistics.insertions == 1)
  }

  @Test("keeps a resident that grows beyond the filter's limit: only newcomers are asked")
  func writesAreNotAsked() throws {
    let cache = MemoryCache<Int, String>(
      costLimit: 1_000, costs: .weighed { _ in 1 }, policy: .lru, admission: .size(limit: 100))
    cache.set("small", forKey: 2, cost: 100)
    #expect(cache.set("grown", forKey: 2, cost: 500))
    #expect(cache.value(forKey: 2) == "grown")
  }

  @Test("keeps what is requested often, and trims whatever the filter prefers")
  func tinyLFUProtectsResidents() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .lru, admission: .tinyLFU(), seed: 42)
    for key in [1, 2] {
      cache.set(key, forKey: key)
      for _ in 0..<5 { _ = cache.value(forKey: key) }
    }
    for key in 10..<14 { #expect(!cache.set(key, forKey: key)) }
    #expect(cache.contains(1) && cache.contains(2))
    #expect(cache.statistics.rejections == 4 && cache.statistics.evictions == 0)
    cache.countLimit = 1
    #expect(cache.count == 1 && cache.contains(2))
    for _ in 0..<8 { cache.set(3, forKey: 3) }
    #expect(cache.contains(3), "requested more often than 2 by now")
  }

  @Test("does not refuse later what a trim evicts, after a refusal")
  func trimAfterARefusal() throws {
    let cache = MemoryCache<Int, Int>(
      countLimit: 4, costs: .weighed { _ in 1 }, policy: .arc(), admission: .tinyLFU(), seed: 42)
    for key in 1...4 {
      cache.set(key, forKey: key)
      _ = cache.value(forKey: key)
    }
    #expect(!cache.set(9, forKey: 9))
    cache.countLimit = 1
    #expect(cache.count == 1)
    cache.costLimit = 0
    #expect(cache.count == 0)
  }

  @Test(
    "A filter is asked no matter who makes room for the newcomer: the policy, a purge, the other limit"
  )
  func filterIsAsked() throws {
    var purging = MemoryCacheOptions()
    purging.lowWaterMark = 0.5
    let caches = [
      MemoryCache<Int, Int>(
        countLimit: 10, policy: .lru, admission: .tinyLFU(), seed: 42, options: purging),
      MemoryCache<Int, Int>(
        countLimit: 10, costLimit: 1_000, costs: .weighed { _ in 1 }, policy: .lru,
        admission: .tinyLFU(),
        seed: 42),
    ]
    for cache in caches {
      for _ in 0..<5 {
        for key in 0..<10 where cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
      }
      #expect(!cache.set(99, forKey: 99), "everybody else was asked for five times")
      #expect(cache.count == 10 && cache.statistics.evictions == 0)
    }
  }

  @Test("says what is wrong with a filter")
  func errors() {
    func problem(
      _ admission: Specification, countLimit: Int? = nil, costLimit: Int? = nil
    ) -> String {
      do {
        _ = try MemoryCache<Int, Int>.open(
          countLimit: countLimit, costLimit: costLimit, costs: .weighed { _ in 1 }, policy: .lru,
          admission: CacheAdmission(admission))
        return "none"
      } catch { return "\(error)" }
    }
    #expect(problem("nope", countLimit: 3).hasPrefix("lru: no admission filter is called “nope”"))
    #expect(problem("size", countLimit: 3).contains("decides by bytes"))
    #expect(problem("bloom").contains("needs a limit"))
    #expect(problem("bloom:sample=1", countLimit: 3).contains("it has window"))
    #expect(problem("size", costLimit: 3) == "none")
  }

  @Test(
    "keeps its promises behind every filter, whatever the policy",
    arguments: 1...(isOptimized ? 3 : 1))
  func promises(seed: Int) {
    var checker = FilteredCacheChecker(seed: UInt64(seed))
    PolicyCatalog.visit(&checker)
  }
}

/// Random operations on a cache of each policy behind each filter.
private struct FilteredCacheChecker: PolicyVisitor {
  let seed: UInt64

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if !policy.needs.isSubset(of: [.keyHash, .time]) || policy.information.isBound { return }
    for filter in AdmissionCatalog.all.map({ $0.information }) {
      var text = filter.name
      if filter.name == "adaptsize" { text += ":interval=50:iterations=3:c=10" }
      if filter.name == "size" { text += ":limit=6" }
      check(policy, behind: Specification(stringLiteral: text))
    }
  }

  private func check<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, behind filter: Specification
  ) {
    var generator = SplitMix64(seed: seed)
    let limit = 4 + generator.index(below: 20)
    var options = MemoryCacheOptions()
    if seed % 3 == 1 { options.lowWaterMark = 0.7 }
    guard
      let cache = try? MemoryCache<Int, Int>.open(
        countLimit: seed % 2 == 0 ? nil : limit, costLimit: 4 * limit, costs: .weighed { _ in 1 },
        policy: CachePolicy(Policy.self), admission: CacheAdmission(filter),
        seed: seed, options: options)
    else {
      Issue.record("\(Policy.information.name) does not run behind \(filter)")
      return
    }
    var refused = 0
    for step in 0..<500 {
      let key = generator.index(below: 3 * limit)
      switch generator.index(below: 20) {
      case 0: cache.removeValue(forKey: key)
      case 1 where step % 7 == 0: cache.removeAll()
      case 2 where step % 5 == 0: cache.costLimit = 16 + generator.index(below: 80)
      default:
        if cache.value(forKey: key) == nil,
          !cache.set(step, forKey: key, cost: 1 + generator.index(below: 9))
        {
          refused += 1
        }
      }
      if cache.totalCost > cache.costLimit ?? .max || cache.count > cache.countLimit ?? .max {
        Issue.record("\(Policy.information.name) behind \(filter) is over a limit")
        return
      }
    }
    let statistics = cache.statistics
    #expect(statistics.rejections == refused, "\(Policy.information.name) behind \(filter)")
    #expect(
      statistics.insertions - statistics.evictions - statistics.removals == cache.count,
      "\(Policy.information.name) behind \(filter)")
  }
}

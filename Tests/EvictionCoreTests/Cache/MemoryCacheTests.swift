import Eviction
import Parameters
import Synchronization
import TestConditions
import Testing

/// Gathers evicted entries from a callback.
final class EvictedEntries<Value: Sendable>: Sendable {
  private let entries = Mutex<[(key: Int, value: Value)]>([])

  func append(_ key: Int, _ value: Value) { entries.withLock { $0.append((key, value)) } }

  /// Gathers a value that left if it was evicted.
  @Sendable func note(_ key: Int, _ value: Value, _ cause: RemovalCause) {
    if cause == .size { append(key, value) }
  }

  var keys: [Int] { keys(from: 0) }

  /// The keys, but the first few.
  func keys(from first: Int) -> [Int] { entries.withLock { $0[first...].map(\.key) } }
}

@Suite struct MemoryCacheTests {
  @Test func valueIsWhatWasSetLast() throws {
    let cache = MemoryCache<Int, String>(countLimit: 2, policy: .lru)
    #expect(cache.value(forKey: 1) == nil)
    cache.set("one", forKey: 1)
    cache.set("uno", forKey: 1)
    #expect(cache.value(forKey: 1) == "uno")
    #expect(cache.count == 1)
  }

  @Test func fullCacheEvictsByItsPolicy() throws {
    let evicted = EvictedEntries<String>()
    let cache = MemoryCache<Int, String>(
      countLimit: 2, policy: .lru, onRemoval: evicted.note)
    cache.set("one", forKey: 1)
    cache.set("two", forKey: 2)
    _ = cache.value(forKey: 1)
    cache.set("three", forKey: 3)
    #expect(evicted.keys == [2])
    #expect(cache.value(forKey: 2) == nil)
    #expect(cache.value(forKey: 1) == "one")
  }

  @Test func statisticsPrintTheHitRatio() {
    let cache = MemoryCache<Int, Int>(countLimit: 1, policy: .lru)
    #expect("\(cache.statistics)" == "requests 0, hits 0, evictions 0")
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2)
    for key in [1, 2] { _ = cache.value(forKey: key) }
    cache.update(forKey: 2) { $0? += 1 }  // a get
    #expect("\(cache.statistics)" == "requests 3, hits 2 (66.7 %), evictions 1")
  }

  @Test func containsDoesNotTouch() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .lru)
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2)
    #expect(cache.contains(1))
    cache.set(3, forKey: 3)
    #expect(!cache.contains(1))
    #expect(cache.statistics.requests == 0)
  }

  @Test func missedGetDoesNotReachThePolicy() throws {
    // A get of 3 must not push anything out, or count as a reference.
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .lfu())
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2)
    for _ in 0..<5 { #expect(cache.value(forKey: 3) == nil) }
    #expect(cache.contains(1) && cache.contains(2))
    #expect(cache.statistics.misses == 5)
  }

  @Test func costLimitIsTheCapacity() throws {
    let evicted = EvictedEntries<Int>()
    let cache = MemoryCache<Int, Int>(
      costLimit: 100, costs: .given, policy: .fifo, onRemoval: evicted.note)
    cache.set(1, forKey: 1, cost: 40)
    cache.set(2, forKey: 2, cost: 40)
    cache.set(3, forKey: 3, cost: 70)
    #expect(evicted.keys == [1, 2])
    #expect(cache.totalCost == 70)
  }

  @Test func countLimitBesideACostLimitTrims() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 2, costLimit: 100, costs: .given, policy: .lru)
    for key in 1...3 { cache.set(key, forKey: key, cost: 1) }
    #expect(cache.count == 2)
    #expect(!cache.contains(1))
  }

  @Test func newcomerIsNeverTrimmedForTheSecondLimit() throws {
    // MRU trims the object touched last: it must do so before the newcomer enters.
    let cache = MemoryCache<Int, Int>(
      countLimit: 2, costLimit: 100, costs: .given, policy: CachePolicy(MRU.self))
    for key in 1...3 { cache.set(key, forKey: key, cost: 1) }
    #expect(cache.contains(3))
    #expect(cache.contains(1))
  }

  @Test func objectLargerThanTheLimitIsNotStored() throws {
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given, policy: .lru)
    cache.set(1, forKey: 1, cost: 5)
    #expect(!cache.set(2, forKey: 2, cost: 11))
    #expect(cache.contains(1))
    #expect(cache.statistics.rejections == 1)
  }

  @Test func tooLargeUpdateRemovesTheOldValue() throws {
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given, policy: .lru)
    cache.set(1, forKey: 1, cost: 5)
    #expect(!cache.set(2, forKey: 1, cost: 11))
    #expect(cache.value(forKey: 1) == nil)
    #expect(cache.totalCost == 0)
  }

  @Test func updateCorrectsTheCostAndRestoresTheLimit() throws {
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given, policy: .lru)
    cache.set(1, forKey: 1, cost: 4)
    cache.set(2, forKey: 2, cost: 4)
    cache.set(3, forKey: 1, cost: 8)
    #expect(cache.totalCost == 8)
    #expect(cache.value(forKey: 1) == 3)
    #expect(!cache.contains(2))
    cache.setCost(3, forKey: 1)
    #expect(cache.totalCost == 3 && cache.cost(forKey: 1) == 3)
  }

  @Test func entryThatGrowsTooLargeLeavesAlone() throws {
    for grow in [
      { $0.setCost(11, forKey: 3) }, { $0.set(3, forKey: 3, cost: 11) },
    ] as [(MemoryCache<Int, Int>) -> Void] {
      let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given, policy: .lru)
      for key in 1...3 { cache.set(key, forKey: key, cost: 3) }
      grow(cache)
      #expect((1...3).filter(cache.contains) == [1, 2] && cache.totalCost == 6)
      #expect(cache.statistics.outgrown == 1 && cache.statistics.evictions == 0)
    }
  }

  @Test func loweredLimitEvictsBeforeTheCallReturns() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .slru())
    for key in 0..<10 { cache.set(key, forKey: key) }
    cache.countLimit = 3
    #expect(cache.count == 3)
    cache.countLimit = nil
    for key in 0..<100 { cache.set(key, forKey: key) }
    #expect(cache.count == 100)
    cache.countLimit = 0
    #expect(cache.count == 0)
    #expect(!cache.set(1, forKey: 1))
  }

  @Test func cacheWithoutLimitsKeepsEverything() throws {
    let cache = MemoryCache<Int, Int>(policy: .arc())
    for key in 0..<1_000 { cache.set(key, forKey: key) }
    #expect(cache.count == 1_000)
    #expect((0..<1_000).allSatisfy { cache.value(forKey: $0) == $0 })
    #expect(cache.statistics.evictions == 0)
  }

  @Test func costSumCannotOverflow() throws {
    let cache = MemoryCache<Int, Int>(policy: .lru)
    cache.set(1, forKey: 1, cost: .max >> 9)
    #expect(!cache.set(2, forKey: 2, cost: .max))
    #expect(!cache.set(1, forKey: 1, cost: .max))
    #expect(cache.count == 0)
  }

  @Test func absurdLimitsAndCostsAreSurvived() throws {
    let byCount = MemoryCache<Int, Int>(countLimit: .max, policy: .arc())
    byCount.set(1, forKey: 1, cost: 5)
    byCount.countLimit = .max - 1
    byCount.setCost(.max, forKey: 1)
    #expect(!byCount.contains(1) && byCount.totalCost == 0)
    let byCost = MemoryCache<Int, Int>(costLimit: .max, costs: .given, policy: .arc())
    byCost.set(1, forKey: 1, cost: 5)
    #expect(!byCost.set(2, forKey: 2, cost: .max))
    #expect(byCost.value(forKey: 1) == 1)
    byCost.costLimit = 10
    byCost.setCost(.max, forKey: 1)
    #expect(byCost.count == 0 && byCost.totalCost == 0)
  }

  @Test func removalLeavesNoGhost() throws {
    // Key 1 would be a ghost of B1, and enter T2 when it comes back; removed, it is forgotten.
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .arc())
    cache.set(1, forKey: 1)
    #expect(cache.removeValue(forKey: 1) == 1)
    #expect(cache.removeValue(forKey: 1) == nil)
    #expect(cache.statistics.removals == 1)
    #expect(cache.count == 0)
  }

  @Test func removeAllReleasesEverything() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 50, policy: .lfu())
    for key in 0..<80 { cache.set(key, forKey: key) }
    cache.removeAll()
    #expect(cache.count == 0 && cache.totalCost == 0)
    for key in 0..<80 { cache.set(key, forKey: key) }
    #expect(cache.count == 50)
  }

  @Test func callbackMayUseTheCache() throws {
    final class Holder: Sendable {
      let cache = Mutex<MemoryCache<Int, Int>?>(nil)
    }
    let holder = Holder()
    let cache = MemoryCache<Int, Int>(
      countLimit: 1, policy: .lru,
      onRemoval: { key, _, cause in
        let cache = holder.cache.withLock { $0 }
        if cause == .size && key < 5 { cache?.set(key, forKey: key + 1) }
      })
    holder.cache.withLock { $0 = cache }
    cache.set(0, forKey: 0)
    cache.set(9, forKey: 9)
    #expect(cache.count == 1)
    holder.cache.withLock { $0 = nil }
  }

  @Test func chainOfEvictionsInCallbacksNeedsNoStack() throws {
    // Each eviction is reported by putting the victim back, which evicts the other key.
    final class Holder: Sendable {
      let cache = Mutex<MemoryCache<Int, Int>?>(nil)
      let reports = Mutex<(keys: [Int], depth: Int, deepest: Int)>(([], 0, 0))
    }
    let holder = Holder()
    let length = isOptimized ? 200_000 : 50_000
    let cache = MemoryCache<Int, Int>(
      countLimit: 1, policy: .lru,
      onRemoval: { key, value, _ in
        let count = holder.reports.withLock { reports in
          reports.keys.append(key)
          reports.depth += 1
          reports.deepest = max(reports.deepest, reports.depth)
          return reports.keys.count
        }
        let cache = holder.cache.withLock { $0 }
        if count < length { cache?.set(value, forKey: key) }
        holder.reports.withLock { $0.depth -= 1 }
      })
    holder.cache.withLock { $0 = cache }
    cache.set(0, forKey: 0)
    cache.set(1, forKey: 1)
    let (keys, _, deepest) = holder.reports.withLock { $0 }
    #expect(keys.count == length && keys == keys.indices.map { $0 % 2 })
    #expect(deepest == 1, "a report within a report")
    #expect(cache.count == 1 && cache.statistics.evictions == length)
    holder.cache.withLock { $0 = nil }
  }

  @Test func callbackOfOneCacheMayUseAnother() throws {
    let reported = EvictedEntries<Int>()
    let second = MemoryCache<Int, Int>(
      countLimit: 1, policy: .lru, onRemoval: reported.note)
    let seen = EvictedEntries<Int>()
    let first = MemoryCache<Int, Int>(
      countLimit: 1, policy: .lru,
      onRemoval: { key, value, _ in
        second.set(value, forKey: key)
        // What leaves the other cache is reported before its operation returns.
        if let latest = reported.keys.last { seen.append(latest, 0) }
      })
    for key in 0..<4 { first.set(key, forKey: key) }
    #expect(reported.keys == [0, 1] && seen.keys == [0, 1])
  }

  @Test func valuesAreReleasedOutsideTheLock() throws {
    // A value that asks the cache for its count as it dies would wait for itself under the lock.
    final class Curious: Sendable {
      let ask: @Sendable () -> Void
      init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
      deinit { ask() }
    }
    let cache = MemoryCache<Int, Curious>(countLimit: 1, policy: .lru)
    let asked = Atomic(0)
    let ask: @Sendable () -> Void = { [weak cache] in
      _ = cache?.count
      asked.add(1, ordering: .relaxed)
    }
    cache.set(Curious(ask), forKey: 1)
    cache.set(Curious(ask), forKey: 2)
    cache.set(Curious(ask), forKey: 2)
    cache.removeValue(forKey: 2)
    cache.set(Curious(ask), forKey: 3)
    cache.removeAll()
    #expect(asked.load(ordering: .relaxed) == 4)
  }

  @Test func policyWeighsTheCostOfAMiss() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .gdsf())
    cache.set(1, forKey: 1, missCost: 9)
    cache.set(2, forKey: 2)
    cache.set(3, forKey: 3, missCost: 2)
    #expect(cache.contains(1) && !cache.contains(2))
    // Entries keep the cost that they entered with: twice 9 against 2.
    cache.set(1, forKey: 1, missCost: 0)
    cache.set(4, forKey: 4, missCost: 5)
    #expect(cache.contains(1) && !cache.contains(3))
  }

  @Test func hitDoesNotChangeTheCostOfAMiss() throws {
    let cache = MemoryCache<Int, Int>(
      countLimit: 2,
      policy: CachePolicy(Hyperbolic.self, parameters: ["sample": 1_000, "weight": "cost"]))
    cache.set(1, forKey: 1, missCost: 100)
    cache.set(2, forKey: 2, missCost: 3)
    #expect(cache.value(forKey: 1) == 1)
    // Requests / age × cost: 2/3 × 100 against 1/2 × 3.
    cache.set(3, forKey: 3)
    #expect(cache.contains(1) && !cache.contains(2))
  }

  /// FIFO that lets in only what costs something to make again.
  private struct CostlyOnly: ListPolicy, ~Copyable {
    static let information = PolicyInformation(
      name: "costly", summary: "", paper: "", bytesPerSlot: 9)
    static var needs: RequestNeeds { .cost }

    var lists: SlotLists<UInt8>

    init(_ configuration: PolicyConfiguration) {
      lists = SlotLists(count: 1, slots: configuration.slots)
    }

    mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

    mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
      guard request.cost > 1, makeRoom(for: request, host: &host) else {
        return refuse(request, host: &host)
      }
      lists.prepend(request.slot, to: SlotLists<UInt8>.ID(1), size: request.size)
      return true
    }

    mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
      lists.evictBack(of: SlotLists<UInt8>.ID(1), host: &host)
    }
  }

  @Test func policyThatNeedsCostsSeesThem() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: CachePolicy(CostlyOnly.self))
    #expect(!cache.set(1, forKey: 1) && cache.set(2, forKey: 2, missCost: 5))
    #expect(cache.contains(2) && cache.count == 1)
  }

  @Test(arguments: 1...4)
  func limitBelowThePolicysMinimumIsKept(limit: Int) throws {
    let made = MemoryCache<Int, Int>(countLimit: limit, policy: .lirs())
    let lowered = MemoryCache<Int, Int>(countLimit: 10, policy: .lirs())
    lowered.countLimit = limit
    var generator = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let key = generator.index(below: 1 + generator.index(below: 12))
      for cache in [made, lowered] {
        if cache.value(forKey: key) == nil { #expect(cache.set(key, forKey: key)) }
        if cache.count > limit { Issue.record("\(cache.count) entries") }
      }
    }
    #expect(made.statistics == lowered.statistics && made.count == limit)
    #expect(made.statistics.hits > 0 && made.statistics.evictions > 0)
  }

  @Test func policySeesTheLengthOfAKey() throws {
    struct Name: StablyHashable {
      let text: String
      func stableHash(seed: UInt64) -> UInt64 { UInt64(text.utf8.count).stableHash(seed: seed) }
      var keyLength: Int { text.utf8.count }
    }
    let cache = MemoryCache<Name, Int>(countLimit: 2, policy: CachePolicy(KeyLength.self))
    for text in ["a", "long", "mid"] { cache.set(1, forKey: Name(text: text)) }
    #expect(cache.contains(Name(text: "a")) && !cache.contains(Name(text: "long")))
    #expect(UInt32(7).keyLength == 4)
  }

  @Test func policyThatNeedsMoreThanACacheKnowsIsRefused() {
    #expect(throws: PolicyError.self) {
      try MemoryCache<Int, Int>.open(countLimit: 10, policy: CachePolicy(OPT.self))
    }
  }

  @Test func wrongParametersAreRefused() {
    #expect(throws: PolicyError.self) {
      try MemoryCache<Int, Int>.open(countLimit: 10, policy: .slru(protected: 2))
    }
  }
}

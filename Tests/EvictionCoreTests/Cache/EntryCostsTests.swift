import Eviction
import Foundation
import Testing

@Suite("Costs of entries that are set without one")
struct EntryCostsTests {
  @Test func bytesAreThoseOfTheElements() {
    let bytes = MemoryCache<Int, [UInt8]>(costLimit: 1_000, costs: .bytes)
    bytes.set([1, 2, 3], forKey: 1)
    #expect(bytes.totalCost == 3)
    let numbers = MemoryCache<Int, [Double]>(costLimit: 1_000, costs: .bytes)
    numbers.set([1, 2, 3], forKey: 1)
    #expect(numbers.totalCost == 24)
    let data = MemoryCache<Int, Data>(costLimit: 1_000, costs: .bytes)
    data.set(Data(count: 7), forKey: 1)
    #expect(data.totalCost == 7)
    let texts = MemoryCache<Int, String>(costLimit: 1_000, costs: .bytes)
    texts.set("Grüße", forKey: 1)
    #expect(texts.totalCost == 7)
  }

  /// Every operation that gives a key a value, in both caches in memory, through their protocol, too.
  @Test(arguments: [false, true])
  func everyOperationWeighs(inShards: Bool) async throws {
    let costs = EntryCosts<[Int]>.weighed { $0.count }
    if inShards {
      let cache = ShardedCache<Int, [Int]>(shards: 2, costLimit: 1_000, costs: costs)
      try await load(cache)
      expectWeights(cache)
    } else {
      let cache = MemoryCache<Int, [Int]>(costLimit: 1_000, costs: costs)
      try await load(cache)
      expectWeights(cache)
    }
  }

  private func load(_ cache: some InMemoryCache<Int, [Int]>) async throws {
    _ = try await cache.value(forKey: 5) { [1, 2, 3] }
    _ = try await cache.values(forKeys: [9, 10]) { missing in
      Dictionary(uniqueKeysWithValues: missing.map { ($0, [0]) })
    }
  }

  private func expectWeights(_ cache: some InMemoryCache<Int, [Int]>) {
    let three = [1, 2, 3]
    cache.set(three, forKey: 1)
    cache.set(three, forKey: 2, cost: 10)
    cache.set(three, forKey: 3, expiration: .after(.seconds(1_000)))
    _ = cache.insert(three, forKey: 4, cost: nil, missCost: 1, expiration: nil)
    cache.set(contentsOf: [(6, three), (7, [])])
    cache.update(forKey: 8) { $0 = three }
    let costs = (1...10).map { cache.cost(forKey: $0) }
    #expect(costs == [3, 10, 3, 3, 3, 3, 0, 3, 1, 1])
    // A changed value is weighed again, unless a cost is named.
    cache.update(forKey: 8) { $0?.append(4) }
    cache.update(forKey: 2) { $0?.append(4) }
    cache.update(forKey: 3, cost: 7, expiration: nil) { $0?.append(4) }
    #expect([8, 2, 3].map { cache.cost(forKey: $0) } == [4, 4, 7])
    #expect(cache.totalCost == cache.entries.reduce(0) { $0 + $1.cost })
  }

  @Test func theLimitHoldsByWeights() {
    let cache = MemoryCache<Int, [UInt8]>(costLimit: 100, costs: .bytes, policy: .lru)
    for key in 0..<100 {
      cache[key] = [UInt8](repeating: 0, count: key % 40)
      #expect(cache.totalCost <= 100)
    }
    #expect(cache.set([UInt8](repeating: 0, count: 101), forKey: 1) == false)
  }

  @Test func aCostLimitNeedsThem() {
    #expect(throws: PolicyError.self) { try MemoryCache<Int, Int>.open(costLimit: 10) }
    #expect(throws: PolicyError.self) { try ShardedCache<Int, Int>.open(costLimit: 10) }
    do { _ = try MemoryCache<Int, Int>.open(costLimit: 10) } catch {
      #expect(
        "\(error)"
          == "costLimit: needs to know what entries cost: costs: .given, .bytes or .weighed { … }")
    }
  }

  @Test func givenCostsOfAValueBeforeStayAtAnUpdate() {
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given)
    cache.set(1, forKey: 1, cost: 4)
    cache.update(forKey: 1) { $0? += 1 }
    #expect(cache.cost(forKey: 1) == 4)
    cache.update(forKey: 2, cost: 3) { $0 = 1 }
    cache.update(forKey: 3) { $0 = nil }
    #expect(cache.totalCost == 7)
  }

  #if compiler(>=6.2)
    @Test func whatNamesNoneTraps() async {
      await #expect(processExitsWith: .failure) {
        MemoryCache<Int, Int>(costLimit: 10, costs: .given).set(1, forKey: 1)
      }
      await #expect(processExitsWith: .failure) {
        MemoryCache<Int, Int>(costLimit: 10, costs: .given).update(forKey: 1) { $0 = 1 }
      }
      await #expect(processExitsWith: .failure) {
        _ = try await MemoryCache<Int, Int>(costLimit: 10, costs: .given).value(forKey: 1) { 1 }
      }
      await #expect(processExitsWith: .failure) {
        MemoryCache<Int, Int>(countLimit: 10).costLimit = 10
      }
      await #expect(processExitsWith: .failure) {
        MemoryCache<Int, Int>(costLimit: 10, costs: .weighed { _ in -1 }).set(1, forKey: 1)
      }
    }

    /// In a release build, too.
    @Test func trapsTellTheKeyAndTheCost() async {
      let unnamed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MemoryCache<Int, Int>(costLimit: 10, costs: .given).set(1, forKey: 7)
      }
      let weighed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MemoryCache<Int, Int>(costLimit: 10, costs: .weighed { _ in -4 }).set(1, forKey: 8)
      }
      let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ShardedCache<Int, Int>(countLimit: 10).set(1, forKey: 9, cost: -3)
      }
      let changed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MemoryCache<Int, Int>(countLimit: 10).setCost(-2, forKey: 6)
      }
      let updated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MemoryCache<Int, Int>(countLimit: 10).update(forKey: 5, cost: -1) { $0 = 1 }
      }
      let traps = [
        (unnamed, "a load of “7” names no cost"), (weighed, "that of “8” is -4"),
        (named, "that of “9” is -3"), (changed, "that of “6” is -2"),
        (updated, "that of “5” is -1"),
      ]
      for (trap, text) in traps {
        let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(text), "\(message)")
      }
    }
  #endif
}

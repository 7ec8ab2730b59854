import Eviction
import Testing

/// Limits and options that are read when the program runs.
struct CacheOpeningTests {
  private func problem(_ open: () throws(PolicyError) -> some AnyObject) -> String? {
    do {
      _ = try open()
      return nil
    } catch { return "\(error)" }
  }

  private func problem(_ configure: (inout MemoryCacheOptions) -> Void) -> String? {
    var options = MemoryCacheOptions()
    configure(&options)
    let sharded = problem { () throws(PolicyError) in
      try ShardedCache<Int, Int>.open(shards: 2, costLimit: 10, costs: .given, options: options)
    }
    let whole = problem { () throws(PolicyError) in
      try MemoryCache<Int, Int>.open(costLimit: 10, costs: .given, options: options)
    }
    #expect(sharded == whole)
    return whole
  }

  @Test("F9: negative limits are errors of an opening", arguments: [-1, -7, -8, -9, .min])
  func negativeLimitsAreErrors(limit: Int) {
    func remedy(_ name: String) -> String {
      "\(name): must be 0 or more, or nil for no limit; is \(limit)"
    }
    #expect(
      problem { () throws(PolicyError) in try MemoryCache<Int, Int>.open(countLimit: limit) }
        == remedy("countLimit"))
    #expect(
      problem { () throws(PolicyError) in
        try MemoryCache<Int, Int>.open(costLimit: limit, costs: .given)
      }
        == remedy("costLimit"))
    #expect(
      problem { () throws(PolicyError) in
        try ShardedCache<Int, Int>.open(shards: 8, countLimit: limit)
      } == remedy("countLimit"))
    #expect(
      problem { () throws(PolicyError) in
        try ShardedCache<Int, Int>.open(shards: 8, costLimit: limit, costs: .given)
      } == remedy("costLimit"))
  }

  @Test func optionsOutOfTheirRangesAreErrors() {
    for ratio in [-0.1, 1.5, .nan, .infinity] {
      #expect(
        problem { $0.entryRatio = ratio } == "entryRatio: must be a ratio from 0 to 1; is \(ratio)")
      #expect(problem { $0.lowWaterMark = ratio }?.hasPrefix("lowWaterMark: ") == true)
      #expect(
        problem { $0.memoryPressure = .trim(to: ratio) }?.hasPrefix("memoryPressure: ") == true)
      #expect(problem { $0.background = .trim(to: ratio) }?.hasPrefix("background: ") == true)
    }
    for interval in [Duration.zero, .seconds(-1)] {
      #expect(
        problem { $0.trimInterval = interval }
          == "trimInterval: must be more than 0 seconds, or nil for never")
    }
    #expect(problem { _ in } == nil)
  }

  @Test func timesThatCannotBeKeptAreErrors() {
    let past = Duration.seconds(-1)
    let sign = "must be 0 seconds or more, or nil for no limit; is \(past)"
    #expect(problem { $0.expiration = .after(past) } == "expiration.timeToLive: \(sign)")
    #expect(
      problem { $0.expiration = .init(refreshAfter: past) } == "expiration.refreshAfter: \(sign)")
    #expect(problem { $0.ageLimit = past } == "ageLimit: \(sign)")
    #expect(problem { $0.loadWaitLimit = past } == "loadWaitLimit: \(sign)")
    for jitter in [-0.1, 1.5, .nan, .infinity] {
      #expect(
        problem { $0.expiration = .after(.seconds(9), jitter: jitter) }
          == "expiration.jitter: must be a ratio from 0 to 1; is \(jitter)")
    }
    for refresh in [Duration.seconds(9), .seconds(10)] {
      #expect(
        problem { $0.expiration = .after(.seconds(9), refreshAfter: refresh) }
          == "expiration.refreshAfter: must be less than timeToLive, which is 9.0 seconds, "
          + "or nil for never; is \(refresh)")
    }
    #expect(
      problem {
        $0.expiration = .after(.seconds(9), refreshAfter: .seconds(8), jitter: 1)
        ($0.ageLimit, $0.loadWaitLimit) = (.zero, .zero)
      } == nil)
  }

  #if compiler(>=6.2)
    @Test func anInitializerTraps() async {
      await #expect(processExitsWith: .failure) { _ = MemoryCache<Int, Int>(countLimit: -1) }
      await #expect(processExitsWith: .failure) {
        _ = ShardedCache<Int, Int>(shards: 8, countLimit: -1)
      }
      await #expect(processExitsWith: .failure) {
        _ = ShardedCache<Int, Int>(shards: 8, costLimit: -7, costs: .given)
      }
      await #expect(processExitsWith: .failure) {
        var options = MemoryCacheOptions()
        options.entryRatio = 1.5
        _ = MemoryCache<Int, Int>(countLimit: 1, options: options)
      }
    }

    @Test func aNegativeLimitTrapsWithItsNameAndValue() async {
      let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MemoryCache<Int, Int>(countLimit: 1).countLimit = -3
      }
      let cost = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MemoryCache<Int, Int>(costLimit: 1, costs: .given).setLimits(count: nil, cost: -5)
      }
      let parts = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ShardedCache<Int, Int>(shards: 2, countLimit: 4).countLimit = -1
      }
      let traps = [
        (count, "countLimit", -3), (cost, "costLimit", -5), (parts, "countLimit", -1),
      ]
      for (trap, name, limit) in traps {
        let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
          message.contains("\(name): must be 0 or more, or nil for no limit; is \(limit)"))
      }
    }

    @Test func aLoadOfANegativeCostTrapsAsASetDoes() async {
      await #expect(processExitsWith: .failure) {
        let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given)
        _ = try await cache.value(forKey: 1, cost: -7) { 1 }
      }
      await #expect(processExitsWith: .failure) {
        let cache = ShardedCache<Int, Int>(shards: 2, costLimit: 10, costs: .given)
        _ = try await cache.value(forKey: 1, orLoadEntry: { LoadedEntry(1, cost: -7) })
      }
    }
  #endif

  @Test func aTrimInStepsEndsWhereOneTrimDoes() {
    let whole = MemoryCache<Int, Int>(policy: .lru)
    let steps = MemoryCache<Int, Int>(policy: .lru)
    for key in 0..<100 {
      whole.set(key, forKey: key, cost: key % 7)
      steps.set(key, forKey: key, cost: key % 7)
    }
    #expect(steps.trim(toCount: 50, cost: .max, atMost: 30) == 30)
    #expect(steps.count == 70)
    #expect(steps.trim(toCount: 50, cost: .max, atMost: 30) == 20)
    #expect(steps.trim(toCount: 50, cost: .max, atMost: 30) == 0)
    while steps.trim(toCount: .max, cost: 40, atMost: 3) == 3 {}
    whole.trim(toCount: 50)
    whole.trim(toCost: 40)
    #expect(Set(steps.snapshot().map(\.key)) == Set(whole.snapshot().map(\.key)))
  }
}

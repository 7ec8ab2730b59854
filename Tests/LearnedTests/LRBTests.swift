#if Learned
  import EvictionCore
  import EvictionTesting
  import Learned
  import Parameters
  import Testing

  @Suite("LRB")
  struct LRBTests {
    @Test(
      "conforms while it trains",
      arguments: ["batch=64:rounds=4", "batch=64:rounds=2:window=1", "batch=64:rounds=2:sample=4"])
    func conformance(parameters: String) throws {
      try PolicyConformance<LRB>(parameters, seeds: 0..<2).check()
    }

    @Test("keeps what is requested again where LRU keeps what is scanned; two runs are equal")
    func scansAreLearned() throws {
      let first = try Self.hits(LRB.self, "lrb:batch=512")
      let second = try Self.hits(LRB.self, "lrb:batch=512")
      let lru = try Self.hits(LRU.self, "lru")
      #expect(first.hits == second.hits)
      #expect(first.hits > lru.hits * 5 / 4, "\(first.hits) of LRB, \(lru.hits) of LRU")
      let costs = try #require(first.costs)
      #expect(costs.trainings > 0 && costs.trainedRows >= 512 * costs.trainings)
      #expect(costs.predictedRows > 0 && costs.modelBytes > 0 && costs.featureBytes > 0)
      #expect(costs.trainedRows == second.costs?.trainedRows)
      #expect(lru.costs == nil)
    }

    @Test(
      "does what a plain model does, with sizes and without, as trees are trained anew",
      arguments: [
        (40, "objects", false, 64), (200, "objects", false, 8), (900, "objects", true, 8),
        (100, "bytes", true, 4),
      ])
    func agreesWithPlainModel(
      capacity: Int, objective: String, hasSizes: Bool, sample: Int
    ) throws {
      var run = try LearnedRun<LRB>(
        "batch=100:rounds=4:sample=\(sample):objective=\(objective)", capacity: capacity,
        isSized: hasSizes, seed: 5, slots: 2_000)
      let model = PlainLRB(
        capacity: capacity, batch: 100, sample: sample, weighsSize: objective == "objects", seed: 5)
      for slot in LearnedRun<LRB>.mixture(seed: 5, count: 3_000) {
        let size = hasSizes ? 1 + Int(slot) % 7 : 1
        run.request(slot, size: size)
        model.request(slot, size: size)
      }
      #expect(model.trainings > 2)
      // Not the lists: a failure would print thousands of numbers.
      let (sameHits, sameVictims) = (run.hits == model.hits, run.host.evicted == model.evicted)
      #expect(sameHits && sameVictims)
      #expect(run.policy.learningCosts?.trainings == model.trainings)
    }

    @Test("forgets what it knew before the capacity grew")
    func ghostsOfASmallerWindow() throws {
      var run = try LearnedRun<LRB>("window=2", capacity: 10, slots: 2_000)
      for slot in 0..<20 { run.request(Slot(slot)) }
      // The others were last requested a window ago, but not one of the window to come.
      for _ in 0..<25 { run.request(19) }
      run.host.capacity = 500
      run.policy.resize(to: 500, host: &run.host)
      for slot in 20..<2_000 { run.request(Slot(slot)) }
      for _ in 0..<1_100 { run.request(1_999) }
      #expect(run.host.forgotten == 2_000 - 500)
    }

    @Test("runs where there is one key, or room for one object")
    func oneKey() throws {
      #expect(try Self.hits(LRB.self, "lrb:batch=64", keys: { _ in 0 }).hits == 9_999)
      _ = try Self.hits(LRB.self, "lrb:batch=64", capacity: 1)
    }

    @Test("counts the rows of trainings once, however many slots there may be")
    func rowsAreCounted() throws {
      func bytes<Policy: ReplacementPolicy & ~Copyable>(
        _ type: Policy.Type, _ text: String, slots: Int
      ) throws -> Int? {
        try Self.hits(type, text, slots: slots).costs?.featureBytes
      }
      for slots in [10_200, 80_000] {
        #expect(
          try bytes(LRB.self, "lrb:batch=512", slots: slots)
            == bytes(LRB.self, "lrb:batch=512", slots: 10_100))
        #expect(
          try bytes(GLCache.self, "gl-cache:retrain=1000", slots: slots)
            == bytes(GLCache.self, "gl-cache:retrain=1000", slots: 10_100))
        #expect(
          try bytes(ThreeLCache.self, "3l-cache", slots: slots)
            == bytes(ThreeLCache.self, "3l-cache", slots: 10_100))
      }
    }

    /// 50 keys at random, among a scan.
    @Sendable private static func mixed(_ index: Int) -> Slot {
      index % 2 == 0 ? Slot(100 + index) : Slot(SplitMix64.mix(UInt64(index)) % 50)
    }

    private static func hits<Policy: ReplacementPolicy & ~Copyable>(
      _ type: Policy.Type, _ text: String, capacity: Int = 40, slots: Int = 10_200,
      keys: (Int) -> Slot = mixed
    ) throws -> (hits: Int, costs: LearningCosts?) {
      let arguments = try Specification(parsing: text).arguments(
        for: Policy.information.parameters)
      var policy = try Policy(
        PolicyConfiguration(capacity: capacity, slots: slots, arguments: arguments))
      var host = UnitHost(capacity: capacity)
      var hits = 0
      for index in 0..<10_000 {
        let request = Request(slot: keys(index))
        if policy.contains(request.slot) {
          hits += 1
          policy.hit(request, host: &host)
        } else if policy.insert(request, host: &host) {
          host.used += 1
        }
      }
      return (hits, policy.learningCosts)
    }
  }

  /// A host of objects that count one.
  private struct UnitHost: SlotHost, ~Copyable {
    let capacity: Int
    var used = 0
    init(capacity: Int) { self.capacity = capacity }
    func hasRoom(for request: Request) -> Bool { used < capacity }
    func size(of slot: Slot) -> Int { 1 }
    mutating func didEvict(_ slot: Slot) { used -= 1 }
    mutating func didForget(_ slot: Slot) {}
  }
#endif

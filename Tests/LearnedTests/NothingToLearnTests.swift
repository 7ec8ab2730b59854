#if Learned
  import Eviction
  import Learned
  import Testing

  /// What the pages say of runs that teach nothing.
  @Suite("A learned policy that learns nothing")
  struct NothingToLearnTests {
    @Test("LRB and 3L-Cache are LRU in a run of fewer rows than a training takes")
    func fewRowsAreLRU() throws {
      let lru = try Self.outcome(LRU.self, "", capacity: 100)
      let lrb = try Self.outcome(LRB.self, "window=1000:batch=100000", capacity: 100)
      let threeL = try Self.outcome(ThreeLCache.self, "batch=100000", capacity: 100)
      #expect(lrb.hits == lru.hits && lrb.evicted == lru.evicted && lrb.trainings == 0)
      #expect(threeL.hits == lru.hits && threeL.evicted == lru.evicted && threeL.trainings == 0)
    }

    @Test("GL-Cache merges segments in the order of time for as long as no training is due")
    func fewRequestsAreMergedInOrder() throws {
      var run = try GLCacheRun(
        capacity: 60, "objects=8:segments=12:rank=0.1:retrain=100000", slots: 400)
      var model = GLCacheModel(
        capacity: 60, objects: 8, segments: 12, rank: 0.1, retrain: 100_000)
      for key in GLCacheRun.skewedKeys(seed: 4, count: 4_000) {
        run.request(key)
        model.request(key)
      }
      #expect(run.hits == model.hits && run.residents == model.residents)
      #expect(run.policy.learningCosts?.trainings == 0)
    }

    @Test("LRB takes the first candidate where all labels are equal, as in a scan")
    func scanOfLRB() throws {
      let scan = (0..<4_000).map { Slot($0) }
      var run = try LearnedRun<LRB>("batch=200:rounds=4", capacity: 10, seed: 3, slots: 4_000)
      let model = PlainLRB(capacity: 10, batch: 200, seed: 3)
      for slot in scan {
        run.request(slot)
        model.request(slot, size: 1)
      }
      #expect(model.trainings > 2 && Set(model.trainedLabels).count == 1)
      #expect(Set(model.predictions).count == 1)
      #expect(run.host.evicted == model.evicted && !run.hits.contains(true))
    }

    @Test("3L-Cache takes the least recent candidate where all labels are equal, as in a scan")
    func scanOfThreeLCache() throws {
      var run = try LearnedRun<ThreeLCache>("batch=100", capacity: 50, seed: 3, slots: 4_000)
      let model = PlainThreeLCache(capacity: 50, batch: 100, countsObjects: false, seed: 3)
      for slot in (0..<4_000).map({ Slot($0) }) {
        run.request(slot)
        #expect(!model.request(slot, size: 1))
      }
      #expect(model.trainings > 2 && !run.hits.contains(true))
      #expect(run.host.evicted == model.evicted)
    }

    @Test("GL-Cache takes segments of equal utility from the oldest on, as in a scan")
    func scanOfGLCache() throws {
      var run = try GLCacheRun(
        capacity: 60, "objects=8:segments=12:rank=0.1:retrain=1000", slots: 6_000)
      var model = GLCacheModel(capacity: 60, objects: 8, segments: 12, rank: 0.1, retrain: 1_000)
      for key in 0..<6_000 {
        run.request(key)
        model.request(key)
      }
      #expect(model.trainings > 3 && run.hits == 0)
      #expect(run.residents == model.residents)
    }

    @Test("Time is the number of requests: time stamps change nothing")
    func timeStampsChangeNothing() throws {
      func check<Policy: ReplacementPolicy & ~Copyable>(
        _ type: Policy.Type, _ parameters: String
      ) throws {
        let without = try Self.outcome(type, parameters, capacity: 100)
        let with = try Self.outcome(type, parameters, capacity: 100) { $0 * 1_000_003 % 65_537 }
        #expect(without.hits == with.hits && without.evicted == with.evicted)
        #expect(without.trainings > 0 && without.trainings == with.trainings)
      }
      try check(LRB.self, "batch=200:rounds=4")
      try check(GLCache.self, "retrain=1000:segments=8")
      try check(ThreeLCache.self, "batch=100")
    }

    private static func outcome<Policy: ReplacementPolicy & ~Copyable>(
      _ type: Policy.Type, _ parameters: String, capacity: Int,
      time: (Int64) -> Int64 = { _ in 0 }
    ) throws -> (hits: [Bool], evicted: [Slot], trainings: Int) {
      var run = try LearnedRun<Policy>(parameters, capacity: capacity, slots: 2_000)
      for (number, slot) in LearnedRun<Policy>.mixture(seed: 5, count: 6_000).enumerated() {
        run.request(slot, time: time(Int64(number)))
      }
      return (run.hits, run.host.evicted, run.policy.learningCosts?.trainings ?? 0)
    }
  }
#endif

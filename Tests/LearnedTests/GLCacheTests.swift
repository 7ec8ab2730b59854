#if Learned
  import Eviction
  import EvictionTesting
  import Learned
  import Parameters
  import Testing

  @Suite struct GLCacheTests {
    @Test func keepsTheContractWhileItLearns() throws {
      try PolicyConformance<GLCache>().check()
      try PolicyConformance<GLCache>(
        "retrain=1000:rank=1:segments=8:objects=4", seeds: 0..<1, operations: 2_500
      ).check()
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func doesWhatTheNaiveModelDoes(seed: UInt64) throws {
      var run = try GLCacheRun(
        capacity: 60, "objects=8:segments=12:rank=0.1:retrain=1000", slots: 400)
      var model = GLCacheModel(capacity: 60, objects: 8, segments: 12, rank: 0.1, retrain: 1_000)
      for (number, key) in GLCacheRun.skewedKeys(seed: seed, count: 12_000).enumerated() {
        run.request(key)
        model.request(key)
        if run.hits != model.hits || number % 100 == 0 && run.residents != model.residents {
          Issue.record("differs from the model at request \(number) of seed \(seed)")
          return
        }
      }
      #expect(model.trainings > 5)
      #expect(run.policy.learningCosts?.trainings == model.trainings)
    }

    @Test func twoRunsAreEqual() throws {
      func run() throws -> (hits: Int, residents: Set<Int>) {
        var run = try GLCacheRun(capacity: 100, "retrain=1000", slots: 400)
        for key in GLCacheRun.skewedKeys(seed: 7, count: 8_000) { run.request(key) }
        return (run.hits, run.residents)
      }
      #expect(try run() == run())
    }

    @Test func evictsInOrderOfTimeWhereAllLabelsAreEqual() throws {
      // No key comes twice, so that every segment has the utility 0.
      var run = try GLCacheRun(capacity: 100, "retrain=1000", slots: 5_000)
      for key in 0..<5_000 { run.request(key) }
      #expect(run.hits == 0 && run.residents.count <= 100)
      #expect(run.residents.contains(4_999))
      #expect((run.policy.learningCosts?.trainings ?? 0) > 1)
    }

    @Test func keepsTheOnlyKey() throws {
      var run = try GLCacheRun(capacity: 1, "retrain=1000", slots: 1)
      for _ in 0..<5_000 { run.request(0) }
      #expect(run.misses == 1)
    }
  }

  /// A cache of objects that count one, whose slots are the keys.
  struct GLCacheRun: ~Copyable {
    struct Host: SlotHost, ~Copyable {
      let capacity: Int
      var used = 0
      func hasRoom(for request: Request) -> Bool { used < capacity }
      func size(of slot: Slot) -> Int { 1 }
      mutating func didEvict(_ slot: Slot) { used -= 1 }
      mutating func didForget(_ slot: Slot) {}
    }

    var policy: GLCache
    private var host: Host
    private let slots: Int
    private(set) var hits = 0
    private(set) var misses = 0

    init(capacity: Int, _ parameters: String, slots: Int) throws {
      let arguments = try Specification(parsing: "gl-cache:\(parameters)").arguments(
        for: GLCache.information.parameters)
      policy = GLCache(PolicyConfiguration(capacity: capacity, slots: slots, arguments: arguments))
      host = Host(capacity: capacity)
      self.slots = slots
    }

    mutating func request(_ key: Int) {
      let request = Request(slot: Slot(key))
      if policy.contains(request.slot) {
        hits += 1
        policy.hit(request, host: &host)
      } else {
        misses += 1
        if policy.insert(request, host: &host) { host.used += 1 }
      }
    }

    var residents: Set<Int> {
      var found: Set<Int> = []
      for slot in 0..<slots where policy.contains(Slot(slot)) { found.insert(slot) }
      return found
    }

    /// Half of the requests go to an eighth of 400 keys, which moves on slowly.
    static func skewedKeys(seed: UInt64, count: Int) -> [Int] {
      var generator = SplitMix64(seed: seed)
      return (0..<count).map { number in
        let isHot = generator.index(below: 2) == 0
        return isHot
          ? (number / 500 * 10 + generator.index(below: 50)) % 400 : generator.index(below: 400)
      }
    }
  }
#endif

#if Learned
  import Eviction
  import EvictionTesting
  import Learned
  import Parameters
  import Testing

  @Suite("3L-Cache")
  struct ThreeLCacheTests {
    /// Requests of a few popular objects and of many that are requested at regular intervals or once.
    private static func requests(seed: UInt64, count: Int) -> [(slot: Slot, size: Int)] {
      var generator = SplitMix64(seed: seed)
      return (0..<count).map { number in
        let slot =
          switch generator.index(below: 4) {
          case 0: generator.index(below: 20)
          case 1: 20 + number / 4 % 60
          case 2: 80 + generator.index(below: 200)
          default: 280 + number % 1000
          }
        return (Slot(slot), 1 + slot % 7)
      }
    }

    private struct Outcome: Equatable {
      var hits: [Bool] = []
      var evicted: [Slot] = []
    }

    private struct Host: SlotHost, ~Copyable {
      let capacity: Int
      var used = 0
      var sizes = [Int](repeating: 0, count: 2000)
      var evicted: [Slot] = []

      init(capacity: Int) { self.capacity = capacity }
      func hasRoom(for request: Request) -> Bool { used + request.size <= capacity }
      func size(of slot: Slot) -> Int { sizes[Int(slot)] }
      mutating func didEvict(_ slot: Slot) {
        used -= sizes[Int(slot)]
        evicted.append(slot)
      }
      mutating func didForget(_ slot: Slot) {}
    }

    private static func run(
      _ parameters: String, over requests: [(slot: Slot, size: Int)], capacity: Int, seed: UInt64,
      inspect: (borrowing ThreeLCache) -> Void = { _ in }
    ) throws -> Outcome {
      let arguments = try Specification(parsing: "3l-cache:\(parameters)")
        .arguments(for: ThreeLCache.information.parameters)
      var policy = ThreeLCache(
        PolicyConfiguration(
          capacity: capacity, isSized: true, seed: seed, slots: 2000, arguments: arguments))
      var host = Host(capacity: capacity)
      var outcome = Outcome()
      for (slot, size) in requests {
        let isHit = policy.contains(slot)
        outcome.hits.append(isHit)
        if isHit {
          policy.hit(Request(slot: slot, size: host.size(of: slot)), host: &host)
        } else if policy.insert(Request(slot: slot, size: size), host: &host) {
          host.sizes[Int(slot)] = size
          host.used += size
        }
      }
      outcome.evicted = host.evicted
      inspect(policy)
      return outcome
    }

    @Test(
      "It does what a plain model does, with sizes and without, as trees are trained anew",
      arguments: [
        (40, false, "bytes"), (300, false, "bytes"),
        (900, true, "bytes"), (100, true, "objects"), (1, false, "bytes"),
      ])
    func agreesWithPlainModel(capacity: Int, hasSizes: Bool, objective: String) throws {
      for seed in UInt64(1)...2 {
        let requests = Self.requests(seed: seed, count: 8000).map {
          (slot: $0.slot, size: hasSizes ? $0.size : 1)
        }
        let outcome = try Self.run(
          "batch=100:objective=\(objective)", over: requests, capacity: capacity, seed: seed)
        let model = PlainThreeLCache(
          capacity: capacity, batch: 100, countsObjects: objective == "objects", seed: seed)
        let hits = requests.map { model.request($0.slot, size: $0.size) }
        #expect(model.trainings > 2, "capacity \(capacity), seed \(seed)")
        #expect(outcome.hits == hits, "capacity \(capacity), seed \(seed)")
        #expect(outcome.evicted == model.evicted, "capacity \(capacity), seed \(seed)")
      }
    }

    @Test("Two runs of one seed are the same, trees and all")
    func deterministic() throws {
      let requests = Self.requests(seed: 7, count: 20_000)
      let first = try Self.run("batch=500", over: requests, capacity: 400, seed: 3)
      #expect(try Self.run("batch=500", over: requests, capacity: 400, seed: 3) == first)
    }

    @Test("One key, and labels that are all the same, are learned from")
    func constantLabels() throws {
      let one = try Self.run(
        "batch=64", over: Array(repeating: (slot: 0, size: 1), count: 2000), capacity: 1, seed: 1)
      #expect(one.hits.count { $0 } == 1999)
      // A loop over one object more than fit: every sampled request is as far as the next.
      let loop = (0..<20_000).map { (slot: Slot($0 % 11), size: 1) }
      _ = try Self.run("batch=64", over: loop, capacity: 10, seed: 1) { policy in
        #expect((policy.learningCosts?.trainings ?? 0) > 10)
      }
    }

    @Test("It counts its trainings and predictions")
    func costs() throws {
      let requests = Self.requests(seed: 5, count: 20_000)
      _ = try Self.run("batch=500", over: requests, capacity: 400, seed: 3) { policy in
        let costs = policy.learningCosts
        #expect((costs?.trainings ?? 0) > 0)
        #expect((costs?.trainedRows ?? 0) >= 500 * (costs?.trainings ?? 0))
        #expect((costs?.predictedRows ?? 0) > 0)
        #expect((costs?.modelBytes ?? 0) > 0)
        #expect((costs?.featureBytes ?? 0) > 0)
      }
    }

    @Test("It keeps the contract while it is trained again and again")
    func conforms() throws {
      for parameters in ["batch=64", "batch=64:objective=objects:sample=1:window=2"] {
        try PolicyConformance<ThreeLCache>(parameters, seeds: 0..<1, operations: 1500).check()
      }
    }
  }
#endif

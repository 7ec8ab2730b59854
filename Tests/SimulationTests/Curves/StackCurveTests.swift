import Eviction
import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// LRU's curve in one pass, against a simulation at each capacity.
@Suite struct StackCurveTests {
  private func simulated(
    _ trace: Trace, capacity: Int, warmup: Int = 0
  ) throws -> RequestCounts {
    let lru = try PolicyChoice.parse(["lru"])[0]
    let options = RunOptions(capacity: capacity, arguments: lru.arguments, warmup: warmup)
    return try #require(
      try lru.entry.simulator.run(RequestStream(trace), options: SimulationOptions(options)))
  }

  /// Random gets, sets and removals.
  private func mixed(seed: UInt64, keys: UInt64, requests: Int, removals: UInt64) -> Trace {
    var random = SplitMix(seed: seed)
    var ids: [UInt64] = []
    var operations: [TraceOperation] = []
    for _ in 0..<requests {
      ids.append(min(random.next() % keys, random.next() % keys))
      let draw = random.next() % 100
      operations.append(draw < removals ? .delete : draw < 30 ? .set : .get)
    }
    return .of(ids, operations: operations)
  }

  private struct SplitMix {
    var seed: UInt64

    mutating func next() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var z = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test func handTracedCurve() throws {
    // Distances: – – 1 – 1 2 – 1: hits at 1: 0, at 2: 3, at 3: 4 of 8.
    let curve = try #require(MissRatioCurve.lru(of: .of([1, 2, 1, 3, 1, 2, 4, 2], name: "t")))
    #expect(
      curve.points == [
        .init(capacity: 1, missRatio: 1), .init(capacity: 2, missRatio: 5.0 / 8),
        .init(capacity: 3, missRatio: 0.5), .init(capacity: 4, missRatio: 0.5),
      ])
    #expect(curve.requests == 8 && curve.isExact && curve.policyLabel == "lru")
    #expect(curve.missRatio(at: 2) == 5.0 / 8)
    #expect(curve.missRatio(at: 0) == nil && curve.missRatio(at: 5) == nil)
  }

  @Test(arguments: [0, 2, 20] as [UInt64])
  func everyPointEqualsASimulation(removals: UInt64) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let trace = mixed(seed: seed, keys: 40, requests: 600, removals: removals)
      let curve = try #require(MissRatioCurve.lru(of: trace))
      for capacity in 1...trace.distinct {
        let counts = try simulated(trace, capacity: capacity)
        let exact = Double(counts.requests - counts.hits) / Double(counts.requests)
        #expect(curve.requests == counts.requests)
        if let point = curve.points.first(where: { $0.capacity == capacity }) {
          #expect(point.missRatio == exact, "seed \(seed), capacity \(capacity)")
        }
        let between = try #require(curve.missRatio(at: capacity))
        #expect(abs(between - exact) <= MissRatioCurve.tolerance + 1e-12)
      }
    }
  }

  @Test(arguments: [1, 250, 599])
  func everyPointAfterAWarmUpEqualsASimulation(warmup: Int) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let trace = mixed(seed: seed, keys: 40, requests: 600, removals: 2)
      guard let curve = MissRatioCurve.lru(of: trace, from: warmup) else {
        #expect(try simulated(trace, capacity: 1, warmup: warmup).requests == 0)
        continue
      }
      #expect(curve.warmup == warmup && curve.points.last?.capacity == trace.distinct)
      for point in curve.points {
        let counts = try simulated(trace, capacity: point.capacity, warmup: warmup)
        let exact = Double(counts.requests - counts.hits) / Double(counts.requests)
        #expect(curve.requests == counts.requests)
        #expect(point.missRatio == exact, "seed \(seed), capacity \(point.capacity)")
      }
    }
  }

  @Test func fewPointsAreKept() throws {
    let trace = try TraceGenerators.trace("zipf:keys=5000:requests=50000")
    let curve = try #require(MissRatioCurve.lru(of: trace))
    #expect(curve.points.count < 200)
    #expect(curve.points.last?.capacity == trace.distinct)
    #expect(curve.points.last?.missRatio == Double(trace.distinct) / Double(trace.requests))
  }

  @Test func cliffOfALoopIsKept() throws {
    let loop = Trace.of((0..<1_000).map { UInt64($0 % 100) })
    let curve = try #require(MissRatioCurve.lru(of: loop))
    #expect(
      curve.points == [
        .init(capacity: 1, missRatio: 1), .init(capacity: 99, missRatio: 1),
        .init(capacity: 100, missRatio: 0.1),
      ])
  }

  @Test func stoppedOrEmptyIsNone() {
    #expect(MissRatioCurve.lru(of: .of([1, 2]), goesOn: { _ in false }) == nil)
    #expect(MissRatioCurve.lru(of: .of([1], operations: [.set])) == nil)
    #expect(MissRatioCurve.lru(of: .of([1, 2], operations: [.get, .set]), from: 1) == nil)
  }
}

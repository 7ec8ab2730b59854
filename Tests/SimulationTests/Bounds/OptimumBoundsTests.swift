import Conformance
import Eviction
import EvictionCore
import EvictionTesting
import Requests
import SimulatedCounts
import Simulation
import Testing
import Traces

/// The bounds of the optimum enclose it.
@Suite struct OptimumBoundsTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    var changesSizes = false
    var hasOperations = false
    var warmup = 0
    var countsSets = false

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "one size per object"),
    Case(name: "changing sizes", changesSizes: true),
    Case(name: "sets and removals", hasOperations: true),
    Case(name: "counted sets", hasOperations: true, countsSets: true),
    Case(name: "warm-up", warmup: 4),
    Case(name: "everything", changesSizes: true, hasOperations: true, warmup: 3),
  ]

  /// Keys, sizes and operations of a tiny trace.
  struct Tiny {
    var keys: [Int] = []
    var sizes: [Int] = []
    var operations: [TraceOperation] = []
    let capacity: Int

    init(seed: UInt64, _ wanted: Case, isSized: Bool = true) {
      var generator = SplitMix64(seed: seed)
      let distinct = 3 + generator.index(below: 3)
      capacity = isSized ? 3 + generator.index(below: 8) : 1 + generator.index(below: 3)
      for _ in 0..<12 {
        let key = generator.index(below: distinct)
        keys.append(key)
        let fixed = 1 + Int(SplitMix64.mix(seed &+ UInt64(key)) % 7)
        let size = wanted.changesSizes ? 1 + generator.index(below: 7) : fixed
        sizes.append(isSized ? size : 1)
        let operation =
          [.get, .get, .get, .set, .delete][generator.index(below: 5)]
          as TraceOperation
        operations.append(wanted.hasOperations ? operation : .get)
      }
    }

    var trace: Trace {
      Trace.of(keys.map(UInt64.init), sizes: sizes.map(UInt64.init), operations: operations)
    }

    func optimum(_ wanted: Case, countsBytes: Bool = false, bypasses: Bool = true) -> Int {
      ExhaustiveOptimum(
        keys: keys, sizes: sizes, roles: operations.map(\.role), capacity: capacity,
        warmup: wanted.warmup, countsSets: wanted.countsSets, bypasses: bypasses,
        countsBytes: countsBytes
      ).gain()
    }
  }

  @Test(arguments: cases)
  func optimumLiesBetween(_ wanted: Case) throws {
    var exact = 0
    for seed in 0..<150 as Range<UInt64> {
      let tiny = Tiny(seed: seed, wanted)
      let stream = RequestStream(
        tiny.trace, isSized: true, needs: .nextUse, warmup: wanted.warmup,
        countsSets: wanted.countsSets)
      let reuse = ReuseIntervals(
        stream, warmup: wanted.warmup, countsSets: wanted.countsSets)
      for objective in OptimumBounds.Objective.allCases {
        let bounds = try #require(
          OptimumBounds.of(reuse, capacity: tiny.capacity, objective: objective))
        let optimum = tiny.optimum(wanted, countsBytes: objective == .bytes)
        #expect(
          bounds.lower <= optimum && optimum <= bounds.upper,
          "seed \(seed), \(objective): \(optimum) is not in \(bounds.lower)…\(bounds.upper)")
        #expect(bounds.upper <= bounds.total)
        if bounds.lower == bounds.upper { exact += 1 }
      }
    }
    // Bounds that say nothing would hold, too.
    #expect(exact > (wanted.changesSizes ? 20 : 100), "\(exact) of 300 are exact")
  }

  @Test(arguments: cases, [false, true])
  func simulatedOptimumIsTheOptimumWhereEveryObjectCountsOne(
    _ wanted: Case, bypasses: Bool
  ) throws {
    for seed in 0..<150 as Range<UInt64> {
      let tiny = Tiny(seed: seed, wanted, isSized: false)
      let stream = RequestStream(
        tiny.trace, needs: .nextUse, warmup: wanted.warmup, countsSets: wanted.countsSets)
      let counts = try simulate(
        bypasses ? "opt:bypass=true" : "opt", stream, capacity: tiny.capacity,
        warmup: wanted.warmup, countsSets: wanted.countsSets)
      let optimum = tiny.optimum(wanted, bypasses: bypasses)
      #expect(counts.hits == optimum, "seed \(seed) at \(tiny.capacity)")
    }
  }

  @Test(arguments: [10, 100, 400])
  func boundsOfEqualSizesEncloseBeladysMinimum(capacity: Int) throws {
    let trace = try TraceGenerators.trace("zipf:keys=500:requests=5000")
    let sizes = [UInt64](repeating: 10, count: trace.requests)
    let sized = Trace.of(trace.ids.map(UInt64.init), sizes: sizes)
    let minimum = BeladyMinimum.misses(
      trace.ids.map(Int.init), capacity: capacity, bypass: true)
    let stream = RequestStream(sized, isSized: true, needs: .nextUse)
    let reuse = ReuseIntervals(stream, warmup: 0, countsSets: false)
    for objective in OptimumBounds.Objective.allCases {
      let bounds = try #require(
        OptimumBounds.of(reuse, capacity: 10 * capacity, objective: objective))
      let optimum = (trace.requests - minimum) * (objective == .bytes ? 10 : 1)
      #expect(bounds.lower <= optimum && optimum <= bounds.upper)
      let gap = Double(bounds.upper - bounds.lower) / Double(bounds.total)
      #expect(gap < 0.02, "\(objective): the gap is \(gap)")
    }
  }

  @Test func everythingFitsIntoACacheOfAllBytes() throws {
    let tiny = Tiny(seed: 1, Self.cases[0])
    let stream = RequestStream(tiny.trace, isSized: true, needs: .nextUse)
    let reuse = ReuseIntervals(stream, warmup: 0, countsSets: false)
    let bounds = try #require(OptimumBounds.of(reuse, capacity: 1_000, objective: .objects))
    #expect(bounds.lower == 12 - Set(tiny.keys).count)
    #expect(bounds.upper == bounds.lower)
    #expect(OptimumBounds.of(reuse, capacity: 5, objective: .objects, goesOn: { false }) == nil)
  }

  @Test func stopsInTheMiddleOfAPass() {
    let count: UInt64 = 250_000
    let keys = Array(0..<count) + Array(0..<count)
    let trace = Trace.of(keys, sizes: keys.map { $0 % 900 + 1 })
    let stream = RequestStream(trace, isSized: true, needs: .nextUse)
    let reuse = ReuseIntervals(stream, warmup: 0, countsSets: false)
    // More than there are passes, and fewer than 250 000 stays need in the first ones.
    var asked = 0
    let bounds = OptimumBounds.of(reuse, capacity: 1_000_000, objective: .objects) {
      asked += 1
      return asked < 100
    }
    #expect(bounds == nil)
    #expect(asked == 100)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func profileTakesWhatFits(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let steps = 1 + generator.index(below: 40)
    var profile = RoomProfile(steps: steps, capacity: 20)
    var taken = [Int](repeating: 0, count: steps)
    for _ in 0..<200 {
      let start = generator.index(below: steps)
      let end = start + 1 + generator.index(below: steps - start)
      let size = 1 + generator.index(below: 6)
      let fits = taken[start..<end].allSatisfy { $0 + size <= 20 }
      #expect(profile.take(size, from: start, to: end) == fits)
      if fits { for step in start..<end { taken[step] += size } }
    }
  }
}

import Eviction
import EvictionCore
import Parameters
import Requests
import Results
import Runner
import SimulatedCounts
import Simulation
import Synchronization
import Testing
import Traces

/// The optimum counted by next uses alone, and others by the numbers of requests, do what the policies do.
@Suite struct CountingLoopTests {
  static let policies = ["opt", "opt:bypass=true", "belady-size"] + arrivals
  /// Those that may be handed their requests block by block.
  static let arrivals = [
    "lru", "fifo", "random", "lfu", "slru", "slru:protected=0", "slru:protected=1",
    "slru:fill=protected", "slru:segments=1", "slru:segments=4:fill=protected", "slru:segments=7",
    "arc", "arc:arithmetic=integer", "arc:ghosts=0", "arc:ghosts=0.3", "arc:ghosts=3",
    "wtinylfu", "wtinylfu:window=0.3", "wtinylfu:window=1", "wtinylfu:protected=0:sample=2",
    "wtinylfu:protected=1:window=0.1:doorkeeper=true", "wtinylfu:window=0.5:conservative=true",
  ]

  /// Counts, and windows of a run.
  private struct Run: Equatable {
    let counts: RequestCounts
    let windows: RequestWindows?
  }

  /// Runs without a wish beyond counts, or the policy, which alone tells hits one by one.
  private func run(
    _ policy: String, _ stream: RequestStream, capacity: Int, warmup: Int, ends: [Int],
    byPolicy: Bool
  ) throws -> Run {
    let choice = try #require(try PolicyChoice.parse([policy]).first)
    var options = SimulationOptions(
      RunOptions(capacity: capacity, arguments: choice.arguments, warmup: warmup))
    options.windows = ends.isEmpty ? nil : WindowLog(ends: ends)
    let hits = byPolicy ? HitLog(requests: stream.requests) : nil
    options.hits = hits
    let counts = try #require(try choice.entry.simulator.run(stream, options: options))
    if let hits {
      let counted = (min(warmup, stream.requests)..<stream.requests).count { hits[$0] }
      #expect(counts.hits == counted)
    }
    return Run(counts: counts, windows: options.windows?.windows)
  }

  /// Requests of which some come again soon, some late and some never.
  private func keys(_ generator: inout SplitMix64, requests: Int) -> [UInt64] {
    let distinct = 1 + generator.index(below: max(1, requests / (1 + generator.index(below: 8))))
    return (0..<requests).map { _ in
      let some = generator.index(below: distinct)
      return UInt64(some * generator.index(below: distinct) / distinct)
    }
  }

  private func compare(
    _ policy: String, seed: UInt64, requests: Int, mostObjects: Int
  ) throws {
    var generator = SplitMix64(seed: seed)
    let trace = Trace.of(keys(&generator, requests: requests))
    let capacity = 1 + generator.index(below: min(mostObjects, trace.distinct + 1))
    let warmup = generator.index(below: 2) * generator.index(below: requests)
    // Next uses that know of the warm-up, and such that do not.
    let known = generator.index(below: 3) > 0 ? warmup : 0
    let limit = generator.index(below: 4) == 0 ? warmup + 1 : nil
    let stream = RequestStream(trace, limit: limit, needs: [.nextUse, .keyHash], warmup: known)
    let counted = stream.requests - warmup
    let ends =
      generator.index(below: 2) == 0
      ? [] : (1...min(7, counted)).map { warmup + counted * $0 / min(7, counted) }
    let runs = try [false, true].map {
      try run(policy, stream, capacity: capacity, warmup: warmup, ends: ends, byPolicy: $0)
    }
    #expect(
      runs[0] == runs[1],
      "seed \(seed): capacity \(capacity), warm-up \(warmup), known to next uses: \(known)")
  }

  @Test(arguments: policies)
  func tinyTracesAreCountedAsByThePolicy(policy: String) throws {
    for seed in 0..<3_000 as Range<UInt64> {
      try compare(policy, seed: seed, requests: 1 + Int(seed % 40), mostObjects: 6)
    }
  }

  @Test(arguments: policies)
  func wordsAndBlocksOfBitsFillAndEmpty(policy: String) throws {
    for seed in 0..<12 as Range<UInt64> {
      try compare(policy, seed: seed, requests: 30_000, mostObjects: 8)
      try compare(policy, seed: seed + 12, requests: 30_000, mostObjects: 3_000)
    }
  }

  /// Most objects leave a list in which a few stay, and lists that were full become empty.
  @Test(arguments: ["lfu", "slru", "slru:segments=4:fill=protected", "arc", "wtinylfu"])
  func listsShrink(policy: String) throws {
    var keys: [UInt64] = []
    for round in 1...9 as ClosedRange<UInt64> {
      keys += (0..<6_000).filter { $0 % 97 >= round }
      keys += (0..<400).map { 10_000 * round + $0 % 300 }
    }
    keys += (0..<30_000).map { $0 % 9_000 } + (0..<6_000).reversed()
    let stream = RequestStream(Trace.of(keys), needs: .keyHash)
    // What is too much is given back between windows.
    let ends = Array(stride(from: 700, through: keys.count, by: 700))
    for capacity in [600, 3_000, 6_000, 7_000] {
      let runs = try [false, true].map {
        try run(policy, stream, capacity: capacity, warmup: 0, ends: ends, byPolicy: $0)
      }
      #expect(runs[0] == runs[1], "capacity \(capacity)")
    }
  }

  @Test(arguments: policies)
  func distantUsesComeAndGo(policy: String) throws {
    // Keys in pairs far apart between keys of a small loop: each newcomer is used farthest of all.
    let far = 300_000 as UInt64
    let keys = (0..<2 * far).map { $0 % 3 == 0 ? 10 + $0 % far : $0 % 7 }
    for capacity in [1, 5, 9, 1_000] {
      let stream = RequestStream(Trace.of(keys), needs: [.nextUse, .keyHash])
      let runs = try [false, true].map {
        try run(policy, stream, capacity: capacity, warmup: 0, ends: [], byPolicy: $0)
      }
      #expect(runs[0] == runs[1], "capacity \(capacity)")
    }
  }

  @Test(arguments: arrivals)
  func numbersAreGivenAnew(policy: String) throws {
    // 65 536 numbers serve so few keys.
    for (distinct, capacity) in [(1_500, 1), (1_500, 63), (1_500, 1_499), (1_500, 1_500), (70, 9)] {
      var generator = SplitMix64(seed: UInt64(distinct + capacity))
      let keys = (0..<400_000).map { _ in
        UInt64(generator.index(below: distinct) * generator.index(below: 1_000) / 1_000)
      }
      let stream = RequestStream(Trace.of(keys), needs: .keyHash)
      let runs = try [false, true].map {
        try run(policy, stream, capacity: capacity, warmup: 7, ends: [], byPolicy: $0)
      }
      #expect(runs[0] == runs[1], "\(distinct) keys, capacity \(capacity)")
    }
  }

  /// Objects that become popular together, newcomers in bursts between them, and one that is requested for ever.
  @Test(arguments: [1, 7, 64, 512, 1_300, 2_000])
  func frequenciesRiseTogether(capacity: Int) throws {
    let all = 0..<UInt64(capacity)
    var keys: [UInt64] = []
    for round in 0..<70 as Range<UInt64> {
      keys += all.map { $0 + round / 40 * 700 }
      keys += Array(repeating: 10_000 + round, count: Int(round * round % 90))
      keys += [20_000 + round % 3, 7, 7]
    }
    keys += Array(repeating: 50_000, count: 3_000) + (50_000..<53_000) + Array(all.reversed())
    // More often than any frequency is low, in a small cache all objects.
    for key in 60_000..<60_009 as Range<UInt64> {
      keys += Array(repeating: key, count: 4_090 + Int(key % 7)) + [1, key - 1]
    }
    let stream = RequestStream(Trace.of(keys), needs: [])
    let runs = try [false, true].map {
      try run("lfu", stream, capacity: capacity, warmup: 0, ends: [90_000], byPolicy: $0)
    }
    #expect(runs[0] == runs[1])
  }

  @Test(arguments: arrivals)
  func blocksAreCountedAsTheWhole(policy: String) throws {
    let choice = try #require(try PolicyChoice.parse([policy]).first)
    let text = (0..<300_000).map { "\($0 * $0 % 7_919 % ($0 / 40 + 1))\n" }.joined()
    let trace = try TraceLoader.load(bytes: Array(text.utf8), name: "t", format: "plain")
    for (capacity, warmup, blockRequests) in [
      (1, 0, 997), (300, 150_000, 4_096), (1_500, 7, 20_000), (9_000, 1, 70_000),
    ] {
      let run = RunOptions(capacity: capacity, arguments: choice.arguments, warmup: warmup)
      var options = SimulationOptions(run)
      options.windows = WindowLog(ends: [200_000, 250_000, 300_000])
      let whole = try choice.entry.simulator.run(
        RequestStream(trace, needs: .keyHash), options: options)
      let ofWhole = options.windows?.windows
      options.windows = WindowLog(ends: [200_000, 250_000, 300_000])
      let counts = try choice.entry.simulator.counts(
        of: text, format: "plain", blockRequests: blockRequests, options)
      #expect(counts == whole && options.windows?.windows == ofWhole)
    }
  }

  /// Small, large and equal capacities, with and without a warm-up, over few and many keys.
  @Test func capacitiesShareAPass() throws {
    let choice = try #require(try PolicyChoice.parse(["lru"]).first)
    let simulator = choice.entry.simulator
    for seed in 0..<600 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let requests = seed % 60 == 0 ? 200_000 : 1 + Int(seed * seed % 3_000)
      // 65 536 numbers serve so few keys of a long trace.
      let keys =
        seed % 60 == 0
        ? (0..<requests).map { _ in
          UInt64(generator.index(below: 4_000) * generator.index(below: 90) / 90)
        } : keys(&generator, requests: requests)
      let stream = RequestStream(Trace.of(keys), needs: [])
      let warmup = generator.index(below: 2) * generator.index(below: requests)
      let runs = (0...generator.index(below: 12)).map { _ in
        let most = generator.index(below: 2) == 0 ? 9 : stream.trace.distinct + 3
        return RunOptions(
          capacity: 1 + generator.index(below: most), arguments: choice.arguments, warmup: warmup)
      }
      let alone = try runs.map { try simulator.run(stream, options: SimulationOptions($0)) }
      #expect(simulator.sharesPass(stream, runs[0]))
      #expect(try simulator.runShared(stream, runs) == alone, "seed \(seed)")
    }
  }

  @Test func observerStopsASharedPass() throws {
    let choice = try #require(try PolicyChoice.parse(["lru"]).first)
    let simulator = choice.entry.simulator
    let stream = RequestStream(Trace.of(0..<3_000_000 as Range<UInt64>), needs: [])
    let runs = [5, 10].map { RunOptions(capacity: $0, arguments: choice.arguments) }
    var reports: [Int] = []
    let counts = try simulator.runShared(stream, runs) {
      reports.append($0)
      return reports.count < 2
    }
    #expect(counts == nil && reports == [1 << 15, 2 << 15])
  }

  /// Cells that share a pass, others, and those of a second trace, on any number of threads.
  @Test func cellsThatShareAPassAreThoseOfTheirOwn() throws {
    let traces = try [500, 400].map {
      try TraceGenerators.trace("zipf:keys=\($0):requests=4000")
    }
    let policies = try PolicyChoice.parse(["lru,fifo"])
    func plan(windows: WindowCut?) throws -> ExperimentPlan {
      try ExperimentPlan(
        traces: traces, policies: policies,
        capacities: [3, 1, 40, 700, 200].map { Capacity.count($0) }, seeds: [1, 2],
        settings: ExperimentPlan.Settings(warmup: 100), sweep: SweepExperiment(windows: windows))
    }
    func counts(_ rows: [Measurement]) -> [[Int?]] {
      rows.map { [$0.capacity, $0.seed, $0.requests, $0.hits, $0.insertions, $0.evictions] }
    }
    // Windows keep cells from sharing.
    let alone = counts(ExperimentRun(try plan(windows: .count(2))).run().measurements)
    for jobs in [1, 2, 3, 16] {
      let progress = Mutex<ExperimentProgress?>(nil)
      let rows = ExperimentRun(try plan(windows: nil)).run(jobs: jobs) { now in
        progress.withLock { $0 = now }
      }
      let last = try #require(progress.withLock { $0 })
      #expect(last.cells == 40 && last.requests == last.totalRequests)
      #expect(counts(rows.measurements) == alone && alone.count == 40)
    }
  }

  @Test(arguments: [false, true])
  func noDecisionsHitMore(bypasses: Bool) throws {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let distinct = 3 + generator.index(below: 3)
      let keys = (0..<12).map { _ in generator.index(below: distinct) }
      let (capacity, warmup) = (1 + generator.index(below: 3), generator.index(below: 5))
      let stream = RequestStream(
        Trace.of(keys.map(UInt64.init)), needs: .nextUse, warmup: warmup)
      let counts = try simulate(
        Self.policies[bypasses ? 1 : 0], stream, capacity: capacity, warmup: warmup)
      let optimum = ExhaustiveOptimum(
        keys: keys, sizes: keys.map { _ in 1 }, roles: keys.map { _ in .reference },
        capacity: capacity, warmup: warmup, bypasses: bypasses)
      #expect(counts.hits == optimum.gain(), "seed \(seed)")
    }
  }

  @Test(arguments: policies)
  func observerStopsTheRun(policy: String) throws {
    let choice = try #require(try PolicyChoice.parse([policy]).first)
    let stream = RequestStream(
      Trace.of(0..<3_000_000 as Range<UInt64>), needs: [.nextUse, .keyHash])
    let options = SimulationOptions(RunOptions(capacity: 10, arguments: choice.arguments))
    var reports: [Int] = []
    let counts = try choice.entry.simulator.run(stream, options: options) {
      reports.append($0)
      return reports.count < 2
    }
    #expect(counts == nil && reports == [1 << 20, 2 << 20])
  }

  @Test func streamsOfATraceShareTheirNextUses() throws {
    let trace = try TraceGenerators.trace("zipf:keys=50:requests=400")
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["opt,lru,belady-size"]),
      capacities: [.count(5), .count(20)], seeds: [1, 2])
    let runs = [1, 4].map { ExperimentRun(plan).run(jobs: $0).measurements.map(\.hits) }
    #expect(runs[0] == runs[1] && runs[0].count == 12)
  }
}

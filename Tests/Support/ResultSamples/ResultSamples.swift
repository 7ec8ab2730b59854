import Results

/// Results that tests of documents and of reports share.
package enum ResultSamples {
  package static let environment = Environment(
    version: "1", commit: nil, toolchain: "Swift", os: "Linux", cpu: "a \"fast\" one", cores: 2,
    date: "2026-01-01T00:00:00Z")

  package static let sweep = {
    var sweep = Measurement(
      kind: .sweep, trace: "日本.lis", policy: "slru",
      parameters: [
        .init("fill", "protected"), .init("protected", .number(0.8)),
        .init("resize", .boolean(true)),
        .init("segments", .integer(4)),
      ],
      capacity: 1000, unit: .bytes, seed: 7)
    sweep.requests = 3
    sweep.hits = 1
    sweep.byteHitRatio = 0.1
    sweep.insertions = 2
    sweep.evictions = 1
    sweep.missRatioReduction = -0.25
    sweep.distanceToOptimum = 0.125
    sweep.record(seconds: 1.0 / 3, requestsRun: 3)
    return sweep
  }()

  package static let replay = {
    var replay = Measurement(kind: .replay, trace: "t", policy: "lru", capacity: 10)
    let summary = LatencySummary(
      count: 10, mean: 1.5, p50: 1, p90: 2, p99: 3, p999: 4, max: 5)
    var durations = DurationSummary(p50: 1, p99: 2, max: 3, total: 4)
    durations.p9999 = 3
    replay.replay = Replay(
      threads: 2, lock: "mutex",
      latency: LatencyReport(get: summary, hit: summary, miss: summary, timerOverhead: 40.5),
      contention: ContentionSummary(
        acquisitions: 10, contended: 1, wait: durations, hold: durations))
    return replay
  }()

  package static let results = ResultSet(
    environment: environment,
    traces: [
      TraceSummary(name: "日本.lis", format: "lis", requests: 3, distinct: 2, sha256: "ab"),
      TraceSummary(name: "t", format: "plain", requests: 0, distinct: 0),
    ],
    measurements: [sweep, replay],
    explanations: [
      Explanation(
        trace: "t", capacity: 10, unit: .objects, compulsoryMissRatio: 0.1,
        optimumHitRatio: 0.5...0.5, bestPolicy: "lru", bestHitRatio: 0.25)
    ], isComplete: false)

  package static let learned = {
    var learned = sweep
    learned.internals = InternalsSeries(
      requests: [1, 3],
      series: [.init(name: "p", values: [0, 1.5]), .init(name: "w_lru", values: [0.1, 1e-9])])
    return learned
  }()

  package static let openLoop = {
    var openLoop = replay
    let summary = LatencySummary(
      count: 10, mean: 1.5, p50: 1, p90: 2, p99: 3, p999: 4, max: 5)
    openLoop.replay?.latency?.sample = 16
    openLoop.replay?.latency?.slowdown = 0.25
    openLoop.replay?.latency?.clock = LatencyClock(source: "counter", resolution: 10, floor: 1)
    openLoop.replay?.contention?.shards = [7, 3]
    openLoop.replay?.contention?.criterion = .takersPresent
    openLoop.replay?.contention?.slowdown = 0.1
    openLoop.replay?.isOversubscribed = true
    openLoop.replay?.division = .copies
    openLoop.replay?.missPenalty = MissPenalty(nanoseconds: 5_000, wait: .spin)
    openLoop.replay?.pace = PaceReport(
      label: "120%", arrivals: .uniform, offered: 1_200, achieved: 1_000, isOverload: true,
      capacity: 1_000, tick: 1_000, requestsPerReading: 1.5)
    openLoop.replay?.response = ResponseSummary(whole: summary, quarters: [1, 2, 3, 4])
    openLoop.replay?.service = ResponseSummary(whole: summary, quarters: [1, 1, 1, 1])
    openLoop.replay?.lateness = summary
    openLoop.replay?.idle = summary
    var machine = MachineReport(pinned: true, seconds: 2, preemptions: 3)
    machine.overlap = 0.5
    machine.waiting = 0.25
    machine.hiccups = 0.125
    machine.longestHiccup = 5_000_000
    machine.steal = 0
    machine.frequency = 2e9...3e9
    openLoop.replay?.machine = machine
    openLoop.replay?.disturbed = ["overlap: 50 % (at least 90 %)"]
    let part = CutReport.Part(requests: 10, hits: 5, seconds: 2, get: summary)
    openLoop.replay?.cut = CutReport(cold: part, postFill: part)
    openLoop.replay?.resources = ResourceUse(
      cpuSeconds: 1.5, allocations: 0, peakMemory: 1 << 20)
    openLoop.replay?.repetitions = Repetitions(
      count: 3,
      figures: [
        .init(name: "get.p99", values: [1, 2, 3], mean: 2, median: 2, interval: 0.5...3.5)
      ])
    return openLoop
  }()

  package static let curve = {
    var curve = MissRatioCurve(
      trace: "t", policy: "slru", parameters: [.init("protected", .number(0.5))], seed: 7,
      method: .simulations, rate: 0.25, requests: 1_000,
      points: [
        .init(capacity: 10, missRatio: 0.5, interval: 0.4...0.6),
        .init(capacity: 20, missRatio: 0.25, interval: 0.2...0.3),
      ])
    curve.seconds = 1.5
    curve.cheapest = CheapestCapacity(
      pricePerGiB: 3, costPerMiss: 0.5, bytesPerObject: 100, capacity: 20, memory: 0.25,
      misses: 125)
    return curve
  }()

  package static let exact = MissRatioCurve(
    trace: "t", policy: "lru", method: .stackDistances, requests: 1_000,
    points: [.init(capacity: 1, missRatio: 1), .init(capacity: 30, missRatio: 0.125)])

  /// A run of a cache of prefixes of 8 blocks over 10 blocks and 100 tokens.
  package static func prefix(
    _ policy: String, hitBlocks: Int = 5, hitTokens: Int
  ) -> Measurement {
    var run = Measurement(kind: .prefix, trace: "t", policy: policy, capacity: 8, unit: .blocks)
    run.requests = 10
    run.hits = hitBlocks
    var prefix = PrefixMeasures()
    (prefix.prompts, prefix.blocks, prefix.hitBlocks) = (2, 10, hitBlocks)
    (prefix.tokens, prefix.hitTokens) = (100, hitTokens)
    prefix.meanHitRatio = 0.5
    run.prefix = prefix
    return run
  }

  package static let recommendation = DiskRecommendation(
    trace: "t", pageSize: 4_096, durability: "none", rounds: 1, inlineThreshold: 1_000,
    interval: 0...1_000,
    crossovers: [.init(operation: "read", size: 2_048, low: 1_024, high: nil)])
}

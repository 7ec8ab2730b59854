import Results

/// Results that tests of documents and of reports share.
package enum ResultSamples {
  package static let environment = Environment {
    $0.version = "1"
    $0.toolchain = "Swift"
    $0.os = "Linux"
    $0.cpu = "a \"fast\" one"
    $0.cores = 2
    $0.date = "2026-01-01T00:00:00Z"
  }

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
    let summary = LatencySummary {
      $0.count = 10
      $0.mean = 1.5
      $0.p50 = 1
      $0.p90 = 2
      $0.p99 = 3
      $0.p999 = 4
      $0.max = 5
    }
    var durations = DurationSummary {
      $0.p50 = 1
      $0.p99 = 2
      $0.max = 3
      $0.total = 4
    }
    durations.p9999 = 3
    replay.replay = Replay {
      $0.threads = 2
      $0.lock = "mutex"
      $0.latency = LatencyReport {
        $0.get = summary
        $0.hit = summary
        $0.miss = summary
        $0.timerOverhead = 40.5
      }
      $0.contention = ContentionSummary {
        $0.acquisitions = 10
        $0.contended = 1
        $0.wait = durations
        $0.hold = durations
      }
    }
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
      Explanation {
        $0.trace = "t"
        $0.capacity = 10
        $0.unit = .objects
        $0.compulsoryMissRatio = 0.1
        $0.optimumHitRatio = 0.5...0.5
        $0.bestPolicy = "lru"
        $0.bestHitRatio = 0.25
      }
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
    let summary = LatencySummary {
      $0.count = 10
      $0.mean = 1.5
      $0.p50 = 1
      $0.p90 = 2
      $0.p99 = 3
      $0.p999 = 4
      $0.max = 5
    }
    openLoop.replay?.latency?.sample = 16
    openLoop.replay?.latency?.slowdown = 0.25
    openLoop.replay?.latency?.clock = LatencyClock {
      $0.source = "counter"
      $0.resolution = 10
      $0.floor = 1
    }
    openLoop.replay?.contention?.shards = [7, 3]
    openLoop.replay?.contention?.criterion = .takersPresent
    openLoop.replay?.contention?.slowdown = 0.1
    openLoop.replay?.isOversubscribed = true
    openLoop.replay?.division = .copies
    openLoop.replay?.missPenalty = MissPenalty(nanoseconds: 5_000, wait: .spin)
    openLoop.replay?.pace = PaceReport {
      $0.label = "120%"
      $0.arrivals = .uniform
      $0.offered = 1_200
      $0.achieved = 1_000
      $0.isOverload = true
      $0.capacity = 1_000
      $0.tick = 1_000
      $0.requestsPerReading = 1.5
    }
    openLoop.replay?.response = ResponseSummary {
      $0.whole = summary
      $0.quarters = [1, 2, 3, 4]
    }
    openLoop.replay?.service = ResponseSummary {
      $0.whole = summary
      $0.quarters = [1, 1, 1, 1]
    }
    openLoop.replay?.lateness = summary
    openLoop.replay?.idle = summary
    var machine = MachineReport {
      $0.pinned = true
      $0.seconds = 2
      $0.preemptions = 3
    }
    machine.overlap = 0.5
    machine.waiting = 0.25
    machine.hiccups = 0.125
    machine.longestHiccup = 5_000_000
    machine.steal = 0
    machine.frequency = 2e9...3e9
    openLoop.replay?.machine = machine
    openLoop.replay?.disturbed = ["overlap: 50 % (at least 90 %)"]
    let part = CutReport.Part {
      $0.requests = 10
      $0.hits = 5
      $0.seconds = 2
      $0.get = summary
    }
    openLoop.replay?.cut = CutReport {
      $0.cold = part
      $0.postFill = part
    }
    openLoop.replay?.resources = ResourceUse {
      $0.cpuSeconds = 1.5
      $0.allocations = 0
      $0.peakMemory = 1 << 20
    }
    openLoop.replay?.repetitions = Repetitions {
      $0.count = 3
      $0.figures = [
        Repetitions.Figure {
          $0.name = "get.p99"
          $0.values = [1, 2, 3]
          $0.mean = 2
          $0.median = 2
          $0.interval = 0.5...3.5
        }
      ]
    }
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
    curve.cheapest = CheapestCapacity {
      $0.pricePerGiB = 3
      $0.costPerMiss = 0.5
      $0.bytesPerObject = 100
      $0.capacity = 20
      $0.memory = 0.25
      $0.misses = 125
    }
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

  package static let recommendation = DiskRecommendation {
    $0.trace = "t"
    $0.pageSize = 4_096
    $0.durability = "none"
    $0.rounds = 1
    $0.inlineThreshold = 1_000
    $0.interval = 0...1_000
    $0.crossovers = [
      DiskRecommendation.Crossover {
        $0.operation = "read"
        $0.size = 2_048
        $0.low = 1_024
      }
    ]
  }
}

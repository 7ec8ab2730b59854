import EvictionCore
import Reports
import ResultSamples
import Results
import Testing

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// The settings that tell replays apart, wherever it matters.
@Suite struct ReplaySetupTests {
  /// A plain replay, changed.
  private static func replay(
    threads: Int = 1, _ change: (inout Replay) -> Void = { _ in }
  ) -> Measurement {
    var run = ResultSamples.replay
    run.replay?.threads = threads
    if var replay = run.replay {
      change(&replay)
      run.replay = replay
    }
    return run
  }

  private static func pace(_ label: String, _ arrivals: ArrivalModel = .poisson) -> PaceReport {
    PaceReport {
      $0.label = label
      $0.arrivals = arrivals
      $0.offered = 1
      $0.achieved = 1
      $0.isOverload = false
    }
  }

  private static func disk(
    round: Int = 1, threshold: Int = 1_024, page: Int = 4_096, durability: String = "none"
  ) -> Measurement {
    var run = Measurement(kind: .disk, trace: "t", policy: "lru", capacity: 10)
    run.disk = DiskMeasures {
      $0.setup.round = round
      $0.setup.inlineThreshold = threshold
      $0.setup.pageSize = page
      $0.setup.durability = durability
    }
    return run
  }

  /// Runs of one policy at one capacity that differ in one thing each, with what they are called.
  private static let runs: [(run: Measurement, label: String)] = [
    (replay(), "lru at 10, 1 thread, mutex"),
    (replay(threads: 2), "lru at 10, 2 threads, mutex"),
    (replay { $0.lock = "spin" }, "lru at 10, 1 thread, spin"),
    (replay { $0.system = "NSCache" }, "lru at 10, NSCache, 1 thread, mutex"),
    (
      replay { $0.reads = CacheReads.buffered.rawValue },
      "lru at 10, 1 thread, mutex, buffered reads"
    ),
    (replay { $0.pace = pace("50%") }, "lru at 10, 1 thread, mutex, pace 50%"),
    (replay { $0.pace = pace("120%") }, "lru at 10, 1 thread, mutex, pace 120%"),
    (
      replay { $0.pace = pace("120%", .uniform) },
      "lru at 10, 1 thread, mutex, pace 120%, uniform arrivals"
    ),
    (replay { $0.division = .keys }, "lru at 10, 1 thread, mutex, share keys"),
    (
      replay { $0.missPenalty = MissPenalty(nanoseconds: 2_000_000) },
      "lru at 10, 1 thread, mutex, miss penalty 2ms"
    ),
    (
      replay { $0.missPenalty = MissPenalty(nanoseconds: 5_000, wait: .spin) },
      "lru at 10, 1 thread, mutex, miss penalty spin:5us"
    ),
    (disk(), "lru at 10, inline ≤ 1024, page 4096, none, round 1"),
    (disk(round: 2), "lru at 10, inline ≤ 1024, page 4096, none, round 2"),
    (disk(threshold: 0), "lru at 10, inline ≤ 0, page 4096, none, round 1"),
    (disk(page: 512), "lru at 10, inline ≤ 1024, page 512, none, round 1"),
    (
      disk(durability: "powerLoss"), "lru at 10, inline ≤ 1024, page 4096, powerLoss, round 1"
    ),
  ]

  @Test func everyRunHasALabelOfItsOwn() {
    #expect(Self.runs.map { CellKey($0.run).label } == Self.runs.map(\.label))
    #expect(Set(Self.runs.map { CellKey($0.run) }).count == Self.runs.count)
  }

  @Test func everyRunIsComparedWithItsOwn() {
    let runs = Self.runs.map(\.run)
    #expect(ResultComparisonTests.compare(runs, runs).cells.count == runs.count)
    for index in runs.indices where runs[index].isDeterministic {
      var after = runs
      after[index].hits += 1
      let differences = ResultComparisonTests.compare(runs, after).differences
      #expect(differences.map(\.cell) == [CellKey(runs[index])])
    }
    let withoutLast = ResultComparisonTests.compare(runs, Array(runs.dropLast()))
    #expect(withoutLast.differences.map(\.verdict) == [.missing])
  }

  @Test func hitsBesideTrainingsAreNotCompared() {
    var before = Self.replay()
    before.learning = LearningMeasures()
    var after = before
    after.hits += 1
    #expect(ResultComparisonTests.compare([before], [after]).differences.count == 1)
    before.learning?.isBeside = true
    after.learning?.isBeside = true
    #expect(!before.isDeterministic)
    let comparison = ResultComparisonTests.compare([before], [after])
    #expect(comparison.differences.isEmpty)
    #expect(comparison.omissions.contains { $0.reason.contains("beside the requests") })
  }

  @Test func everyRunIsACaseOfItsOwn() throws {
    let report = try #require(ReportFormats.all.first { $0.information.name == "junit" })
    let text = report.render(results(Self.runs.map(\.run)), style: .plain)
    let names = text.matches(of: /<testcase classname="t" name="([^"]*)"/).map { String($0.1) }
    #expect(names == Self.runs.map(\.label))
  }

  /// Two ways of reading at two paces on one, two and four threads, for two seeds.
  private var grid: [Measurement] {
    var runs: [Measurement] = []
    for threads in [1, 2, 4] {
      for reads in CacheReads.allCases {
        for label in ["50%", "120%"] {
          for seed in [1, 2] {
            var run = Self.replay(threads: threads) {
              $0.reads = reads.rawValue
              $0.pace = Self.pace(label)
            }
            run.seed = seed
            runs.append(run)
          }
        }
      }
    }
    return runs
  }

  @Test func everyRunHasALineOfItsOwn() throws {
    let report = try #require(ReportFormats.all.first { $0.information.name == "html" })
    let page = report.render(results(grid), style: .plain)
    // Where nothing waits, throughput alone is drawn.
    for (section, charts, lines, points) in [("latency", 12, 2, 4), ("contention", 1, 8, 3)] {
      let start = try #require(page.firstRange(of: "<section id=\"\(section)\""))
      let text = page[start.lowerBound...]
      let end = try #require(text.firstRange(of: "</section>"))
      let figures = text[..<end.lowerBound].split(separator: "<figure>").dropFirst()
      #expect(figures.count == charts)
      for figure in figures {
        let series = figure.matches(of: /data-name="([^"]*)" data-points="([^"]*)"/)
        #expect(series.count == lines && Set(series.map(\.1)).count == lines, "\(section)")
        for one in series {
          let x = one.2.matches(of: /\[([0-9.e-]+),/).map(\.1)
          #expect(x.count == points && Set(x).count == points, "\(section): \(one.1)")
        }
      }
    }
  }

  private func results(_ runs: [Measurement]) -> ResultSet {
    ResultSet(environment: ResultSamples.environment, measurements: runs)
  }
}

import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// Reports of one document in every format.
@Suite struct ReportFormatsTests {
  func render(
    _ name: String, _ results: ResultSet, style: ReportStyle = .plain
  ) throws -> String {
    try #require(ReportFormats.form(named: name)).render(results, style: style)
  }

  @Test func everyFileOfTheFolderIsRegistered() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Reports/Formats")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let registered = ReportFormats.all.map { "\($0).swift" }
    #expect(files.sorted() == registered.sorted())
  }

  @Test func namesAreUnique() {
    #expect(Set(ReportFormats.names).count == ReportFormats.all.count)
  }

  @Test(arguments: ReportFormats.names)
  func everyFormatEndsItsLastLine(_ name: String) throws {
    let text = try render(name, ResultSamples.results)
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func tableOfAReplayShowsLatencyAndContention() throws {
    var results = ResultSamples.results
    results.measurements.removeFirst()
    results.explanations = []
    #expect(
      try render("table", results) == """
        t (plain): 0 requests, 0 distinct keys; lock mutex

        capacity  policy  threads  M requests/s  get p50 ns  get p99 ns  get p99.9 ns  \
        contended %  wait p99 ns  wait p99.99 ns  wait max ns  hold p50 ns
              10  lru           2          0.00           1           3             4  \
              10.00            2               3            3            1

        The clock's 40 ns are in every time.

        Not complete, as it was stopped or cells failed: these are the 1 finished runs.

        """)
  }

  @Test func traceSaysWhichMissesAreCompulsoryAndWhatItsBlocksAre() throws {
    var results = ResultSet(
      environment: ResultSamples.environment,
      traces: [TraceSummary(name: "t", format: "mooncake", requests: 8, distinct: 3)],
      measurements: [ResultSamples.openLoop])
    let note = "Hits on t are block hits, not prefix hits"
    let plain = try render("table", results)
    let title = "t (mooncake): 8 requests, 3 distinct keys (37.50 % compulsory misses)"
    #expect(plain.hasPrefix(title))
    #expect(!plain.contains(note))
    results.traces[0].hasGroups = true
    for format in ["table", "markdown", "html"] {
      #expect(try render(format, results).contains(note))
    }
    let read = try ResultSet(reading: render("json", results).utf8, file: "x")
    #expect(read.traces == results.traces)
    // The hits of a cache of prefixes are prefix hits.
    results.measurements = [ResultSamples.prefix("lru", hitTokens: 60)]
    for format in ["table", "markdown", "html"] {
      #expect(try !render(format, results).contains(note))
    }
    results.measurements.append(ResultSamples.openLoop)
    #expect(try render("html", results).contains(note))
  }

  @Test func compulsoryMissesAreOfTheGetsWhereThereAreOtherRequests() throws {
    var trace = TraceSummary(name: "t", format: "csv", requests: 8, distinct: 3)
    trace.hasOperations = true
    func text(_ form: String) throws -> String {
      try render(
        form,
        ResultSet(
          environment: ResultSamples.environment, traces: [trace],
          measurements: [ResultSamples.openLoop]))
    }
    // Of a stream they may not have been counted.
    #expect(try text("table").hasPrefix("t (csv): 8 requests, 3 distinct keys;"))
    (trace.gets, trace.firstGets) = (4, 1)
    #expect(
      try text("table").hasPrefix(
        "t (csv): 8 requests, 4 of them gets, 3 distinct keys (25.00 % of the gets are compulsory "
          + "misses);"))
    #expect(try text("html").contains("25.00 of the gets"))
    #expect(try ResultSet(reading: text("json").utf8, file: "x").traces == [trace])
  }

  @Test func driftOfARunWithoutWarmUpMayBeItsBeginning() throws {
    func isWarned(ends: [Int], stationarity: Double) throws -> Bool {
      var run = Measurement(kind: .sweep, trace: "t", policy: "lru", capacity: 1)
      run.requests = 300
      run.hits = 60
      run.windows = RequestWindows(ends: ends, requests: [100, 100, 100], hits: [10, 20, 30])
      var results = ResultSet(environment: ResultSamples.environment, measurements: [run])
      var estimate = Estimate(run, of: .stationaryMean)
      estimate.interval = 0.1...0.3
      estimate.nextTrace = 0.05...0.35
      estimate.stationarity = stationarity
      results.estimates = [estimate]
      let texts = try ["table", "markdown", "html"].map {
        try render($0, results).replacing("\n", with: " ").contains("try --warmup N")
      }
      #expect(Set(texts).count == 1)
      return texts[0]
    }
    #expect(try isWarned(ends: [100, 200, 300], stationarity: 0.001))
    #expect(try !isWarned(ends: [100, 200, 300], stationarity: 0.2))
    #expect(try !isWarned(ends: [150, 250, 350], stationarity: 0.001))
  }

  @Test func tableOfAnOpenLoopHasItsColumnsAndNotes() throws {
    let results = ResultSet(
      environment: ResultSamples.environment, measurements: [ResultSamples.openLoop])
    let table = try render("table", results)
    #expect(
      table.contains(
        """
        hold p50 ns  pace  offered M/s  served M/s  overload  response p50 ns  response p99 ns  \
        response p99.9 ns  response grew ×  service p50 ns  service p99 ns  service grew ×  \
        late p99 ns  no cache p99 ns  get p99 ± %  cold hit ratio %  \
        cold M/s  cold p99 ns  post-fill hit ratio %  post-fill M/s  post-fill p99 ns  \
        mark  busiest shard ×  CPU ns/request  allocations  peak MiB
        """))
    let notes = table.split(separator: "\n").filter { $0.hasSuffix(".") }.joined(separator: "\n")
    #expect(
      notes == """
        The clock's 40 ns are taken off every time; it steps by 10 ns; one request in 16 is timed; the \
        timed runs took 25.0 % longer than the bare ones (median).
        The runs with metered locks took 10.0 % longer than the bare ones (median). Queues have no \
        try-lock: contended is who comes while another one is inside or waiting.
        3 repetitions: medians, ± half of their 95 % interval; wait and hold are of all repetitions together.
        Disturbed (!): 1 of 1 runs, such as overlap: 50 % (at least 90 %).
        Response times count from the intended start; the trace's clock ticks every 1000 ns, with 1.50 \
        requests at a reading, spread over the tick (uniform); late: what the generator adds to them \
        by waking up late and by recording; grew: the last quarter's median over the first's; no \
        cache: responses of a cache that does nothing, at the same schedule.
        Overload (o): more is offered than served, so the queue and the response times grow until the \
        trace ends; service times do not.
        Oversubscribed: more threads than cores, which take turns; this is no scaling.
        """)
  }

  @Test func timeThatTheClockDoesNotTellFromNothingIsShorter() throws {
    var run = ResultSamples.replay
    run.replay?.latency?.clock = LatencyClock {
      $0.source = "counter"
      $0.resolution = 2
      $0.floor = 2.5
    }
    let results = ResultSet(environment: ResultSamples.environment, measurements: [run])
    let table = try render("table", results)
    #expect(table.contains(/lru +2 +0.00 +< 3 +3 +4 +10.00 +< 3 +3 +3 +< 3/))
    #expect(table.contains("The clock's 40 ns are taken off every time; it steps by 2 ns."))
  }

  @Test func overloadSaysWhatBecameOfTheServiceTimes() throws {
    func note(_ quarters: [[Int]]) throws -> String? {
      let runs = quarters.map { quarters in
        var run = ResultSamples.openLoop
        run.replay?.service?.quarters = quarters
        return run
      }
      let results = ResultSet(environment: ResultSamples.environment, measurements: runs)
      return try render("table", results).split(separator: "\n")
        .first { $0.hasPrefix("Overload") }?.split(separator: "; ").last.map(String.init)
    }
    #expect(try note([[100, 1, 1, 109], [100, 1, 1, 91]]) == "service times do not.")
    #expect(
      try note([[2, 2, 4, 5]])
        == "the median service time of the last quarter is 2.50 times the first's.")
    #expect(
      try note([[2, 2, 4, 5], [4, 2, 2, 1]])
        == "the median service time of the last quarter is 0.25 to 2.50 times the first's.")
  }

  @Test func bestIsMarkedByExactValueWithinItsCapacity() throws {
    func measurement(_ policy: String, _ hits: Int, capacity: Int) -> Measurement {
      var measurement = Measurement(
        kind: .sweep, trace: "t", policy: policy, capacity: capacity)
      measurement.requests = 100_000_000
      measurement.hits = hits
      return measurement
    }
    let results = ResultSet(
      environment: ResultSamples.environment,
      measurements: [
        measurement("a", 10_000_000, capacity: 1), measurement("b", 10_000_001, capacity: 1),
        measurement("a", 20_000_000, capacity: 2), measurement("b", 20_000_000, capacity: 2),
      ])
    #expect(
      try render("table", results) == """
        t

        capacity  policy  hit ratio %       hits  M requests/s
               1  b             10.00*  10000001          0.00
               1  a             10.00   10000000          0.00

               2  a             20.00   20000000          0.00
               2  b             20.00   20000000          0.00

        Rows are sorted by hit ratio; * marks the highest of a capacity.

        Verdict: on t at 2 sizes b hits 15.00 % on average, next a: 15.00 %; b hits more in 1 of 2.
        Hits are exact for these requests; --windows 100 estimates traffic like it.

        """)
    #expect(
      try render("table", results, style: ReportStyle(isColored: true))
        .contains("\u{1B}[1;32m10.00\u{1B}[0m*"))
  }

  /// What a trace lacks, and sizes that nobody told, stand beside the results.
  @Test(arguments: ["table", "markdown", "html"])
  func gapsOfATraceAreTold(_ form: String) throws {
    var run = Measurement(kind: .sweep, trace: "t.log", policy: "lru", capacity: 1)
    run.requests = 10
    run.unknownSizes = 7
    let trace = TraceSummary(
      name: "t.log", format: "access-log", requests: 10, distinct: 3,
      incomplete: "2 damaged lines are left out")
    let results = ResultSet(
      environment: ResultSamples.environment, traces: [trace], measurements: [run])
    let text = try render(form, results).replacing("\n", with: " ")
    #expect(text.contains("t.log is not whole: 2 damaged lines are left out."), "\(text)")
    #expect(text.contains("On t.log 7 requests are of objects whose size"), "\(text)")
  }

  @Test func boundsAreNotMarkedAsBest() throws {
    let runs = [("lru", 1), ("opt", 3), ("arc", 2)].map { policy, hits in
      var run = Measurement(kind: .sweep, trace: "t", policy: policy, capacity: 1)
      run.requests = 10
      run.hits = hits
      return run
    }
    let text = try render(
      "table", ResultSet(environment: ResultSamples.environment, measurements: runs),
      style: ReportStyle(bounds: ["opt"]))
    #expect(text.contains("20.00*") && !text.contains("30.00*"))
    #expect(text.contains("; * marks the highest of a capacity, opt not counted.\n"))
  }

  /// Each star has its line, and there is no line without a star.
  @Test func starsAreExplained() throws {
    func table(_ runs: [Measurement]) throws -> String {
      try render(
        "table", ResultSet(environment: ResultSamples.environment, measurements: runs),
        style: ReportStyle(bounds: ["opt"]))
    }
    func prefix(_ policy: String, _ tokens: Int) -> Measurement {
      ResultSamples.prefix(policy, hitBlocks: 5, hitTokens: tokens)
    }
    #expect(try table([prefix("lru", 60), prefix("arc", 50)]).contains("* marks the highest"))
    #expect(try !table([prefix("lru", 60), prefix("opt", 70)]).contains("*"))
  }

  @Test func hitsOfSeveralThreadsAreNotMarkedAsBest() throws {
    func run(_ policy: String, _ hits: Int, threads: Int) -> Measurement {
      var run = Measurement(kind: .replay, trace: "t", policy: policy, capacity: 1)
      run.requests = 10
      run.hits = hits
      run.replay = Replay {
        $0.threads = threads
        $0.lock = "mutex"
      }
      return run
    }
    let runs = [run("lru", 1, threads: 1), run("arc", 2, threads: 1), run("lru", 3, threads: 2)]
    func text(_ runs: [Measurement]) throws -> String {
      try render(
        "table", ResultSet(environment: ResultSamples.environment, measurements: runs))
    }
    let mixed = try text(runs)
    #expect(mixed.contains("20.00*") && !mixed.contains("30.00*"))
    #expect(try !text([runs[2], run("arc", 4, threads: 2)]).contains("*"))
  }

  @Test func explanationStandsBelowItsTable() throws {
    for format in ["table", "markdown"] {
      let text = try render(format, ResultSamples.results)
      let explanation = ResultSamples.results.explanations[0].text
      #expect(text.contains("\n\n\(explanation)\n"))
      // The one trace is explained, the other is not.
      #expect(text.split(separator: explanation).count == 2)
    }
  }

  @Test func boundsHaveColumnsOfTheirOwn() throws {
    var bounds = Measurement(
      kind: .bounds, trace: "t", policy: "optimum", capacity: 64 << 20, unit: .bytes)
    bounds.hitRatioBounds = 0.25...0.5
    bounds.byteHitRatioBounds = 0.125...0.75
    bounds.record(seconds: 1.5, requestsRun: 10)
    let results = ResultSet(environment: ResultSamples.environment, measurements: [bounds])
    #expect(
      try render("table", results) == """
        t

        capacity MiB  policy   hit ratio ≥ %    ≤ %  byte hit ratio ≥ %    ≤ %  seconds
                  64  optimum          25.00  50.00               12.50  75.00     1.50

        """)
  }

  @Test func csvQuotesWhatNeedsIt() throws {
    var results = ResultSamples.results
    results.measurements = [ResultSamples.sweep]
    results.measurements[0].trace = "a,\"b\".csv"
    let lines = try render("csv", results).split(separator: "\n")
    #expect(
      lines[1].hasPrefix(
        "sweep,\"a,\"\"b\"\".csv\",slru,fill=protected:protected=0.8:resize=true:segments=4,1000"))
  }

  @Test func csvNamesNestedValuesByTheirPath() throws {
    let header = try render("csv", ResultSamples.results)
      .split(separator: "\n")[0].split(separator: ",")
    #expect(header.contains("latency.operation.get.p999"))
    #expect(header.contains("contention.wait.total"))
  }

  @Test(arguments: ["csv", "table", "markdown"])
  func seriesAreLeftOutWhereTheyFindNoPlace(_ name: String) throws {
    var results = ResultSamples.results
    results.measurements = [ResultSamples.sweep]
    let without = try render(name, results)
    results.measurements = [ResultSamples.learned]
    #expect(try render(name, results) == without)
  }

  @Test(arguments: [60, 80, 100])
  func tableFitsItsWidth(_ width: Int) throws {
    var run = ResultSamples.openLoop
    run.missRatioReduction = 0.5
    let results = ResultSet(environment: ResultSamples.environment, measurements: [run])
    let table = try render("table", results, style: ReportStyle(width: width))
    let lines = table.split(separator: "\n")
    let end = try #require(lines.firstIndex { $0.hasPrefix("The clock") })
    #expect(lines[..<end].allSatisfy { $0.displayWidth <= width }, "\(table)")
    // What tells runs apart, and what an open loop is for, stays; details give way first.
    #expect(table.contains("pace") && table.contains("response"))
    #expect(table.contains("--wide shows all columns."))
    #expect(table.contains(/No room for .*service p50/))
    #expect(try !render("table", results).contains("--wide"))
  }

  @Test func controlsDoNotReachACSVFile() throws {
    var results = ResultSamples.results
    results.measurements = [ResultSamples.sweep]
    results.measurements[0].trace = "a\u{1B}[31m\u{7}b\tc"
    #expect(try render("csv", results).contains("sweep,a?[31m?b\tc,slru,"))
  }
}

import Foundation
import Results
import Testing

/// `evict replay` as a process: open loops, repetitions, histograms.
@Suite struct ReplayCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private static let replay = "evict replay tiny.txt --policy lru --capacity 2 --no-yardstick"

  private func document(_ options: String) async throws -> ResultSet {
    let outcome = try await shell.run("\(Self.replay) \(options) --format json")
    #expect(outcome.errors.isEmpty && outcome.code == 0, "\(outcome)")
    return try ResultSet(reading: outcome.output.utf8, file: "replay")
  }

  @Test func openLoopsAndClosedOnesStandSideBySide() async throws {
    let results = try await document("--rate 5000,80% --repeat 2 --arrivals uniform --threads 1,2")
    let replays = results.measurements.compactMap(\.replay)
    #expect(replays.map(\.threads) == [1, 1, 2, 2])
    #expect(replays.map(\.pace?.label) == ["5000", "80%", "5000", "80%"])
    #expect(replays.map(\.response?.whole.count) == [16, 16, 16, 16])
    #expect(replays.map(\.repetitions?.count) == [2, 2, 2, 2])
    #expect(replays.map { $0.pace?.capacity != nil } == [false, true, false, true])
    #expect(results.measurements.map(\.requests) == [8, 8, 8, 8])
  }

  /// With two threads a request may find an object that the trace has not told the size of yet.
  @Test func sizesThatAreToldLateAreNoSizes() async throws {
    let lines = (0..<20_000).map { line in
      let status = line % 10 < 3 ? "304 0" : "200 \(100 + line * 7919 % 40)"
      return
        "10.0.0.1 - - [01/Jan/2026:00:\(10 + line / 1000 % 50):00 +0000] \"GET /\(line * line % 997) HTTP/1.1\" "
        + status
    }
    try shell.write(lines.joined(separator: "\n") + "\n", to: "access.log")
    let outcome = try await shell.run(
      "evict replay access.log --policy lru --capacity 1MiB --threads 1,2 --time 50ms --format json"
    )
    #expect(outcome.code == 0, "\(outcome.errors)")
    let results = try ResultSet(reading: outcome.output.utf8, file: "replay")
    #expect(results.measurements.count == 2)
    for run in results.measurements {
      let ratio = try #require(run.byteHitRatio)
      #expect((0.5...1).contains(ratio), "\(ratio)")
    }
  }

  @Test func tableExplainsWhatWasAskedFor() async throws {
    let plain = try await shell.run(Self.replay).output
    #expect(plain.contains(/The clock's \d+ ns are taken off every time; it steps by [\d.]+ ns/))
    #expect(plain.contains(/\d repetitions: medians, ±/))
    let open = try await shell.run(Self.replay + " --rate 5000 --sample 2 --repeat 3 --wide").output
    for text in [
      "one request in 2 is timed", "\n3 repetitions: medians, ±", "no cache p99 ns",
      "Response times count from the intended start",
      "response p50 ns",
    ] {
      #expect(open.contains(text))
      #expect(!plain.contains(text))
    }
    let threads = ProcessInfo.processInfo.activeProcessorCount + 1
    let many = try await shell.run(Self.replay + " --threads \(threads)").output
    #expect(many.contains("\(threads) (oversubscribed)"))
    #expect(many.contains("Oversubscribed: more threads than cores, which take turns"))
  }

  @Test func tracesOwnPaceNeedsTimes() async throws {
    try shell.write(
      "time,key\n1,a\n1,b\n2,a\n3,c\n", to: "timed.csv")
    let outcome = try await shell.run(
      "evict replay timed.csv --policy lru --capacity 2 --no-yardstick --pace trace:1000")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.output.contains("ticks every 1000000000 ns, with 1.33 requests at a reading, spread"))
  }

  @Test func histogramsAreWrittenForEachCell() async throws {
    _ = try await document("--rate 5000 --histograms out")
    let files = try await shell.run("ls out").output.split(separator: "\n").map(String.init)
    let cell = "tiny.txt-lru_at_2-1_thread-adaptive-pace_5000"
    for name in ["get", "hit", "miss", "set", "fill", "response", "service"] {
      #expect(files.contains("\(cell)-\(name).hgrm"))
    }
    #expect(
      try shell.read("out/\(cell)-response.hgrm")
        .hasPrefix("       Value     Percentile TotalCount 1/(1-Percentile)\n\n"))
  }

  @Test func histogramsOfTwoCellsAreNotTheSameFiles() async throws {
    _ = try await document("--reads strict,buffered --rate 5000,50% --time 50ms --histograms out")
    let files = try await shell.run("ls out/*-get.hgrm").output.split(separator: "\n").map(
      String.init)
    #expect(
      files.sorted()
        == [
          "-buffered_reads-pace_5000", "-buffered_reads-pace_50%", "-pace_5000", "-pace_50%",
        ].map { "out/tiny.txt-lru_at_2-1_thread-adaptive\($0)-get.hgrm" }.sorted())
  }

  @Test func slowOpenLoopIsStopped() async throws {
    var pause = 0.5
    while true {
      let outcome = try await shell.interrupt(
        [
          "replay", "tiny.txt", "--policy", "lru", "--capacity", "2", "--rate", "0.01", "--format",
          "json",
        ], after: pause)
      #expect(outcome.code == 130)
      if outcome.errors.contains("this takes") {
        #expect(
          outcome.errors == """
            evict: this takes about 40 min 0 s (cells: 1); fewer policies, capacities or requests \
            (--limit) take less
            evict: stopped; 0 of 1 cells are written

            """)
        let results = try ResultSet(reading: outcome.output.utf8, file: "x")
        #expect(!results.isComplete && results.measurements.isEmpty)
        return
      }
      // It was stopped before its work began.
      try #require(pause < 60, "\(outcome)")
      pause *= 2
    }
  }

  @Test func cutOutsideATraceIsSaid() async throws {
    let outcome = try await shell.run("evict replay tiny.txt --policy lru --capacity 2 --cut 99999")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == "evict: --cut 99999 does not cut tiny.txt; give more than the warm-up and "
        + "fewer than all requests\n")
  }
}

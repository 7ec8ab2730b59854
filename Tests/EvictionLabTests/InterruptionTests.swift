import Results
import Testing

/// Ctrl-C keeps what is finished.
@Suite struct InterruptionTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func finishedCellsAreWrittenAsAWholeDocument() async throws {
    _ = try await shell.run("evict trace generate zipf:requests=2e5 --output z.txt")
    let capacities = (1...3000).map(String.init).joined(separator: ",")
    let arguments = [
      "sweep", "z.txt", "--policy", "lru,arc,lfu", "--capacity", capacities, "--format", "json",
      "--output", "z.json",
    ]
    let outcome = try await interrupt(arguments) { _ in try shell.files().contains("z.json") }
    #expect(outcome.code == 130)
    let results = try ResultSet(reading: shell.read("z.json").utf8, file: "z.json")
    #expect(!results.isComplete)
    #expect(results.measurements.count < 9000)
    #expect(
      outcome.errors
        == "evict: stopped; \(results.measurements.count) of 9000 cells are written\n")
    #expect(try shell.files() == ["tiny.txt", "z.json", "z.txt"])

    let resumed = try await interrupt(arguments + ["--resume"]) { $0.errors.contains(" holds ") }
    let more = try ResultSet(reading: shell.read("z.json").utf8, file: "z.json")
    #expect(!more.isComplete)
    #expect(
      resumed.errors == """
        evict: z.json holds \(results.measurements.count) of 9000 cells
        evict: stopped; \(more.measurements.count) of 9000 cells are written

        """)
    let kept = more.measurements.filter { results.measurements.contains($0) }
    #expect(kept == results.measurements)
  }

  @Test func aStoppedTimingIsNotComplete() async throws {
    let arguments = [
      "speed", "tiny.txt", "--policy", "lru", "--capacity", "2", "--rounds", "1000", "--format",
      "json", "--output", "s.json",
    ]
    let outcome = try await interrupt(arguments) { $0.errors.contains("stopped; 0 of") }
    // On a slow machine it says before how long it would have taken.
    #expect(outcome.errors.hasSuffix("evict: stopped; 0 of 3 cells are written\n"))
    #expect(outcome.output == "" && outcome.code == 130)
    #expect(try !ResultSet(reading: shell.read("s.json").utf8, file: "s.json").isComplete)
  }

  @Test func waitingForInputEndsAtOnce() async throws {
    _ = try await shell.run("mkfifo pipe")
    let outcome = try await interrupt(["sweep", "pipe"]) { _ in true }
    #expect(
      outcome == Outcome(output: "", errors: "evict: stopped; nothing was kept\n", code: 130))
  }

  @Test func stoppedCurvesReadNoFurtherTrace() async throws {
    _ = try await shell.run("evict trace generate zipf:requests=2e5 --output z.txt")
    let capacities = (1...3000).map(String.init).joined(separator: ",")
    let outcome = try await interrupt(
      [
        "curve", "z.txt", "missing.txt", "--policy", "arc", "--capacity", capacities, "--format",
        "json", "--output", "c.json",
      ]
    ) { _ in
      // Not before the first trace is read.
      guard try shell.files().contains("c.json") else { return false }
      return try !ResultSet(reading: shell.read("c.json").utf8, file: "c.json").traces.isEmpty
    }
    #expect(
      outcome
        == Outcome(output: "", errors: "evict: stopped; 0 of 2 cells are written\n", code: 130))
    let results = try ResultSet(reading: shell.read("c.json").utf8, file: "c.json")
    #expect(!results.isComplete && results.traces.map(\.name) == ["z.txt"])
  }

  @Test func stoppedWritingLeavesNothing() async throws {
    let outcome = try await interrupt(
      ["trace", "generate", "zipf:requests=4e9", "--output", "long.txt"]
    ) { $0.errors.contains("long.txt") }
    #expect(
      outcome
        == Outcome(output: "", errors: "evict: long.txt: stopped; nothing was kept\n", code: 130))
    #expect(try shell.files() == ["tiny.txt"])
  }

  /// Interrupts `evict` when it works, which is tried later and later: how long it takes to start and
  /// to read depends on the machine.
  private func interrupt(
    _ arguments: [String], until isAtWork: (Outcome) throws -> Bool
  ) async throws -> Outcome {
    var pause = 0.25
    while true {
      let outcome = try await shell.interrupt(arguments, after: pause)
      if try !outcome.errors.isEmpty && isAtWork(outcome) || pause > 60 { return outcome }
      pause *= 2
    }
  }
}

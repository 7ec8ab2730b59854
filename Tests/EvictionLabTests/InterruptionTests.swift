import Laboratory
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
      "sweep", "tiny.txt", "--policy", "lru", "--capacity", "2", "--speed", "1000", "--format",
      "json", "--output", "s.json",
    ]
    let outcome = try await interrupt(arguments) { $0.errors.contains("their speed in part") }
    #expect(
      outcome
        == Outcome(
          output: "", errors: "evict: stopped; 1 of 1 cells are written, their speed in part\n",
          code: 130))
    let results = try ResultSet(reading: shell.read("s.json").utf8, file: "s.json")
    #expect(!results.isComplete)
    #expect(try #require(results.measurements.first?.speed).ratios.count < 1_000)
  }

  @Test func waitingForInputEndsAtOnce() async throws {
    _ = try await shell.run("mkfifo pipe")
    let outcome = try await interrupt(["sweep", "pipe"]) { _ in true }
    #expect(
      outcome == Outcome(output: "", errors: "evict: stopped; nothing was kept\n", code: 130))
  }

  /// Interrupts `evict` when it works, which is tried later and later: how long it takes to start and
  /// to read depends on the machine.
  private func interrupt(
    _ arguments: [String], until isAtWork: (Outcome) throws -> Bool
  ) async throws -> Outcome {
    var pause = Duration.milliseconds(250)
    while true {
      let outcome = try await shell.interrupt(arguments, after: pause)
      if try !outcome.errors.isEmpty && isAtWork(outcome) || pause > .seconds(60) { return outcome }
      pause *= 2
    }
  }
}

import EvictionLab
import Experiments
import Foundation
import Results
import Testing

/// `evict speed`: rows, rounds and instructions.
extension CheckCommandTests {
  @Test func speedIsMeasuredTwiceAlike() async throws {
    let line = "\(sweep.replacing("sweep", with: "speed")) --rounds 2 --no-baselines"
    #expect(try await shell.run("\(line) --output a.json").code == 0)
    #expect(try await shell.run("\(line) --output b.json").code == 0)
    let results = try ResultSet(reading: shell.read("a.json").utf8, file: "a.json")
    for measurement in results.measurements {
      let speed = try #require(measurement.speed)
      #expect(speed.ratios.count == 2)
      if InstructionCounter.isAvailable { #expect(try #require(speed.instructions) > 0) }
    }
    // A handful of requests: allocation is most of what is counted.
    let outcome = try await shell.run(
      "evict check b.json --baseline a.json --instruction-tolerance 5")
    #expect(outcome.code == 0)
  }

  @Test func speedNeedsAFile() async throws {
    let outcome = try await shell.run(
      "evict speed - --policy lru --capacity 2 < tiny.txt")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("standard input ends"))
  }

  /// Runs a sweep of one cell with a program in valgrind's place.
  private func measureSpeed(valgrind script: String, _ end: String = "tiny.txt") async throws
    -> Outcome
  {
    try shell.write("#!/bin/sh\n\(script)\n", to: "valgrind")
    return try await shell.run(
      "chmod +x valgrind; PATH=$PWD:$PATH; evict speed --policy lru --capacity 2 --rounds 1"
        + " --no-baselines --format json --output a.json \(end)")
  }

  @Test func instructionsAreThoseOfTheSameCommand() async throws {
    let outcome = try await measureSpeed(
      valgrind: """
        echo "$@" >arguments
        for word; do case $word in --callgrind-out-file=*) out=${word#*=} ;; esac; done
        for part in 1 2 3; do echo "totals: 7$part" >"$out.$part"; done
        """, "-- tiny.txt")
    #expect(outcome == Outcome(output: ""))
    #expect(
      try shell.read("arguments").hasSuffix(
        " speed --count-only --policy lru --capacity 2 --rounds 1 --no-baselines --format json "
          + "--output a.json -- tiny.txt\n"))
    let results = try ResultSet(reading: shell.read("a.json").utf8, file: "a.json")
    #expect(results.measurements.map(\.form) == [.policy, .cache, .theorem])
    #expect(results.measurements.map(\.speed?.instructions) == [71, 72, 73])
  }

  @Test func aRunThatIsCountedWritesNothing() async throws {
    let before = try shell.files()
    let outcome = try await shell.run(
      "evict speed --count-only tiny.txt --policy lru,opt --capacity 2 --format json --output a.json"
    )
    #expect(outcome == Outcome(output: ""))
    #expect(try shell.files() == before)
  }

  @Test func eachFormIsARowOfTheTable() async throws {
    let outcome = try await shell.run(
      "evict speed --count-only tiny.txt --policy lru --capacity 2; "
        + "evict speed tiny.txt --policy lru,opt --capacity 2 --rounds 1 --no-baselines 2>&1")
    #expect(outcome.code == 0)
    for row in [
      "lru     policy", "lru     cache", "lru     theorem", "opt     policy", "opt     theorem",
    ] {
      #expect(outcome.output.contains(row), "\(outcome.output)")
    }
    #expect(!outcome.output.contains("opt     cache"))
  }

  @Test func aFailedCountLosesNothingElse() async throws {
    let outcome = try await measureSpeed(valgrind: "exit 3")
    #expect(
      outcome
        == Outcome(
          output: "",
          errors:
            "evict: instructions are not measured: valgrind --tool=callgrind: the program did "
            + "not end well under it; see that valgrind works here; times need none\n"))
    let results = try ResultSet(reading: shell.read("a.json").utf8, file: "a.json")
    let speed = try #require(results.measurements.first?.speed)
    #expect(results.isComplete && speed.instructions == nil && speed.ratios.count == 1)
  }

  @Test func aStoppedCountLosesNothingElse() async throws {
    let outcome = try await measureSpeed(valgrind: "kill -TERM $PPID; exec sleep 60")
    #expect(
      outcome
        == Outcome(
          output: "",
          errors: "evict: stopped; 3 of 3 cells are written, without their instructions\n",
          code: 130))
    let results = try ResultSet(reading: shell.read("a.json").utf8, file: "a.json")
    let measurement = try #require(results.measurements.first)
    #expect(!results.isComplete && measurement.hits == 2)
    #expect(measurement.speed?.ratios.count == 1 && measurement.speed?.instructions == nil)
  }

  @Test func withoutValgrindTimesAreMeasuredOnly() async throws {
    let outcome = try await shell.run(
      "evict=$(command -v evict); PATH=/nowhere; export PATH; "
        + "\"$evict\" speed tiny.txt --policy lru --capacity 2 --rounds 1 --format json --output a.json"
    )
    #expect(
      outcome
        == Outcome(
          output: "",
          errors: "evict: valgrind is not installed: times are measured, instructions are not\n"))
    let results = try ResultSet(reading: shell.read("a.json").utf8, file: "a.json")
    let speed = try #require(results.measurements.first?.speed)
    #expect(speed.instructions == nil && speed.ratios.count == 1)
  }

  /// Programs in valgrind's place that do not run, and the messages about them.
  @Test(arguments: [
    ("exit 1", "the program did not end well under it"),
    ("kill -9 $$", "the program did not end well under it"),
    ("exit 0", "it wrote no total for a run"),
    (
      "for word; do case $word in --callgrind-out-file=*) echo totals: none > ${word#*=}.1; esac; done",
      "it wrote no total for a run"
    ),
  ])
  func valgrindThatFailsIsNamed(_ script: String, _ problem: String) async throws {
    try shell.write("#!/bin/sh\n\(script)\n", to: "valgrind")
    let outcome = try await shell.run(
      "chmod +x valgrind; PATH=$PWD:$PATH; export PATH; "
        + "\(sweep.replacing("sweep", with: "speed")) --rounds 1 --no-yardstick")
    #expect(outcome.code == 0 && !outcome.output.isEmpty)
    #expect(
      outcome.errors
        == "evict: instructions are not measured: valgrind --tool=callgrind: \(problem); "
        + "see that valgrind works here; times need none\n")
  }
}

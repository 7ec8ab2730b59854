import EvictionLab
import Foundation
import Laboratory
import Testing

/// `evict compare`, `evict check` and `evict sweep --speed`, as processes.
@Suite struct CheckCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private let sweep = "evict sweep tiny.txt --policy lru,fifo --capacity 2 --format json"

  @Test func gateOpensForEqualResultsAndClosesForOneHit() async throws {
    #expect(try await shell.run("\(sweep) --output base.json").code == 0)
    let same = try await shell.run("\(sweep) | evict check - --baseline base.json")
    #expect(same == Outcome(output: "2 runs compared: nothing differs\n"))
    let base = try shell.read("base.json")
    try shell.write(base.replacing("\"hits\": 2", with: "\"hits\": 4"), to: "other.json")
    let other = try await shell.run("evict check other.json --baseline base.json")
    #expect(other.code == 1)
    #expect(other.output.contains("lru at 2"))
    #expect(
      other.errors
        == "evict: other.json falls behind base.json; if that is meant, add --update\n")
    #expect(try shell.read("base.json") == base)
  }

  @Test func baselineIsReplacedOnlyWhenAsked() async throws {
    #expect(try await shell.run("\(sweep) --output base.json").code == 0)
    let base = try shell.read("base.json")
    try shell.write(base.replacing("\"hits\": 2", with: "\"hits\": 4"), to: "other.json")
    let outcome = try await shell.run("evict check other.json --baseline base.json --update")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("hits"))
    #expect(try shell.read("base.json") == shell.read("other.json"))
  }

  @Test func comparisonNeverFails() async throws {
    #expect(try await shell.run("\(sweep) --output a.json").code == 0)
    try shell.write(
      shell.read("a.json").replacing("\"hits\": 2", with: "\"hits\": 4"), to: "b.json")
    let outcome = try await shell.run("evict compare a.json b.json --format github")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("::warning title=hits of lru::"))
  }

  @Test func missingBaselineIsNamed() async throws {
    #expect(try await shell.run("\(sweep) --output a.json").code == 0)
    let outcome = try await shell.run("evict check a.json --baseline none.json")
    #expect(outcome.code == 66)
    #expect(outcome.errors == "evict: none.json: no such file; check the path\n")
  }

  @Test func brokenDocumentIsRefused() async throws {
    try shell.write("{", to: "broken.json")
    let outcome = try await shell.run("evict compare broken.json broken.json")
    #expect(outcome.code == 65)
  }

  @Test(arguments: ["--time-growth 0", "--instruction-tolerance=-1", "--time-error 60"])
  func tolerancesOutOfRangeAreRefused(_ option: String) async throws {
    let outcome = try await shell.run("evict compare a.json b.json \(option)")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("is out of range"))
  }

  @Test func speedIsMeasuredTwiceAlike() async throws {
    let line = "\(sweep) --speed 2 --no-yardstick"
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
      "evict sweep - --policy lru --capacity 2 --speed 1 < tiny.txt")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("standard input ends"))
  }
}

import EvictionLab
import Foundation
import Results
import Testing

/// `evict compare`, `evict check` and `evict speed`, as processes.
@Suite struct CheckCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  let sweep = "evict sweep tiny.txt --policy lru,fifo --capacity 2 --format json"

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
      other.errors.hasPrefix(
        "evict: the results are better than base.json; other.json: the hit ratio of "), "\(other)")
    #expect(try shell.read("base.json") == base)
  }

  @Test func baselineIsReplacedOnlyWhenAsked() async throws {
    #expect(try await shell.run("\(sweep) --output base.json").code == 0)
    let base = try shell.read("base.json")
    try shell.write(base.replacing("\"hits\": 2", with: "\"hits\": 4"), to: "other.json")
    let outcome = try await shell.run("evict check base.json --baseline other.json --update")
    #expect(outcome.code == 0 && outcome.errors == "evict: other.json: a new baseline of 2 runs\n")
    #expect(outcome.output.contains("hits"))
    #expect(try shell.read("other.json").contains("\"hits\": 2"))
    // Nothing fails, so there is no error.
    try shell.write(base.replacing("\"hits\": 2", with: "\"hits\": 4"), to: "other.json")
    let annotated = try await shell.run(
      "evict check base.json --baseline other.json --update --format github")
    #expect(annotated.code == 0 && annotated.output.hasPrefix("::warning title=hits of lru::"))
    #expect(!annotated.output.contains("::error"), "\(annotated)")
  }

  @Test func onlyRowsThatDifferChangeInABaseline() async throws {
    #expect(try await shell.run("\(sweep) --output now.json").code == 0)
    let ratios = (0..<12).map { 1 + 0.01 * Double($0) }
    func results(_ step: Double, _ instructions: [Int]) throws -> String {
      var results = try ResultSet(reading: shell.read("now.json").utf8, file: "now.json")
      for index in results.measurements.indices {
        results.measurements[index].speed = SpeedFigures(
          instructions: instructions[index], ratios: ratios.map { $0 + step })
      }
      return results.json.document
    }
    for (step, instructions) in [(0.0, [1000, 1000]), (0.001, [1001, 2000])] {
      try shell.write(results(step, instructions), to: "speed.json")
      let made = try await shell.run("evict check speed.json --baseline base.json --update")
      #expect(made.code == 0, "\(made)")
    }
    let rows = try ResultSet(reading: shell.read("base.json").utf8, file: "base.json").measurements
    #expect(rows.map(\.speed?.instructions) == [1000, 2000])
    #expect(rows.map(\.speed?.ratios.first) == [1, 1.001])
  }

  @Test func resultsThatContradictThemselvesAreNoBaseline() async throws {
    #expect(try await shell.run("\(sweep) --output now.json").code == 0)
    try shell.write(
      shell.read("now.json").replacing("\"hits\": 2", with: "\"hits\": 4"), to: "other.json")
    for baseline in ["new.json", "now.json"] {
      let outcome = try await shell.run(
        "evict check other.json --baseline \(baseline) --update --format github")
      #expect(outcome.code == 65)
      #expect(outcome.errors.contains("does not follow from its other values; measure it again"))
      #expect(outcome.output.hasPrefix("::error::other.json: the hit ratio of "), "\(outcome)")
    }
    #expect(try shell.read("now.json").contains("\"hits\": 2"))
    #expect(throws: (any Error).self) { try shell.read("new.json") }
  }

  /// As a merge of two branches leaves it, and a write that was cut off.
  @Test func unreadableBaselinesAreReplacedWhenAsked() async throws {
    #expect(try await shell.run("\(sweep) --output now.json").code == 0)
    let now = try shell.read("now.json")
    let side = now.split(separator: "\n", omittingEmptySubsequences: false)
    let conflict = side[..<2] + ["<<<<<<< HEAD"] + side[2..<5] + ["======="] + side[2...]
    let cut = String(now.split(separator: "\"results\"")[0])
    for (broken, problem) in [
      (conflict.joined(separator: "\n"), "has conflict markers of a merge"),
      ("<<<<<<< HEAD\n\(now)=======\n\(now)>>>>>>> other\n", "has conflict markers of a merge"),
      (cut, "is cut off at byte \(cut.utf8.count)"), ("", "is empty"),
      (now.replacing("],", with: "},"), "byte "),
    ] {
      try shell.write(broken, to: "base.json")
      let closed = try await shell.run("evict check now.json --baseline base.json --format github")
      #expect(
        closed.code == 65 && closed.output.hasPrefix("::error::base.json: \(problem)"), "\(closed)")
      #expect(closed.errors.hasSuffix("; make it anew with --update\n"), "\(closed)")
      let report = try await shell.run("evict check now.json --baseline base.json --format junit")
      #expect(report.code == 65 && report.output.contains("<error message=\"base.json: "))
      let outcome = try await shell.run("evict check now.json --baseline base.json --update")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(
        outcome.errors.hasPrefix("evict: what was there is not compared: base.json: \(problem)"))
      #expect(outcome.errors.hasSuffix("\nevict: base.json: a new baseline of 2 runs\n"))
      #expect(try await shell.run("evict check now.json --baseline base.json").code == 0)
    }
  }

  /// An error is not written over the file that the report may not be written to.
  @Test func reportsOfErrorsReplaceNoInput() async throws {
    #expect(try await shell.run("\(sweep) --output now.json").code == 0)
    let now = try shell.read("now.json")
    try shell.write(now, to: "base.json")
    for command in ["check now.json --baseline base.json", "compare now.json base.json"] {
      for form in ["github", "junit"] {
        let outcome = try await shell.run("evict \(command) --format \(form) --output base.json")
        #expect(outcome.code != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(try shell.read("base.json") == now)
      }
    }
  }

  @Test func baselineIsMadeWhereThereIsNone() async throws {
    #expect(try await shell.run("\(sweep) --output now.json").code == 0)
    #expect(
      try await shell.run("evict check now.json --baseline base.json --update")
        == Outcome(output: "", errors: "evict: base.json: a new baseline of 2 runs\n"))
    #expect(try await shell.run("evict check now.json --baseline base.json").code == 0)
  }

  @Test func baselinesOfTheSameResultsAreEqual() async throws {
    var bases: [String] = []
    for name in ["a", "b"] {
      let made = try await shell.run(
        "\(sweep) --output now.json && evict check now.json --baseline \(name).json --update")
      #expect(made.code == 0)
      bases.append(try shell.read("\(name).json"))
    }
    #expect(bases[0] == bases[1])
    #expect(bases[0].contains("\"date\": \"\"") && bases[0].contains("\"seconds\": 0.0"))
  }

  @Test func stoppedResultsAreSaidAndAreNoBaseline() async throws {
    #expect(try await shell.run("\(sweep) --output base.json").code == 0)
    let base = try shell.read("base.json")
    try shell.write(
      String(base.dropLast(3)) + ",\n  \"complete\": false\n}\n", to: "stopped.json")
    #expect(try !ResultSet(reading: shell.read("stopped.json").utf8, file: "s").isComplete)
    #expect(
      try await shell.run("evict check stopped.json --baseline base.json --update")
        == Outcome(
          output: "",
          errors: "evict: stopped.json: is not complete, and no baseline; "
            + "run it to its end (sweep --resume)\n", code: 65))
    #expect(try shell.read("base.json") == base)
    for (line, words) in [
      ("stopped.json --baseline base.json", "the new results"),
      ("base.json --baseline stopped.json", "the results before"),
    ] {
      let outcome = try await shell.run("evict check \(line)")
      let sentence = "\(words) are not complete; run them to their end (sweep --resume)"
      #expect(
        outcome.output == "failure: \(sentence)\n2 runs compared: 1 failure\n")
      #expect(outcome.code == 1 && outcome.errors.hasSuffix(": \(sentence)\n"))
    }
    let compared = try await shell.run("evict compare base.json stopped.json")
    #expect(
      compared.code == 0 && compared.output.hasPrefix("advice: the new results are not complete"))
  }

  @Test func comparisonNeverFails() async throws {
    #expect(try await shell.run("\(sweep) --output a.json").code == 0)
    try shell.write(
      shell.read("a.json").replacing("\"hits\": 2", with: "\"hits\": 4"), to: "b.json")
    let outcome = try await shell.run("evict compare a.json b.json --format github")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("::warning title=hits of lru::"))
  }

  @Test func gateClosesForOnePointOfACurve() async throws {
    let curve = "evict curve tiny.txt --policy lru,arc --points 3 --format json"
    #expect(try await shell.run("\(curve) --output base.json").code == 0)
    let same = try await shell.run("\(curve) | evict check - --baseline base.json")
    #expect(same == Outcome(output: "2 runs compared: nothing differs\n"))
    let base = try shell.read("base.json")
    let other = base.replacing("[[1, 1.0, ", with: "[[1, 0.875, ", maxReplacements: 1)
    #expect(other != base)
    try shell.write(other, to: "other.json")
    let outcome = try await shell.run("evict check other.json --baseline base.json --format github")
    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        "::error title=miss ratio of lru::lru curve on tiny.txt: miss ratio 1 → 0.875 "
          + "(-12.50 %25), better: at 1\n"), "\(outcome)")
    #expect(
      outcome.errors.hasSuffix("base.json; if that is meant, run this again with --update\n"))
  }

  /// Steps before this one may have written the file, too.
  @Test func annotationsComeWithATableInTheSummaryOfTheStep() async throws {
    #expect(try await shell.run("\(sweep) --output a.json").code == 0)
    try shell.write(
      shell.read("a.json").replacing("\"hits\": 2", with: "\"hits\": 4"), to: "b.json")
    try shell.write("before\n", to: "summary.md")
    let compare = "GITHUB_STEP_SUMMARY=summary.md evict compare a.json b.json"
    #expect(try await shell.run("\(compare) --format table").code == 0)
    #expect(try shell.read("summary.md") == "before\n")
    #expect(try await shell.run("\(compare) --format github").code == 0)
    let markdown = try await shell.run("evict compare a.json b.json --format markdown")
    #expect(try shell.read("summary.md") == "before\n" + markdown.output + "\n")
    let refused = try await shell.run(
      "GITHUB_STEP_SUMMARY=no/summary.md evict compare a.json b.json --format github")
    #expect(refused.code == 74 && refused.errors.contains("no/summary.md: cannot write"))
  }

  @Test func gateClosesWhereNothingIsCompared() async throws {
    #expect(try await shell.run("\(sweep) --output base.json").code == 0)
    try shell.write(ResultSet().json.document, to: "empty.json")
    let outcome = try await shell.run("evict check empty.json --baseline empty.json")
    #expect(
      outcome
        == Outcome(
          output: """
            failure: no run could be compared; is this the baseline of these results?
            no run compared: 1 failure

            """,
          errors: "evict: empty.json against empty.json: no run could be compared; "
            + "is this the baseline of these results?\n", code: 1))
    #expect(try await shell.run("evict check empty.json --baseline base.json").code == 1)
    #expect(try await shell.run("evict compare empty.json empty.json").code == 0)
  }

  @Test func instructionsThatAreGoneAreSaid() async throws {
    let line = "\(sweep) --no-yardstick --output"
    #expect(try await shell.run("\(line) bare.json").code == 0)
    let bare = try shell.read("bare.json")
    let counted = bare.replacing(
      "\"distanceToOptimum\": null",
      with: "\"distanceToOptimum\": null, \"speed\": {\"instructions\": 9, \"ratios\": []}")
    #expect(counted != bare)
    try shell.write(counted, to: "counted.json")
    let advice = try await shell.run("evict check bare.json --baseline counted.json")
    let sentence =
      "instructions of 2 runs are not compared: the new results have none; "
      + "use evict speed where valgrind is installed"
    #expect(
      advice
        == Outcome(output: "advice: \(sentence)\n2 runs compared: nothing differs\n"))
    let failure = try await shell.run(
      "evict check bare.json --baseline counted.json --require-instructions")
    #expect(
      failure
        == Outcome(
          output: "failure: \(sentence)\n2 runs compared: 1 failure\n",
          errors: "evict: bare.json against counted.json: \(sentence)\n", code: 1))
  }

  @Test func instructionsThatWereNeverCountedCloseTheGate() async throws {
    #expect(try await shell.run("\(sweep) --output base.json").code == 0)
    let line = "evict check base.json --require-instructions --baseline"
    let sentence =
      "no instructions were counted: install valgrind, and measure the results and the baseline with "
      + "evict speed"
    #expect(
      try await shell.run("\(line) base.json")
        == Outcome(
          output: "failure: \(sentence)\n2 runs compared: 1 failure\n",
          errors: "evict: base.json against base.json: \(sentence)\n", code: 1))
    let made = try await shell.run("\(line) new.json --update")
    #expect(made.code == 65 && made.errors.contains("is no baseline for --require-instructions"))
    #expect(throws: (any Error).self) { try shell.read("new.json") }
  }

  @Test func missingBaselineIsNamed() async throws {
    #expect(try await shell.run("\(sweep) --output a.json").code == 0)
    let outcome = try await shell.run("evict check a.json --baseline none.json")
    #expect(outcome.code == 66)
    #expect(
      outcome.errors
        == "evict: none.json: there is no such baseline; check the path, or make it with --update\n"
    )
  }

  @Test func brokenDocumentIsRefused() async throws {
    try shell.write("{", to: "broken.json")
    let outcome = try await shell.run("evict compare broken.json broken.json")
    #expect(outcome.code == 65)
  }

  @Test(arguments: ["--time-tolerance 0", "--instruction-tolerance=-1", "--time-error 60"])
  func tolerancesOutOfRangeAreRefused(_ option: String) async throws {
    let outcome = try await shell.run("evict compare a.json b.json \(option)")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("is out of range"))
  }
}

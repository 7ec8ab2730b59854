import Experiments
import Reports
import ResultSamples
import Results
import Runner
import Testing

/// Documents of shares as one document.
@Suite struct SweepMergeTests {
  static let sweep = SharedSweep()
  static let whole = Result { try sweep.results() }

  static func part(_ share: String) throws -> SweepMerge.Part {
    try .init(file: share, results: sweep.results(share))
  }

  static func unmeasured(_ share: String) throws -> SweepMerge.Part {
    try .init(file: share, results: sweep.unmeasured(share))
  }

  static func parts(_ count: Int) throws -> [SweepMerge.Part] {
    try (1...count).map { try part("\($0)/\(count)") }
  }

  static func message(_ parts: [SweepMerge.Part]) -> String? {
    #expect(throws: PartitionError.self) { try SweepMerge(parts) }?.description
  }

  @Test(arguments: [1, 3, 10])
  func allSharesAreTheWhole(_ count: Int) throws {
    let whole = try Self.whole.get()
    #expect(whole.explanations.count == 3 * 4)
    let merge = try SweepMerge(Self.parts(count).reversed())
    #expect(merge.gaps.isEmpty)
    #expect(merge.results.json.document == whole.json.document)
  }

  @Test func partsMayOverlap() throws {
    let whole = try Self.whole.get()
    let merge = try SweepMerge(["2/2", "1/3", "2/3", "2/2"].map(Self.part))
    #expect(merge.results == whole)
  }

  @Test func documentIsReadBackAsItWas() throws {
    let results = try Self.sweep.results("2/3")
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
  }

  @Test func missingSharesAreNamedAndCanBeAddedLater() throws {
    let half = try SweepMerge(["1/4", "4/4"].map(Self.part))
    #expect(half.gaps == ["partitions 2–3 of 4 are missing"])
    #expect(!half.results.isComplete)
    #expect(half.results.json.document.hasSuffix("\"complete\": false\n}\n"))
    let more = try SweepMerge([
      Self.part("3/4"), .init(file: "half.json", results: half.results),
    ])
    #expect(more.gaps == ["partition 2/4 is missing"])
    let all = try SweepMerge([.init(file: "more.json", results: more.results), Self.part("2/4")])
    #expect(try all.results == Self.whole.get())
  }

  @Test func stoppedShareIsNamedAndCompletedByItsOtherHalf() throws {
    var (early, late) = (try Self.sweep.results("2/3"), try Self.sweep.results("2/3"))
    early.measurements.removeLast(6)
    late.measurements.removeFirst(20)
    early.isComplete = false
    late.isComplete = false
    let others = try [Self.part("1/3"), Self.part("3/3")]
    let stopped = try SweepMerge(others + [.init(file: "early", results: early)])
    #expect(stopped.gaps == ["partition 2/3 lacks 6 of its 32 cells"])
    #expect(!stopped.results.isComplete)
    let both = try SweepMerge([
      .init(file: "stopped", results: stopped.results), .init(file: "late", results: late),
    ])
    #expect(both.gaps.isEmpty)
    #expect(try both.results == Self.whole.get())
  }

  @Test func reportOfAPartSaysThatItIsOne() throws {
    let half = try SweepMerge([Self.part("1/2")])
    #expect(
      ReportFormats.all[0].render(half.results, style: .plain)
        .contains("\nNot the whole sweep: these are the 48 finished runs.\n"))
  }

  @Test func disagreementNamesFilesCellAndCounts() throws {
    var other = try Self.sweep.results("1/3")
    let hits = other.measurements[9].hits
    other.measurements[9].hits += 1
    #expect(
      try Self.message([Self.part("1/3"), .init(file: "x.json", results: other)]) == """
        1/3 and x.json disagree on lru at 20, seed 2 on a: \(hits) hits and \(hits + 1) hits; \
        measure it again
        """)
    other.measurements[9].hits = hits
    other.measurements[9].evictions = -1
    #expect(
      try Self.message([Self.part("1/3"), .init(file: "x.json", results: other)])?
        .hasSuffix("evictions and -1 evictions; measure it again") == true)
  }

  @Test func partsOfTwoSweepsAreRefused() throws {
    func message(_ change: (inout SharedSweep) -> Void) throws -> String? {
      var other = Self.sweep
      change(&other)
      return try Self.message([
        Self.unmeasured("1/3"), .init(file: "x.json", results: other.unmeasured("3/3")),
      ])
    }
    func differs(_ what: String) -> String {
      "x.json and 1/3 are of two sweeps: they differ in \(what); merge parts of one"
    }
    #expect(try message { $0.names = ["a", "b", "d"] } == differs("traces"))
    #expect(try message { $0.policies = ["lru"] } == differs("policies"))
    #expect(try message { $0.capacities = [.count(3)] } == differs("capacities"))
    #expect(try message { $0.seeds = [1] } == differs("seeds"))
    #expect(
      try message { $0.options = [JSON.Member("warmup", .integer(5))] }
        == differs("warmup (5 and 0)"))
    #expect(
      try message { $0.options.append(JSON.Member("limit", .integer(5))) }
        == differs("limit (5 and not given)"))
  }

  @Test func partsOfTwoBuildsAreRefused() throws {
    var other = try Self.sweep.unmeasured("2/2")
    other.environment.commit = nil
    #expect(
      try Self.message([Self.unmeasured("1/2"), .init(file: "x.json", results: other)]) == """
        x.json was measured with 1 (build unknown, Swift), 1/2 with 1 (commit abc, build unknown, Swift), \
        which may count differently; \
        measure both with one, or give --accept-other-build if both are of one source
        """)
  }

  @Test func partsOfTwoBuildsAreMergedOnDemand() throws {
    var other = try Self.sweep.unmeasured("2/2")
    other.environment.build = "0123456789abcdef"
    let merge = try SweepMerge(
      [Self.unmeasured("1/2"), .init(file: "x.json", results: other)], acceptsOtherBuild: true)
    #expect(merge.notes.count == 1 && merge.notes[0].contains("build 0123456789ab"))
    #expect(
      merge.results.environment.others == [
        "1 (commit abc, build 0123456789ab, Swift) on fast, 2 cores, Linux"
      ])
  }

  @Test func traceOfTwoContentsIsRefused() throws {
    var other = Self.sweep
    other.changed = ["b"]
    #expect(
      try Self.message([
        Self.unmeasured("1/2"), .init(file: "x.json", results: other.unmeasured("2/2")),
      ])
        == """
        1/2 and x.json were measured on two traces that are called b; measure one of them again
        """)
  }

  @Test func whatIsNoPartIsRefused() throws {
    var other = try Self.sweep.results("2/2")
    other.measurements[0].capacity = 999
    #expect(
      try Self.message([Self.part("1/2"), .init(file: "x.json", results: other)])
        == "x.json: its sweep has no cell lru at 999, seed 1 on b; write the document again")
    #expect(
      Self.message([.init(file: "x.json", results: ResultSamples.results)]) == """
        x.json: is no document of a sweep that says what it is a part of; \
        write it with evict sweep --format json
        """)
  }

  @Test(arguments: [
    (
      #""share": "2/3""#, #""share": "4/3""#,
      "“share” of entry 1 of “shares” is not a partition such as 2/5"
    ),
    (
      #""seeds": [1, 2]"#, #""seeds": []"#,
      "“traces” of “plan” is not a list of traces for a sweep of 1 to 1000000000000 cells"
    ),
    (#""policies": ["lru""#, #""policies": [1"#, "“policies” of “plan” is not a list of texts"),
    (
      #""capacities": [2, 20, "#, #""capacities": [2, "#,
      "“capacities” of entry 2 of “traces” is not a list of 4 numbers"
    ),
    (
      #""cells": 32"#, #""cells": -1"#,
      "“cells” of entry 1 of “shares” is not a whole number from 0 to 9007199254740992"
    ),
  ])
  func damagedPlanIsRefused(_ whole: String, _ damaged: String, _ problem: String) throws {
    let text = try Self.sweep.unmeasured("2/3").json.document
    #expect(text.contains(whole))
    let refusal = #expect(throws: ResultSetError.self) {
      try ResultSet(reading: text.replacing(whole, with: damaged).utf8, file: "x")
    }
    #expect(refusal?.description == "x: \(problem); write the document again")
  }
}

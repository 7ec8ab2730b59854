import EvictionLab
import Foundation
import Testing
import Traces

/// `evict trace convert`, `sample`, `filter` and `generate`, as processes.
@Suite struct TraceCommandTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.write(
      "time,key,size,op\n0,1,10,get\n1,2,20,set\n5,1,10,get\n9,3,30,get\n12,1,10,delete\n",
      to: "ops.csv")
    try shell.write("1 4 0 0\n1 2 0 0\n9 1 0 0\n", to: "a.lis")
  }

  /// The folder of the bundled traces.
  private static let bundled = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("traces").path

  /// Runs a line; how many bytes were written how fast is masked.
  private func run(_ line: String) async throws -> Outcome {
    var outcome = try await shell.run(line.replacing("TRACES", with: Self.bundled))
    outcome.errors.replace(/[0-9]+ bytes, [0-9.]+ s/, with: "…")
    return outcome
  }

  @Test(arguments: TraceWriter.formats)
  func aTraceIsConvertedToEveryFormat(_ format: String) async throws {
    let converted = try await run("evict trace convert a.lis --to \(format) --output out")
    #expect(converted == Outcome(output: "", errors: "evict: out: 7 requests as \(format), …\n"))
    let hits = "--policy lru --capacity 2,4 --format csv | cut -d , -f 5,8,9"
    let here = try await run("evict sweep a.lis \(hits)")
    let there = try await run("evict sweep out --trace-format \(format) \(hits)")
    #expect(here == there && here.output.hasPrefix("capacity,requests,hits\n"))
  }

  @Test func whatAFormatHasNoPlaceForIsNamed() async throws {
    let convert =
      "evict trace convert ops.csv --trace-format csv:key=key:time=time:size=size:operation=op"
    #expect(
      try await run("\(convert) --output o.oracleGeneral")
        == Outcome(
          output: "",
          errors: """
            evict: o.oracleGeneral: 5 requests as oracleGeneral, …
            evict: o.oracleGeneral: left out, as oracleGeneral has no place for them: operations, \
            key lengths

            """))
    #expect(
      try await run("\(convert) --output o.txt && cat o.txt")
        == Outcome(
          output: "1\n2\n1\n3\n1\n",
          errors: """
            evict: o.txt: 5 requests as plain, …
            evict: o.txt: left out, as plain has no place for them: sizes, times, operations

            """))
    let kept = try await run("\(convert) --output o.evtrace.zst")
    #expect(kept.errors == "evict: o.evtrace.zst: 5 requests as evt, …\n")
  }

  @Test func textKeysAreWrittenByEveryCommandThatWrites() async throws {
    let converted = try await run("evict trace convert tiny.txt --output - | cmp - tiny.txt")
    #expect(converted.code == 0 && converted.output.isEmpty)
    let sampled = try await run("evict trace sample tiny.txt --first 3 --output -")
    #expect(sampled.output == "a\nb\na\n")
    let filtered = try await run(
      "evict trace filter tiny.txt --policy lru --capacity 1 --output - --limit 4")
    #expect(filtered.output == "a\nb\na\nc\n")
    let hashes = try await run(
      "evict trace convert tiny.txt --output t.evtrace && evict trace convert t.evtrace --output x")
    #expect(
      hashes.code == 64
        && hashes.errors.hasSuffix(
          "t.evtrace can't be written as plain: the keys are texts, of which hashes alone are kept; "
            + "write evt: name the file .evtrace\n")
    )
  }

  @Test func publicTracesAreListedWhereverTheToolRuns() async throws {
    let listed = try await run("evict trace fetch --list")
    #expect(listed.code == 0 && listed.output.contains("\nOLTP.lis.zst "), "\(listed)")
    #expect(
      try await run("evict trace fetch --list --manifest no.json")
        == Outcome(output: "", errors: "evict: no.json: no such file; check the path\n", code: 66))
  }

  @Test func severalFilesAreOneTraceWhereverATraceIsNamed() async throws {
    try shell.write("9 1 0 0\n", to: "b.lis")
    let swept = try await run(
      "evict sweep a.lis+b.lis --policy lru --capacity 100 --format csv | cut -d , -f 2,8,9")
    #expect(swept.output == "trace,requests,hits\na.lis+b.lis,8,3\n")
    #expect(
      try await run("evict trace convert a.lis b.lis --output all.lis | cat; cat all.lis | tail -2")
        == Outcome(
          output: "9 1 0 0\n9 1 0 0\n", errors: "evict: all.lis: 8 requests as lis, …\n"))
    let document = try await run(
      "evict sweep a.lis+b.lis --policy lru --capacity 2 --format json --output r.json; "
        + "sha256sum a.lis b.lis | cut -c -64 | paste -sd +")
    let sums = document.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try shell.read("r.json").contains("\"sha256\": \"\(sums)\""))
    let verified = try await run(
      "evict policies vectors a.lis+b.lis --policy lru --capacity 2 --output v.json; "
        + "evict policies verify v.json")
    #expect(verified.output == "1 of 1 vectors agree\n")
    try shell.write("5\n", to: "a.lis+b.lis")
    let whole = try await run("evict trace convert a.lis+b.lis --trace-format lis --output x.lis")
    #expect(whole.errors.contains("a.lis+b.lis: line 1: not four numbers"))
  }

  @Test func aSampleSaysHowExactItIs() async throws {
    let sampled = try await run(
      "evict trace sample TRACES/search.txt.zst --rate 0.25 --output s.evtrace")
    #expect(sampled.code == 0)
    let lines = sampled.errors.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("evict: s.evtrace: "))
    #expect(
      lines[1].wholeMatch(
        of:
          /evict: kept \d+ of 120712 requests, \d+ of 4333 keys: R = 0.25; simulate R times the capacity/
      ) != nil, "\(lines[1])")
    #expect(
      lines[2].hasPrefix("evict: a hit ratio estimated from it has a standard error of about 0.")
        && lines[2].contains(" = √((1 − R) / 4n), n = "), "\(lines[2])")
    let few = try await run(
      "evict trace sample TRACES/search.txt.zst --keys 100 --output k.evtrace")
    #expect(few.errors.contains(", 100 of 4333 keys: R = 0.0"))
  }

  @Test func windowAndBeginningCombine() async throws {
    let columns = "--trace-format csv:key=key:time=time:size=size"
    let window = try await run(
      "evict trace sample ops.csv \(columns) --from 1s --to 0.2min --first 2 --output w.evtrace"
        + " && evict sweep w.evtrace --policy lru --capacity 9 --format csv | cut -d , -f 8,9")
    #expect(
      window
        == Outcome(
          output: "requests,hits\n1,0\n",
          errors: """
            evict: w.evtrace: 2 requests as evt, …
            evict: kept 2 requests for 2 keys; they are all there, so no sampling error is estimated

            """))
    let first = try await run("evict trace sample a.lis --first 3 --output -")
    #expect(first.output == "1\n2\n3\n")
  }

  @Test func missesAreTheSecondLevelsTrace() async throws {
    let filter =
      "evict trace filter TRACES/search.txt.zst --limit 20000 --policy arc --capacity 1000"
    let filtered = try await run(
      "\(filter) --output m.evtrace && \(filter) --hits --output h.evtrace")
    let swept = try await run(
      "evict sweep TRACES/search.txt.zst m.evtrace h.evtrace --limit 20000 --no-yardstick"
        + " --policy arc,infinite --capacity 1000 --format csv | cut -d , -f 2,3,8,9")
    let lines = swept.output.split(separator: "\n").map { $0.split(separator: ",") }
    func numbers(_ trace: String, _ policy: String) throws -> (requests: Int, hits: Int) {
      let line = try #require(lines.first { $0[0] == trace && $0[1] == policy })
      return (try #require(Int(line[2])), try #require(Int(line[3])))
    }
    let hits = try numbers("search.txt.zst", "arc").hits
    #expect(hits > 0)
    #expect(try numbers("m.evtrace", "arc").requests == 20_000 - hits)
    #expect(try numbers("h.evtrace", "arc").requests == hits)
    // Every key misses at its first request.
    let again = try numbers("search.txt.zst", "infinite").hits
    #expect(try numbers("m.evtrace", "infinite").hits == again - hits)
    let summary = "evict: arc at 1000 objects hits \(hits) of 20000 requests of search.txt.zst\n"
    #expect(filtered.errors.components(separatedBy: summary).count == 3)
  }

  @Test func writesPassThroughASizedCache() async throws {
    let columns = "--trace-format csv:key=key:time=time:size=size:operation=op"
    for (flag, count) in [("", 4), ("--hits", 1)] {
      let line = "evict trace filter ops.csv \(columns) --policy lru --capacity 64B \(flag)"
      let filtered = try await run("\(line) --output f.evtrace")
      #expect(
        filtered.errors == """
          evict: f.evtrace: \(count) requests as evt, …
          evict: lru at 64 bytes hits 1 of 3 requests of ops.csv

          """)
    }
  }

  @Test func phasesTimesAndSizesAreGenerated() async throws {
    let made = try await run(
      "evict trace generate --phase loop:keys=2:requests=3 --phase scan:requests=2 --disjoint"
        + " --times poisson:rate=10 --sizes uniform:min=5:max=9 --output g.oracleGeneral.zst"
        + " && evict trace convert g.oracleGeneral.zst --output - --to plain")
    #expect(made.output == "0\n1\n0\n2\n3\n")
    #expect(made.errors.hasPrefix("evict: g.oracleGeneral.zst: 5 requests as oracleGeneral, …\n"))
    let listed = try await run("evict formats")
    for name in ["stack-distance", "poisson", "lognormal"] {
      #expect(listed.output.contains("\n\(name) "), "\(name)")
    }
    #expect(try await run("evict formats pareto").output.contains("size distribution pareto"))
  }

  struct Case: CustomTestStringConvertible {
    let line: String
    let code: Int32
    let message: String

    init(_ line: String, _ code: Int32, _ message: String) {
      (self.line, self.code, self.message) = (line, code, message)
    }

    var testDescription: String { line }
  }

  private static let full =
    "/dev/full: cannot write: no space left on device; free some space"
  private static let noSpace = [
    "convert a.lis", "sample a.lis --first 2", "filter a.lis --policy lru --capacity 2",
    "generate scan:requests=9",
  ].map { Case("evict trace \($0) --output /dev/full", 74, full) }

  private static let missing = [
    "convert no", "sample no --rate 0.5", "filter no --policy lru --capacity 2",
  ].map { Case("evict trace \($0) --output x", 66, "no: no such file; check the path") }

  private static let broken = [
    "convert cut.lis", "sample cut.lis --rate 0.5", "filter cut.lis --policy lru --capacity 2",
  ].map {
    Case(
      "echo 7 > cut.lis; evict trace \($0) --trace-format lis --output x", 65,
      "cut.lis: line 1: not four numbers 'start count ignored request'; "
        + "correct the line or name another format")
  }

  private static let empty = [
    "convert cut.txt", "sample cut.txt --rate 0.5", "filter cut.txt --policy lru --capacity 2",
  ].map {
    Case(
      ": > cut.txt; evict trace \($0) --output x", 65,
      "cut.txt: 0 requests, at most a header or comments; fetch or record it again")
  }

  private static let usage = [
    Case(
      "evict trace convert a.lis --output x --to csv", 64,
      "traces are not written as 'csv'; choose one of \(TraceWriter.formats.joined(separator: ", "))"
    ),
    Case("evict trace convert a.lis --output no/x", 66, "no/: no such folder; make it first"),
    Case(
      "evict trace convert a.lis", 64,
      "Missing expected argument '--output <file>'; see evict trace convert --help"),
    Case(
      "evict trace sample a.lis --output x", 64,
      "nothing to leave out; give --rate, --keys, --first, --from or --to; "
        + "see evict trace sample --help"),
    Case(
      "evict trace sample a.lis --rate 1.5 --output x", 64,
      "The value '1.5' is invalid for '--rate <fraction>'; give more than 0 and at most 1, such as 0.01; "
        + "see evict trace sample --help"),
    Case(
      "evict trace sample a.lis --rate 0.5 --keys 2 --output x", 64,
      "give --rate or --keys, not both; see evict trace sample --help"),
    Case(
      "evict trace sample a.lis --keys 0 --output x", 64,
      "--keys 0 keeps nothing; give 1 or more; see evict trace sample --help"),
    Case(
      "evict trace sample a.lis --from 5min --to 60 --output x", 64,
      "--from is not before --to; see evict trace sample --help"),
    Case(
      "evict trace sample a.lis --from 5min --output x", 65,
      "a.lis: has no times; leave out --from and --to, or take --first n"),
    Case(
      "evict trace sample a.lis --rate 1e-9 --output x", 64,
      "a.lis: none of its 7 requests is kept; raise --rate or --keys"),
    Case(
      "evict trace filter a.lis --policy lru,arc --capacity 2 --output x", 64,
      "a stream passes through one cache; give one --policy and one --capacity; see evict --help"),
    Case(
      "evict trace filter a.lis --policy lru --capacity 1KiB --output x", 64,
      "a.lis has no sizes, so capacities cannot be bytes; give objects (1000) or a fraction (1%)"),
    Case(
      "evict trace filter a.lis --policy lru --capacity 1 --hits --output x", 64,
      "a.lis: no request hits; raise --capacity"),
    Case(
      "evict trace filter a.lis --policy lfu --output x", 64,
      "a stream passes through one cache; give one --policy and one --capacity; see evict --help"),
    Case(
      "evict trace generate --output x", 64,
      "give one generator, or phases with --phase; see evict trace generate --help"),
    Case(
      "evict trace generate scan --output x.csv", 64,
      "x.csv: no trace is written as '.csv'; end the name in one of .evtrace, .oracleGeneral, .lcs, "
        + ".lis, .plain, .txt"),
    Case(
      "evict trace generate scan --times daily --output x", 64,
      "no kind of arrival times is called “daily”; known are periodic, poisson"),
  ]

  @Test(arguments: noSpace + missing + broken + empty + usage)
  func oneLineSaysWhatIsWrong(_ wrong: Case) async throws {
    let outcome = try await shell.run(wrong.line)
    #expect(outcome == Outcome(output: "", errors: "evict: \(wrong.message)\n", code: wrong.code))
    let kept = try shell.files().filter { !["a.lis", "ops.csv", "tiny.txt"].contains($0) }
    #expect(kept.allSatisfy { $0.hasPrefix("cut") }, "nothing is left behind")
  }
}

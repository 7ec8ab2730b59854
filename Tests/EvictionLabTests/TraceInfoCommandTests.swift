import EvictionCore
import Results
import Testing

/// `evict trace info`, as a process.
@Suite struct TraceInfoCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func tableTellsEveryFigure() async throws {
    let outcome = try await shell.run("evict trace info tiny.txt --replicates 0")
    #expect(
      outcome.output.hasPrefix(
        """
        tiny.txt: one-hit wonders: 50.00 % of the keys come once, and 50.00 % of the requests miss \
        in every cache: admit what comes twice

          format               plain, told by its content
          requests             8
          distinct keys        4
          one-hit wonders      50.00 % of the keys, requested once

        """))
    #expect(
      outcome.output.hasSuffix(
        """

        distribution           mean  p10  p25  p50  p75  p90  p99  max
        reuse time, requests  2.750    2    2    2    3    4    4    4
        reuse distance, keys  1.500    1    1    1    2    2    2    2

        """))
    #expect(
      outcome.output.contains(
        "  top keys             a (50.00 %), b (25.00 %), c (12.50 %), d (12.50 %)\n"))
    #expect(outcome.errors == "" && outcome.code == 0)
  }

  @Test func documentHoldsEveryTrace() async throws {
    try shell.write("1\n2\n1\n2\n1\n2\n", to: "loop.txt")
    let outcome = try await shell.run("evict trace info tiny.txt loop.txt --format json")
    let document = try JSON(reading: outcome.output.utf8)
    #expect(document["schema"] == "evictionlab.trace/1")
    guard case .array(let traces) = document["traces"] else {
      Issue.record("no traces")
      return
    }
    #expect(traces.map { $0["name"] } == ["tiny.txt", "loop.txt"])
    #expect(traces.map { $0["distinct"] } == [.integer(4), .integer(2)])
    #expect(traces[1]["reading"] == "loop of 2 keys: LRU will fail below that size")
  }

  @Test func pageIsWrittenToAFile() async throws {
    let outcome = try await shell.run("evict trace info tiny.txt --format html --output tiny.html")
    #expect(outcome == Outcome(output: ""))
    #expect(try shell.read("tiny.html").hasPrefix("<!DOCTYPE html>\n"))
  }

  @Test func promptsThatCannotBeReadAreLeftOut() async throws {
    let lines = [1, 2].map { "{\"timestamp\": \($0), \"hash_ids\": [1, \($0 + 1)]}\n" }
    try shell.write(lines.joined(), to: "p.jsonl")
    let outcome = try await shell.run("evict trace info p.jsonl --format json")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("no input_length"))
    #expect(outcome.errors.contains("its prompts are left out"))
    #expect(outcome.output.contains("\"distinct\": 3"))
  }

  @Test func sameSeedGivesTheSameFigures() async throws {
    let line = "evict trace info tiny.txt --replicates 19 --seed 3 --format json"
    #expect(try await shell.run(line) == shell.run(line))
  }

  struct Wrong: CustomTestStringConvertible {
    let line: String
    let code: Int32
    let message: String
    var testDescription: String { line }
  }

  static let wrongs = [
    Wrong(
      line: "evict trace info", code: 64,
      message: "Missing expected argument '<trace> ...'; see evict trace info --help"),
    Wrong(
      line: "evict trace info tiny.txt --format xml", code: 64,
      message: "The value 'xml' is invalid for '--format <name>'. Please provide one of 'table', "
        + "'json' or 'html'; see evict trace info --help"),
    Wrong(
      line: "evict trace info tiny.txt --format jsn", code: 64,
      message: "The value 'jsn' is invalid for '--format <name>'; did you mean json? "
        + "See evict trace info --help"),
    Wrong(
      line: "evict trace info tiny.txt --replicates 1e9", code: 64,
      message: "--replicates 1000000000 is out of range; give 0 to 100000; "
        + "see evict trace info --help"),
    Wrong(
      line: "evict trace info nope.txt", code: 66, message: "nope.txt: no such file; check the path"
    ),
    Wrong(
      line: ": > empty && evict trace info empty", code: 65,
      message: "empty: 0 requests, at most a header or comments; fetch or record it again"),
    Wrong(
      line: "head -c 100 /dev/zero > cut.oracleGeneral.bin && "
        + "evict trace info cut.oracleGeneral.bin", code: 65,
      message: "cut.oracleGeneral.bin: byte 96: 4 bytes are left of a record of 24; "
        + "the file is cut off, fetch or record it again"),
    Wrong(
      line: "printf 'time,key\\n1,a\\n' > t.csv && "
        + "evict trace info t.csv --trace-format csv:key=lbn", code: 64,
      message: "t.csv: there is no column 'lbn' for csv:key; the file has time, key"),
    Wrong(
      line: "gzip -c tiny.txt | head -c 20 > cut.gz && evict trace info cut.gz", code: 65,
      message:
        "cut.gz: byte 20: the gzip data ends too early; the file is cut off, fetch or record it again"
    ),
    Wrong(
      line: "evict trace info tiny.txt --output nope/x", code: 66,
      message: "nope/: no such folder; make it first"),
  ]

  @Test(arguments: wrongs) func oneLineSaysWhatIsWrong(_ wrong: Wrong) async throws {
    let outcome = try await shell.run(wrong.line)
    #expect(
      outcome == Outcome(output: "", errors: "evict: \(wrong.message)\n", code: wrong.code))
  }
}

import ArgumentParser
import EvictionLab
import Testing

/// `evict sweep` in shares, merged, and resumed.
@Suite struct SweepSharingTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.write("x\ny\nx\nz\nx\ny\n", to: "other.txt")
  }

  private static let options = "--policy lru,fifo,slru:protected=0.5 --capacity 1,2,75% --explain"
  private static let sweep = "evict sweep tiny.txt other.txt " + options

  /// A file without what differs from run to run.
  private func timeless(_ file: String) throws -> String {
    var text = try shell.read(file)
    text.replace(/"(seconds|requestsPerSecond)": [0-9.e+-]+/, with: "")
    text.replace(/"date": "[^"]*"/, with: "")
    return text
  }

  @Test func mergedSharesAreTheFileOfTheWholeSweep() async throws {
    let outcome = try await shell.run(
      """
      \(Self.sweep) --format json --output all.json && \
      for i in 3 1 2; do \(Self.sweep) --shard $i/3 --output $i.json || exit; done && \
      evict sweep --merge 3.json - 2.json --output merged.json < 1.json
      """)
    #expect(outcome == Outcome(output: ""))
    let whole = try timeless("all.json")
    #expect(whole.contains("\"command\": \"evict sweep tiny.txt other.txt \(Self.options)\""))
    #expect(whole.contains("\"references\""))
    #expect(whole.contains("\"explanations\""))
    #expect(try timeless("merged.json") == whole)
    #expect(try timeless("2.json").contains("--explain --shard 2/3\""))
    #expect(try timeless("2.json").contains("\"shares\": [{\"share\": \"2/3\", \"cells\": 6}]"))

    let some = try await shell.run("evict sweep --merge 3.json 1.json --output some.json")
    #expect(
      some
        == Outcome(
          output: "",
          errors: """
            evict: the merged sweep is not complete: partition 2/3 is missing; run what is missing and \
            merge again

            """, code: 1))
    #expect(try shell.read("some.json").hasSuffix("\"complete\": false\n}\n"))
    let both = try await shell.run("evict sweep --merge some.json 2.json --output both.json")
    #expect(both == Outcome(output: ""))
    #expect(try timeless("both.json") == whole)
  }

  @Test func shareReadsOnlyItsTraces() async throws {
    let sweep = "evict sweep tiny.txt nope.txt --policy lru --capacity 1,2 --format csv"
    let outcome = try await shell.run(sweep + " --shard 1/2 | cut -d , -f 2,5,9")
    #expect(outcome == Outcome(output: "trace,capacity,hits\ntiny.txt,1,0\ntiny.txt,2,2\n"))
    let other = try await shell.run(sweep + " --shard 2/2")
    #expect(other.errors == "evict: nope.txt: no such file; check the path\n")
  }

  @Test func sweepIsResumedWhereItsDocumentEnds() async throws {
    let outcome = try await shell.run(
      """
      \(Self.sweep) --resume --output all.json && cp all.json some.json && \
      sed -i '/"fifo".*"capacity": 2,/d; s/^}$/,"complete": false}/' some.json && \
      \(Self.sweep) --resume --output some.json
      """)
    #expect(outcome == Outcome(output: "", errors: "evict: some.json holds 13 of 15 cells\n"))
    #expect(try timeless("some.json") == timeless("all.json"))
    // What was there keeps its times, to the digit.
    let (all, some) = (try shell.read("all.json"), try shell.read("some.json"))
    let kept = all.split(separator: "\n").filter {
      $0.contains("\"policy\": \"lru\"") && some.contains($0)
    }
    #expect(kept.count == 5 + 2)
  }

  @Test func resumingWithMorePoliciesAndAChangedTraceRunsWhatIsNew() async throws {
    let sweep = "evict sweep tiny.txt other.txt --capacity 2 --resume --output r.json --policy"
    let outcome = try await shell.run(
      """
      \(sweep) lru && echo x >> other.txt && \(sweep) fifo,lru && \
      evict report r.json --format csv | cut -d , -f 2,3,8,9
      """)
    #expect(
      outcome
        == Outcome(
          output: """
            trace,policy,requests,hits
            tiny.txt,fifo,8,1
            tiny.txt,lru,8,2
            other.txt,fifo,7,2
            other.txt,lru,7,3

            """,
          errors: """
            evict: other.txt has changed since r.json was written; its cells are run again
            evict: r.json holds 1 of 4 cells

            """))
  }

  private static let lru = "evict sweep tiny.txt --policy lru --capacity 1,3"

  @Test func partsThatDoNotFitAreRefused() async throws {
    _ = try await shell.run("\(Self.lru) --shard 1/2 --output 1.json")
    for (edit, message) in [
      (
        "s/\"hits\": 0/\"hits\": 5/",
        "1.json and x.json disagree on lru at 1 on tiny.txt: 0 hits and 5 hits; measure it again"
      ),
      (
        "s/\"warmup\": 0/\"warmup\": 1/",
        "x.json and 1.json are of two sweeps: they differ in warmup (1 and 0); merge parts of one"
      ),
    ] {
      let outcome = try await shell.run(
        "sed '\(edit)' 1.json > x.json; evict sweep --merge 1.json x.json --output all.json")
      #expect(outcome == Outcome(output: "", errors: "evict: \(message)\n", code: 65))
    }
    #expect(try !shell.files().contains("all.json"))
  }

  @Test func resultsThatWouldBeLostAreKept() async throws {
    let outcome = try await shell.run(
      """
      \(Self.lru) --format json --output all.json; cp all.json copy.json
      evict sweep tiny.txt --policy lru --capacity 1 --resume --output all.json; echo $?
      cmp all.json copy.json
      """)
    #expect(
      outcome
        == Outcome(
          output: "65\n",
          errors: """
            evict: all.json: holds lru at 3 on tiny.txt, which this command does not run and would lose; \
            write to another file

            """))
  }

  /// A stream goes on from its journal alone, and does not replace what a document holds.
  @Test func aStreamKeepsTheDocumentsCells() async throws {
    let outcome = try await shell.run(
      """
      \(Self.lru) --format json --output all.json; cp all.json copy.json
      evict sweep tiny.txt --policy lru --capacity 1 --stream --resume --output all.json; echo $?
      cmp all.json copy.json; ls
      """)
    #expect(outcome.output.hasPrefix("64\n") && !outcome.output.contains("journal"), "\(outcome)")
    #expect(
      outcome.errors.hasSuffix(
        "and a stream goes on from its journal alone, which holds none; leave out --stream, or give "
          + "--output another name\n"), "\(outcome)")
  }

  @Test(arguments: [
    ErrorTests.Case(
      "evict sweep --merge tiny.txt --policy lru", 64,
      "--merge takes documents as they are; leave out --policy; see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep --merge tiny.txt", 65,
      "tiny.txt: byte 0: expected a value; is this a document of “evictionlab.results/1”?"),
    ErrorTests.Case(
      "evict sweep other.txt --resume --output tiny.txt", 64,
      "tiny.txt holds a trace, which a JSON document would replace; give --output another name, or "
        + "remove the file first"),
    ErrorTests.Case(
      "evict sweep tiny.txt ./tiny.txt --shard 1/2", 64,
      "two traces are called tiny.txt, and results could not tell them apart; leave one out"),
  ])
  func whatIsNoDocumentIsLeftAsItIs(_ wrong: ErrorTests.Case) async throws {
    let tiny = try shell.read("tiny.txt")
    let outcome = try await shell.run(wrong.line)
    #expect(outcome == Outcome(output: "", errors: "evict: \(wrong.message)\n", code: wrong.code))
    #expect(try shell.read("tiny.txt") == tiny)
    #expect(try shell.files() == ["other.txt", "tiny.txt"])
  }

  @Test(arguments: [
    (
      "t --shard 3/2",
      "“3/2” is no partition; give i/n with i from 1 to n, such as 2/5, and n up to 1000000"
    ),
    ("t --resume", "--resume goes on with a document; name its file with --output"),
    ("t --resume --output -", "--resume goes on with a document; name its file with --output"),
    (
      "t --resume --output x --format csv",
      "--resume reads what it wrote; leave out --format or make it json"
    ),
    (
      "- --resume --output x",
      "--resume knows a trace by its file, not standard input; give a file"
    ),
    ("--merge", "Missing expected argument '<trace> ...'"),
  ])
  func oneLineSaysWhatIsWrong(_ arguments: String, _ message: String) throws {
    let words = ["sweep"] + arguments.split(separator: " ").map(String.init)
    let error = try #require(
      #expect(throws: (any Error).self) { try EvictionLabCommand.parseAsRoot(words) })
    let ending = Ending(of: error)
    #expect(ending.message == message + "; see evict sweep --help")
    #expect(ending.code == 64)
  }
}

import Laboratory
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
      for i in 3 1 4 2; do \(Self.sweep) --shard $i/4 --output $i.json || exit; done && \
      evict sweep --merge 1.json 2.json 3.json 4.json --output merged.json
      """)
    #expect(outcome == Outcome(output: ""))
    let whole = try timeless("all.json")
    #expect(whole.contains("\"command\": \"evict sweep tiny.txt other.txt \(Self.options)\""))
    #expect(whole.contains("\"references\""))
    #expect(whole.contains("\"explanations\""))
    #expect(try timeless("merged.json") == whole)
    #expect(try timeless("3.json").contains("--explain --shard 3/4\""))
    #expect(try timeless("3.json").contains("\"shares\": [{\"share\": \"3/4\", \"cells\": "))
  }

  @Test func shareReadsOnlyItsTraces() async throws {
    let outcome = try await shell.run(
      "evict sweep tiny.txt nope.txt --policy lru --capacity 1,2 --shard 1/2 --format csv"
        + " | cut -d , -f 2,5,9")
    #expect(outcome == Outcome(output: "trace,capacity,hits\ntiny.txt,1,0\ntiny.txt,2,2\n"))
    let other = try await shell.run(
      "evict sweep tiny.txt nope.txt --policy lru --capacity 1,2 --shard 2/2")
    #expect(other.errors == "evict: nope.txt: no such file; check the path\n")
  }

  @Test func missingShareIsSaidAndTheDocumentIsNotComplete() async throws {
    let outcome = try await shell.run(
      """
      for i in 1 2 4; do \(Self.sweep) --shard $i/4 --output $i.json || exit; done
      evict sweep --merge 4.json - 2.json --output some.json < 1.json
      tail -2 some.json
      evict sweep --merge 1.json --format csv | wc -l
      """)
    #expect(
      outcome
        == Outcome(
          output: "  \"complete\": false\n}\n5\n",
          errors: """
            evict: share 3/4 is missing; the document is not complete
            evict: shares 2–4 of 4 are missing; the document is not complete

            """))
  }

  @Test func sweepIsResumedWhereItsDocumentEnds() async throws {
    let outcome = try await shell.run(
      """
      \(Self.sweep) --resume --output all.json && cp all.json some.json && \
      sed -i '/"fifo".*"capacity": 2,/d; s/^}$/,"complete": false}/' some.json && \
      \(Self.sweep) --resume --output some.json && \(Self.sweep) --resume --output some.json
      """)
    #expect(
      outcome
        == Outcome(
          output: "",
          errors: """
            evict: some.json holds 13 of 15 cells
            evict: some.json holds 15 of 15 cells

            """))
    #expect(try timeless("some.json") == timeless("all.json"))
    // What was there keeps its times, to the digit.
    let (all, some) = (try shell.read("all.json"), try shell.read("some.json"))
    let kept = all.split(separator: "\n").filter {
      $0.contains("\"policy\": \"lru\"") && some.contains($0)
    }
    #expect(kept.count == 5 + 2)
  }

  @Test func resumingWithMorePoliciesAndAChangedTraceRunsWhatIsNew() async throws {
    let outcome = try await shell.run(
      """
      evict sweep tiny.txt other.txt --policy lru --capacity 2 --resume --output r.json && \
      evict sweep tiny.txt other.txt --policy fifo,lru --capacity 2 --resume --output r.json && \
      echo x >> other.txt && \
      evict sweep tiny.txt other.txt --policy fifo,lru --capacity 2 --resume --output r.json && \
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
            evict: r.json holds 2 of 4 cells
            evict: other.txt has changed since r.json was written; its cells are run again
            evict: r.json holds 2 of 4 cells

            """))
  }

  @Test func shareIsResumed() async throws {
    let share = Self.sweep + " --shard 1/2 --resume --output 1.json"
    let outcome = try await shell.run("\(share) && \(share)")
    #expect(outcome == Outcome(output: "", errors: "evict: 1.json holds 9 of 9 cells\n"))
    #expect(try shell.read("1.json").contains("\"shares\": [{\"share\": \"1/2\", \"cells\": 9}]"))
  }

  @Test func partsThatDoNotFitAreRefused() async throws {
    let lru = "evict sweep tiny.txt --policy lru --capacity 1,2"
    let shares = try await shell.run(
      "\(lru) --shard 1/2 --output 1.json && \(lru) --shard 2/2 --output 2.json"
        + " && \(lru) --format json --output 3.json")
    #expect(shares == Outcome(output: ""))
    let cases = [
      (
        "3.json", "s/\"hits\": 0/\"hits\": 5/",
        "1.json and x.json disagree on lru at 1 on tiny.txt: 0 hits and 5 hits; measure it again"
      ),
      (
        "2.json", "s/\"capacities\": ..1\", \"2\"./\"capacities\": [\"1\", \"02\"]/",
        "x.json and 1.json are of two sweeps: they differ in capacities; merge parts of one"
      ),
      (
        "2.json", "s/\"warmup\": 0/\"warmup\": 1/",
        "x.json and 1.json are of two sweeps: they differ in warmup (1 and 0); merge parts of one"
      ),
      (
        "2.json", "s/\"commit\": null/\"commit\": \"abc\"/",
        "x.json was measured with 0.1.0 (commit abc), 1.json with 0.1.0, which may count "
          + "differently; measure both with one"
      ),
      (
        "2.json", "s/\"sha256\": \"1/\"sha256\": \"2/",
        "1.json and x.json were measured on two traces that are called tiny.txt; "
          + "measure one of them again"
      ),
      (
        "2.json", "/\"plan\"/s/.*/\"complete\": true/",
        "x.json: is no document of a sweep that says what it is a part of; "
          + "write it with evict sweep --format json"
      ),
    ]
    for (file, edit, message) in cases {
      let outcome = try await shell.run(
        "sed '\(edit)' \(file) > x.json; evict sweep --merge 1.json x.json --output all.json")
      #expect(outcome == Outcome(output: "", errors: "evict: \(message)\n", code: 65))
      #expect(try !shell.files().contains("all.json"))
    }
  }

  @Test func resultsThatWouldBeLostAreKept() async throws {
    let sweep = "evict sweep tiny.txt --policy lru"
    _ = try await shell.run("\(sweep) --capacity 1,3 --format json --output all.json")
    let all = try shell.read("all.json")
    for (options, message) in [
      (
        "--capacity 1,3 --warmup 1",
        "all.json and this command are of two sweeps: they differ in warmup (0 and 1); "
          + "write to another file"
      ),
      (
        "--capacity 1",
        "all.json: holds lru at 3 on tiny.txt, which is not asked for and would be lost; "
          + "write to another file"
      ),
    ] {
      let outcome = try await shell.run("\(sweep) \(options) --resume --output all.json")
      #expect(outcome == Outcome(output: "", errors: "evict: \(message)\n", code: 65))
      #expect(try shell.read("all.json") == all)
    }
  }

  static let wrong = [
    ErrorTests.Case(
      "evict sweep tiny.txt --shard 3/2", 64,
      "“3/2” is no share; give i/n with i from 1 to n, such as 2/5, and n up to 1000000; "
        + "see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep tiny.txt --resume", 64,
      "--resume goes on with a document; name its file with --output; see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep tiny.txt --resume --output x --format csv", 64,
      "--resume reads what it wrote; leave out --format or make it json; "
        + "see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep tiny.txt --resume --output x --speed 2", 64,
      "--speed measures all cells in turns; leave out --resume; see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep - --resume --output x", 64,
      "--resume knows a trace by its file, not standard input; give a file; "
        + "see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep --merge tiny.txt --policy lru", 64,
      "--merge takes documents as they are; leave out --policy; see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep --merge", 64,
      "Missing expected argument '<trace> ...'; see evict sweep --help"),
    ErrorTests.Case(
      "evict sweep tiny.txt ./tiny.txt --shard 1/2", 64,
      "two traces are called tiny.txt, and results could not tell them apart; rename one"),
    ErrorTests.Case("evict sweep --merge nope.json", 66, "nope.json: no such file; check the path"),
    ErrorTests.Case(
      "evict sweep --merge tiny.txt", 65,
      "tiny.txt: byte 0: expected a value; is this a document of “evictionlab.results/1”?"),
    ErrorTests.Case(
      "evict sweep other.txt --resume --output tiny.txt", 65,
      "tiny.txt: byte 0: expected a value; is this a document of “evictionlab.results/1”?"),
  ]

  @Test(arguments: wrong)
  func oneLineSaysWhatIsWrong(_ wrong: ErrorTests.Case) async throws {
    let tiny = try shell.read("tiny.txt")
    let outcome = try await shell.run(wrong.line)
    #expect(outcome == Outcome(output: "", errors: "evict: \(wrong.message)\n", code: wrong.code))
    #expect(try shell.read("tiny.txt") == tiny, "what is no document stays as it was")
    #expect(try shell.files() == ["other.txt", "tiny.txt"], "nothing is left behind")
  }
}

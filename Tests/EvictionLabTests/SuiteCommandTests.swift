import EvictionLab
import Foundation
import Testing

/// `evict suite`: lists, checksums, partitions, the ranking.
@Suite struct SuiteCommandTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.write("x\ny\nx\nz\nx\ny\n", to: "other.txt")
    // The same requests as those of tiny.txt under other names.
    try shell.write("key\n1\n2\n1\n3\n1\n2\n4\n1\n", to: "copy.csv")
  }

  /// Writes a list of traces, which are public unless said otherwise.
  private func write(_ names: [String], bundled: String? = nil, to file: String = "list.json")
    async throws
  {
    var entries: [String] = []
    for name in names {
      let sum = try await shell.run("sha256sum \(name) 2>/dev/null || printf '%064d'")
      let isBundled = name == bundled ? "\"bundled\": true, " : ""
      entries.append(
        "{\"name\": \"\(name)\", \"group\": \"block\", \(isBundled)\"sha256\": "
          + "\"\(sum.output.prefix(64))\"}")
    }
    try shell.write(
      """
      {"schema": "evictionlab.suite/1", "capacities": ["50%", "75%"],
       "traces": [\(entries.joined(separator: ",\n"))]}
      """, to: file)
  }

  private static let suite = "evict suite --list list.json --folder . --policy lru,fifo,arc"

  /// A file without what differs from run to run.
  private func timeless(_ file: String) throws -> String {
    var text = try shell.read(file)
    text.replace(/"(seconds|requestsPerSecond)": [0-9.e+-]+/, with: "")
    text.replace(/"date": "[^"]*"/, with: "")
    return text
  }

  @Test func mergedPartitionsAreTheFileOfTheWholeSuite() async throws {
    try await write(["tiny.txt", "other.txt", "copy.csv"])
    let outcome = try await shell.run(
      """
      \(Self.suite) --format json --output all.json && \
      for i in 2 1 3; do \(Self.suite) --shard $i/3 --output $i.json || exit; done && \
      evict sweep --merge 3.json 1.json 2.json --output merged.json
      """)
    #expect(outcome == Outcome(output: ""))
    let whole = try timeless("all.json")
    #expect(try timeless("merged.json") == whole)
    // A copy in another format is run, and counts once.
    #expect(
      whole.contains(
        #""basis": "recorded", "name": "recorded", "traces": ["tiny.txt", "other.txt"]"#))
    #expect(whole.contains("\"results\": [\n") && whole.contains("\"copy.csv\", \"policy\""))

    let joined = try await shell.run(
      "evict report 1.json 2.json 3.json --format json --output j.json")
    #expect(joined.code == 0)
    #expect(
      try shell.read("j.json").contains(
        #""basis": "recorded", "name": "recorded", "traces": ["tiny.txt", "other.txt"]"#))
  }

  /// The members that scripts rely on: beside those of every results document.
  @Test func documentHoldsTheRanking() async throws {
    try await write(["tiny.txt", "other.txt", "copy.csv"])
    let outcome = try await shell.run("\(Self.suite) --format json --output all.json")
    #expect(outcome == Outcome(output: ""))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(try shell.read("all.json").utf8))
        as? [String: Any])
    #expect(document["schema"] as? String == "evictionlab.ranking/1")
    #expect((document["metric"] as? String)?.hasPrefix("(mf - m) / mf") == true)
    #expect((document["traces"] as? [Any])?.count == 3)
    let ranking = try #require(document["ranking"] as? [[String: Any]])
    #expect(!ranking.isEmpty)
    for row in ranking {
      #expect(row["policy"] is String && row["mean"] is Double && row["wins"] is Int)
      // Two traces have no intervals.
      for key in ["interval", "p10", "p50", "p90"] { #expect(row[key] is NSNull) }
    }
    let suite = try #require(document["suite"] as? [String: Any])
    let groups = try #require(suite["groups"] as? [[String: Any]])
    #expect(
      ranking.map { $0["mean"] as? Double }
        == (groups[0]["policies"] as? [[String: Any]])?.map { $0["mean"] as? Double })
  }

  /// Documents of the schema that rankings had before.
  @Test func earlierSchemaIsRead() async throws {
    try await write(["tiny.txt", "other.txt"])
    let outcome = try await shell.run(
      """
      \(Self.suite) --format json --output all.json && \
      sed 's/evictionlab.ranking/evictionlab.results/; /^  "metric":/d' all.json >old.json && \
      evict report old.json --format json && \(Self.suite) --resume --output old.json && \
      evict sweep --merge old.json --output merged.json
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == (try shell.read("all.json")))
    #expect(try timeless("old.json") == timeless("all.json"))
    #expect(try timeless("merged.json") == timeless("all.json"))
  }

  @Test func everyPolicyIsRankedOrSaidNotToBe() async throws {
    try await write(["tiny.txt", "other.txt"])
    let outcome = try await shell.run("evict suite --list list.json --folder . --format json")
    #expect(outcome.code == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let suite = try #require(document["suite"] as? [String: Any])
    let omissions = try #require(suite["omissions"] as? [[String: String]])
    func reason(_ policy: String) -> String? {
      omissions.first { $0["policy"] == policy }?["reason"]
    }
    #expect(
      reason("tlru") == "needs times, times to live, which 2 of the 2 recorded traces lack")
    #expect(reason("pannier") == "is made after a description that leaves much open")
    #expect(
      reason("rank") == "is what its parameters make of it, and is ranked only where it is named")
    let ranking = try #require(document["ranking"] as? [[String: Any]])
    let names = ranking.flatMap { row in
      [row["policy"] as? String ?? ""] + (row["same"] as? [String] ?? [])
    }
    for name in ["lru:admission=bloom", "s3fifo:fill=main:form=libcachesim", "s4fifo:reghosts=1"] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(!names.contains("rank") && Set(names).isDisjoint(with: omissions.map { $0["policy"] }))
    // What is named is ranked, and nothing else.
    let named = try await shell.run(
      "\(Self.suite),rank:score=hits/age --format json | grep -c 'omissions\\|admission=bloom'")
    #expect(named.output == "0\n")
  }

  @Test func helpFitsAScreenAndHasResume() async throws {
    let help = try await shell.run("evict suite --help").output
    #expect(help.contains("--resume"))
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 41 && lines.allSatisfy { $0.count <= 80 })
  }

  @Test func documentIsRenderedAsARanking() async throws {
    try await write(["tiny.txt", "other.txt", "copy.csv"])
    let table = try await shell.run(Self.suite)
    #expect(table.code == 0 && table.errors.isEmpty)
    #expect(table.output.hasPrefix("Which policy to take\n"))
    #expect(table.output.contains("no: a copy of tiny.txt"))
    #expect(table.output.contains("no advice") && table.output.contains("two traces:"))
    let page = try await shell.run(
      "\(Self.suite) --output all.json --format json && evict report all.json --format html")
    #expect(page.code == 0 && page.output.contains(">Which policy to take</h2>"))
    for summary in [
      "Too few traces for advice: ", "Method, and traces that were not run</summary>",
    ] {
      #expect(page.output.contains("<details><summary>\(summary)"), "\(summary)")
    }
    // The answer comes before its evidence.
    let ids = page.output.matches(of: /<section id="([a-z-]+)"/).map { String($0.1) }
    #expect(ids.prefix(2) == ["ranking", "suite"])
  }

  @Test func changedFileIsRefused() async throws {
    try await write(["tiny.txt", "other.txt"], bundled: "tiny.txt")
    try shell.write("x\n", to: "other.txt")
    let sum = try await shell.run("sha256sum other.txt").output.prefix(64)
    let words: [Substring] = try shell.read("list.json").split(separator: "\"")
    let listed = words.filter { $0.count == 64 }[1]
    let refused = try await shell.run(Self.suite)
    #expect(
      refused
        == Outcome(
          output: "",
          errors: """
            evict: ./other.txt: its SHA-256 is \(sum), not \(listed) as the list says; remove it and \
            fetch it again (evict trace fetch)

            """, code: 65))
    try shell.write("x\n", to: "tiny.txt")
    let outcome = try await shell.run(Self.suite)
    #expect(outcome.code == 65 && outcome.errors.hasSuffix("; restore it (git checkout)\n"))
    // Each partition looks at its own traces.
    try await write(["other.txt", "tiny.txt"])
    try shell.write("y\n", to: "other.txt")
    #expect(try await shell.run(Self.suite + " --shard 2/2 --output 2.json").code == 0)
    #expect(try await shell.run(Self.suite + " --shard 1/2 --output 1.json").code == 65)
  }

  @Test func missingPublicTraceIsListedAsNotRun() async throws {
    try await write(["tiny.txt", "gone.txt"])
    let outcome = try await shell.run(Self.suite)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == "evict: not there and not run: gone.txt; evict trace fetch brings them\n")
    #expect(outcome.output.contains("Not run, as they were not there: gone.txt."))
  }

  @Test func missingBundledTraceIsAnError() async throws {
    try await write(["tiny.txt", "gone.txt"], bundled: "gone.txt")
    let outcome = try await shell.run(Self.suite)
    #expect(
      outcome
        == Outcome(
          output: "",
          errors: """
            evict: gone.txt comes with this project and is not there; run this where its folder traces \
            is, or give --folder

            """, code: 66))
  }

  @Test func listThatIsNoneIsRefused() async throws {
    try await write(["tiny.txt"])
    let list = try shell.read("list.json")
    for (wrong, problem) in [
      (list.replacing("suite/1", with: "suite/2"), "its schema is “evictionlab.suite/2”"),
      (list.replacing("tiny.txt", with: "../tiny.txt"), "is not a file's name"),
      (list.replacing("\"50%\"", with: "\"50\""), "is not a list of fractions such as 1%"),
      (list.replacing("block", with: "brick"), "is not one of block, file"),
    ] {
      try shell.write(wrong, to: "list.json")
      let outcome = try await shell.run(Self.suite)
      #expect(outcome.code == 65 && outcome.errors.contains(problem), "\(outcome)")
    }
  }

  @Test func interruptedSuiteGoesOn() async throws {
    try await write(["tiny.txt", "other.txt"])
    let outcome = try await shell.run(
      """
      \(Self.suite) --format json --output all.json && cp all.json some.json && \
      sed -i '/"fifo".*"capacity": 2,/d; s/^}$/,"complete": false}/' some.json && \
      \(Self.suite) --resume --output some.json
      """)
    #expect(outcome.code == 0 && outcome.errors.contains("some.json holds"))
    #expect(try timeless("some.json") == timeless("all.json"))
  }

  /// A list that comes through a pipe is read once.
  @Test func listsComeThroughPipes() async throws {
    try await write(["tiny.txt", "other.txt", "copy.csv"])
    let suite = "--folder . --policy lru --format csv | cut -d , -f 1-14"
    let named = try await shell.run("evict suite --list list.json \(suite)")
    let piped = try await shell.run("cat list.json | evict suite --list - \(suite)")
    #expect(piped == named && !named.output.isEmpty, "\(piped)")
  }
}

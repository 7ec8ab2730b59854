import Results
import Testing

/// `evict prefix` as a process.
@Suite struct PrefixCommandTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
    let lines = (0..<40).map { turn in
      let blocks = (0...turn % 4).map { "\(100 * (turn % 3) + $0)" }.joined(separator: ",")
      return
        #"{"timestamp": \#(turn), "input_length": \#(8 * (turn % 4) + 5), "hash_ids": [\#(blocks)]}"#
    }
    try shell.write(lines.joined(separator: "\n") + "\n", to: "chat.jsonl")
  }

  @Test func countsTokensOfPrefixes() async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru,opt,reuse-odds"
        + " --capacity 4,8 --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.count == 6)
    for measurement in results.measurements {
      let prefix = try #require(measurement.prefix)
      #expect(measurement.kind == .prefix && measurement.unit == .blocks)
      #expect(prefix.prompts == 40 && prefix.blocks == 100 && prefix.tokens == 680)
      #expect(prefix.hitTokens <= prefix.tokens)
      #expect((measurement.distanceToOptimum ?? -1) >= 0)
    }
  }

  @Test func bytesAreBlocksOfTokens() async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 1KiB"
        + " --bytes-per-token 16 --format json")
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.map(\.capacity) == [8])
    #expect(results.measurements.map(\.prefix?.bytes) == [1024])
  }

  @Test(arguments: [
    ("--policy plru", "plru is left out: its bits name one victim and no order behind it", 64),
    ("--capacity 1GiB", "a capacity in bytes needs the bytes of a token", 64),
    ("--policy lru,depth-cost --free", "depth-cost is left out: it ranks the ends of chains", 64),
    ("--policy nosuch", "reuse-odds", 64),
    ("--policy lru:admission=tinylfu", "a cache of prefixes has no admission filter", 64),
  ])
  func refusalsNameTheRemedy(_ options: String, _ message: String, _ code: Int32) async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 4 \(options)"
    )
    #expect(outcome.errors.contains(message) && outcome.code == code)
  }

  @Test func aTraceWithoutPromptsIsRefused() async throws {
    let outcome = try await shell.run("evict prefix tiny.txt --policy lru --capacity 4")
    #expect(outcome.errors.contains("does not say which blocks its prompts consist of"))
    #expect(outcome.code == 65)
  }
}

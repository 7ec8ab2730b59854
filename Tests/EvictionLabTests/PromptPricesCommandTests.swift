import Results
import Testing

/// `evict prefix --prices` as a process.
@Suite struct PromptPricesCommandTests {
  let shell: Shell

  /// A session of prompts that grow, with pauses of a minute, but one of 20 minutes: of 8, 16, 24, 32 tokens.
  init() throws {
    shell = try Shell()
    let times = [0, 60, 1_260, 1_320]
    let lines = times.enumerated().map { turn, time in
      let blocks = (0...turn).map { "\($0)" }.joined(separator: ",")
      return
        #"{"timestamp": \#(time * 1000), "input_length": \#(8 * (turn + 1)), "hash_ids": [\#(blocks)], "session_id": "a"}"#
    }
    try shell.write(lines.joined(separator: "\n") + "\n", to: "chat.jsonl")
    try shell.write(
      #"""
      {"currency": "USD", "input": 1e6, "read": 1e5, "gibHour": 0.5,
       "writes": [{"timeToLive": 300, "price": 1.25e6}, {"timeToLive": 3600, "price": 2e6}]}
      """#, to: "prices.json")
  }

  private static let command =
    "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 2"
    + " --bytes-per-token 67108864 --prices prices.json"

  /// Five minutes: reads 8 + 24, writes 8 + 8 + 24 + 8. An hour: reads 8 + 16 + 24, writes 8 a prompt.
  @Test func costsAreThoseByHand() async throws {
    let outcome = try await shell.run("\(Self.command) --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(
      results.measurements.map(\.policyLabel) == [
        "lru", "rented:seconds=300", "rented:seconds=3600",
      ])
    let runs = results.measurements.compactMap(\.prefix)
    #expect(runs.map(\.tokens) == [80, 80, 80])
    #expect(runs.map { $0.rent?.writtenTokens } == [nil, 48, 32])
    #expect(runs.map(\.hitTokens).suffix(2) == [32, 48])
    #expect(runs.map { $0.rent?.pauses } == [nil, 3, 3])
    #expect(runs.map { $0.rent?.pausesWithin } == [nil, 2.0 / 3, 1])
    // 0.1 a token read, 1.25 or 2 one written; 1 GiB for 22 minutes at 0.5 an hour.
    let expected = [Double(80 - runs[0].hitTokens) + 0.5 * 22 / 60, 3.2 + 60, 4.8 + 64]
    for (run, cost) in zip(runs, expected) {
      let total = try #require(run.costs?.total)
      #expect(abs(total - cost) < 1e-9)
      #expect(run.costs?.withoutCache == 80)
    }
    #expect(runs[0].bytes == 1 << 30)
  }

  @Test func reportsSayWhichIsCheapest() async throws {
    let table = try await shell.run(Self.command)
    let text = table.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for sentence in [
      "a time to live of 5 min is cheapest: 63.20 USD, 8.1 % less than 1 h, 21.0 % less than no cache.",
      "1 h spares 33.3 % of the tokens that 5 min writes; it pays from 39.5 % on.",
      "Of the pauses between prompts of a session, 66.7 % are up to 5 min, 100.0 % are up to 1 h.",
      "Of the tokens read, 100.0 % are of the same session.",
      "A store of one's own on chat.jsonl costs least with 1.00 GiB under lru: ",
    ] {
      #expect(text.contains(sentence), "\(table.output)")
    }
    // 3 blocks hit 8 + 16 + 24 tokens; 1.5 GiB for 22 minutes at 0.5 an hour.
    let curve = try await shell.run("\(Self.command) --curve")
    #expect(
      curve.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "Of all sizes lru costs least with 3 blocks, 1.50 GiB: 32.27 USD, 59.7 % less than no cache."
      ),
      "\(curve.output)")
    let values = try await shell.run("\(Self.command) --format csv")
    #expect(values.output.contains("costs.total") && values.output.contains("rent.writtenTokens"))
    #expect(!values.output.contains("{"))
    let page = try await shell.run("\(Self.command) --format html")
    #expect(page.output.contains("is cheapest: 63.20 USD"))
  }

  @Test func timesOfEqualLengthAreToldApart() async throws {
    try shell.write(
      #"""
      {"currency": "USD", "input": 1e6, "read": 1e5,
       "writes": [{"timeToLive": 300, "price": 1.25e6},
        {"timeToLive": 300, "price": 1.25e6, "renewed": false}]}
      """#, to: "equal.json")
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 2 --prices equal.json"
    )
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("a time to live of 5 min that reads renew"), "\(outcome.output)")
    #expect(text.contains("5 min that no read renews"), "\(outcome.output)")
    #expect(text.contains("of a session, 66.7 % are up to 5 min."), "\(outcome.output)")
  }

  @Test(arguments: [
    ("--prices none.json", "none.json", 66),
    ("--prices broken.json", "“inputs” of the file is not a price", 65),
    ("--prices prices.json", "give --model or --bytes-per-token, or leave out its “gibHour”", 64),
    ("--prices rent.json --as kvcache-simulator", "leave it out beside --prices", 64),
  ])
  func refusalsNameTheRemedy(_ options: String, _ message: String, _ code: Int32) async throws {
    try shell.write(
      #"{"currency": "USD", "input": 3, "inputs": 3, "gibHour": 1}"#, to: "broken.json")
    try writeRent()
    let outcome = try await shell.run("evict prefix chat.jsonl \(options)")
    #expect(outcome.errors.contains(message) && outcome.code == code, "\(outcome)")
  }

  private func writeRent() throws {
    try shell.write(
      #"{"currency": "USD", "input": 3, "read": 1, "writes": [{"timeToLive": 60, "price": 3}]}"#,
      to: "rent.json")
  }

  @Test func tracesWithoutTimesAreRefused() async throws {
    try writeRent()
    try shell.write(
      #"{"block_size": 8, "hash_ids": [1, 2], "input_length": 16}"# + "\n", to: "minimal.jsonl")
    let outcome = try await shell.run("evict prefix minimal.jsonl --prices rent.json")
    #expect(outcome.errors.contains("minimal.jsonl") && outcome.errors.contains("times"))
    #expect(outcome.errors.contains("leave out --prices") && outcome.code == 65, "\(outcome)")
  }

  /// A document with other prices, or without any, is no part of this one.
  @Test func resumptionTellsPricesApart() async throws {
    try writeRent()
    let command =
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 2 --output r.json"
    #expect(try await shell.run(command).code == 0)
    let outcome = try await shell.run("\(command) --prices rent.json --resume")
    #expect(outcome.code == 0, "\(outcome)")
    let results = try ResultSet(reading: shell.read("r.json").utf8, file: "r.json")
    #expect(results.measurements.filter { $0.prefix?.setup.prices != nil }.count == 2)
  }
}

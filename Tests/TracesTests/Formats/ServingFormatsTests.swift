import Foundation
import Testing
import Traces

/// The values that traces of language models' serving have.
@Suite struct ServingFormatsTests {
  @Test func chunksOfAllListsAreRequestedInOrder() throws {
    let trace = try TextSample.ragPulse.trace()
    #expect((0..<4).map { trace.integerKey(of: $0) } == [8302, 7, 7398, 9])
    #expect(trace.groupStarts.map(Array.init) == [0, 4])
    #expect(trace.times?.last == 93_500_000_000)
    #expect(trace.prompts == nil)
  }

  /// The lengths of the sample's chunks.
  private static let lists = [
    "sys_prompt": #"{"sys_prompt_id": 8302, "token_length": 512}"# + "\n"
      + #"{"sys_prompt_id": 7, "token_length": 100}"# + "\n\n",
    "passages": #"{"passage_id": 7398, "token_length": 300}"# + "\n",
    "history": #"{"history_id": 1, "token_length": 2}"# + "\n",
    "web_search": #"{"token_length": 0, "web_search_id": 2}"# + "\n",
    "user_input": #"{"user_input_id": 9, "token_length": 3}"# + "\n",
  ]

  /// The sample, whose second prompt has enough tokens.
  private static let ragPulse = TextSample.ragPulse.text.replacingOccurrences(
    of: #""input_length": 10"#, with: #""input_length": 820, "output_length": 5"#)

  @Test func lengthsOfChunksStandBeforeThePrompts() throws {
    let trace = try load(
      Self.lists.values.joined() + Self.ragPulse, name: "a", columns: [.prompts, .groups, .times])
    #expect(trace.format == "ragpulse")
    #expect(ids(trace) == [0, 1, 2, 3, 0, 2])
    let prompts = try #require(trace.prompts)
    #expect(prompts.blockTokens == nil)
    #expect(prompts.tokens == [512, 100, 300, 3, 512, 300])
    #expect(
      prompts.lengths == [PromptLengths(input: 3112), PromptLengths(input: 820, output: 5)])
    #expect(prompts.sessions == [0, 1])
    #expect(trace.times?.last == 93_500_000_000)
    // They are no requests for those who want no prompts either.
    #expect(ids(try load(Self.lists.values.joined() + Self.ragPulse)) == [0, 1, 2, 3, 0, 2])
  }

  @Test func aLimitCutsTheLastPromptToItsChunks() throws {
    let trace = try load(
      Self.lists.values.joined() + Self.ragPulse, columns: .prompts, limit: 3)
    #expect(trace.prompts?.tokens == [512, 100, 300])
    #expect(trace.prompts?.lengths == [PromptLengths(input: 912)])
  }

  @Test(arguments: [("0_trace.jsonl", 1), ("ragpulse-trace.jsonl", 0), ("trace.jsonl", 0)])
  func lengthsOfChunksAreFoundBesideTheTrace(_ name: String, _ first: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ragpulse-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func write(_ text: String, to name: String) throws {
      try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }
    try write(Self.ragPulse, to: name)
    // Another trace's.
    try write("no list", to: "other-history.jsonl")
    for (number, (list, text)) in Self.lists.enumerated() {
      let digits = first == 0 ? "" : "\(first + number)"
      let beside = name.drop(while: \.isNumber).replacingOccurrences(of: "trace", with: list)
      try write(text, to: digits + beside)
    }
    let trace = try TraceLoader.load(path: path(name), columns: .prompts)
    #expect(trace.prompts?.tokens == [512, 100, 300, 3, 512, 300])
    let digits = first == 0 ? "" : "9"
    let damaged = name.drop(while: \.isNumber).replacingOccurrences(of: "trace", with: "history")
    try write("{}\n", to: digits + damaged)
    #expect(throws: TraceError.self) {
      try TraceLoader.load(path: path(name), columns: .prompts)
    }
    // Who wants no prompts needs no lists.
    #expect(try TraceLoader.load(path: path(name)).requests == 6)
  }

  @Test func whatIsWrongWithLengthsOfChunksIsSaid() {
    func problem(_ text: String) -> String {
      message(text, name: "a.jsonl", columns: .prompts)
    }
    #expect(
      problem(Self.ragPulse)
        == "a.jsonl: line 1: nothing tells the tokens of chunk 8302; put the lists of lengths "
        + "(1_sys_prompt.jsonl and others) beside the trace, or their lines before the prompts")
    let lists = Self.lists.values.joined()
    #expect(
      problem(lists + TextSample.ragPulse.text)
        == "a.jsonl: line 9: its chunks hold 812 tokens, too many for input_length 10; are the lists of "
        + "lengths those of this trace?")
    #expect(
      problem(lists + Self.ragPulse.replacingOccurrences(of: #""input_length": 820, "#, with: ""))
        .contains("line 9: no input_length"))
    #expect(
      problem(lists).contains("lengths of chunks and no prompt; name the file of the prompts"))
    #expect(
      problem(lists + #"{"history_id": 1, "token_length": 3}"# + "\n" + Self.ragPulse)
        .contains("line 8: token_length 3 of chunk 1 after 2"))
    #expect(
      problem(lists + #"{"history_id": 1, "token_length": -3}"# + "\n" + Self.ragPulse)
        .contains("line 8: '-3' is no token_length"))
    #expect(
      problem(lists + #"{"history_id": "x", "token_length": 3}"# + "\n" + Self.ragPulse)
        .contains("line 8: 'x' is no chunk's number"))
  }

  @Test func expertsOfLayersAreDifferentKeys() throws {
    let trace = try TextSample.moe.trace()
    let keys: [UInt64?] = [3 << 32 | 17, 3 << 32 | 4, 4 << 32 | 17, 4 << 32 | 9]
    #expect((0..<4).map { trace.integerKey(of: $0) } == keys)
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 4])
    #expect(trace.times.map(Array.init) == [0, 0, 0, 0, 1_000_000_000, 1_000_000_000])
    #expect(trace.classes.map(Array.init) == [0, 0, 1, 1, 0, 0])
    #expect(trace.classNames == ["3", "4"])
  }

  @Test func routedExpertsAreTokensLayersAndRanks() throws {
    let trace = try load(
      #"{"id": "x", "routed_experts": [[[17, 4], [9, 60]], [[17, 5], [9, 60]]]}"# + "\n", name: "a",
      columns: .all)
    #expect(trace.format == "moe")
    #expect(ids(trace) == [0, 1, 2, 3, 0, 4, 2, 3])
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 4, 6])
    #expect(trace.times == nil)
  }

  @Test func eventsOfACacheAreItsMisses() throws {
    let trace = try TextSample.kvEvents.trace()
    #expect(
      trace.operations.map(Array.init)
        == [.get, .get, .get, .get, .delete, .delete, .delete, .get])
    #expect(
      trace.times.map { $0.map { $0 / 100_000_000 } } == [5, 5, 20, 25, 30, 30, 30, 40])
    let deleted = try TextSample.kvEvents.trace(":removed=delete")
    #expect(ids(deleted) == [0, 1, 0, 2, 0, 1, 2, 0, 2])
    #expect(deleted.operations?[2] == .delete)
  }

  @Test func anEventMayBeAnArray() throws {
    let trace = try load(
      #"["BlockStored", [5, 6], null, [1], 16, null, "GPU"]"# + "\n"
        + #"["BlockRemoved", [5], "GPU"]"#
        + "\n", name: "a", columns: .all)
    #expect(trace.format == "kv-events")
    #expect(ids(trace) == [0, 1])
    #expect(trace.times == nil)
  }
}

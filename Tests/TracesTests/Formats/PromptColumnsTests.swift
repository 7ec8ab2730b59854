import Testing
import Traces

/// Prompts as lines of JSON.
@Suite struct PromptColumnsTests {
  static let columns: TraceColumns = [.prompts, .groups]

  /// The message that reading a line as a prompt ends with.
  private func refusal(_ line: String, format: String? = nil) -> String {
    message(line + "\n", name: "x.jsonl", format: format, columns: Self.columns)
  }

  @Test func lengthsAreThoseOfTheLines() throws {
    let trace = try load(
      #"""
      {"timestamp": 0, "input_length": 700, "output_length": 52, "hash_ids": [46, 47]}
      {"timestamp": 5, "input_length": 512, "hash_ids": [46]}

      """#, name: "x.jsonl", columns: Self.columns)
    let prompts = try #require(trace.prompts)
    #expect(prompts.blockTokens == 512)
    #expect(
      prompts.lengths == [PromptLengths(input: 700, output: 52), PromptLengths(input: 512)])
    #expect(prompts.sessions == nil)
    #expect(trace.columns == Self.columns)
  }

  @Test func promptsAreReadOnlyWhenWanted() throws {
    let text = #"{"timestamp": 0, "hash_ids": [46, 47]}"# + "\n"
    #expect(try load(text, name: "x.jsonl", columns: .groups).prompts == nil)
    #expect(
      refusal(#"{"timestamp": 0, "hash_ids": [46, 47]}"#)
        == "x.jsonl: line 1: no input_length; a cache of prefixes counts tokens by it")
  }

  @Test func bailiansChatsContinueTheirParents() throws {
    let trace = try load(
      #"""
      {"chat_id": 1, "parent_chat_id": -1, "turn": 1, "input_length": 20, "hash_ids": [5, 6]}
      {"chat_id": 2, "parent_chat_id": -1, "turn": 1, "input_length": 9, "hash_ids": [7]}
      {"chat_id": 3, "parent_chat_id": 1, "turn": 2, "input_length": 40, "hash_ids": [5, 6, 8]}
      {"chat_id": 4, "parent_chat_id": 3, "turn": 3, "input_length": 16, "hash_ids": [5]}

      """#, name: "x.jsonl", format: "mooncake:block=16", columns: Self.columns)
    #expect(trace.prompts?.sessions == [0, 1, 0, 0])
    #expect(trace.prompts?.blockTokens == 16)
  }

  @Test func bailiansNameBringsItsBlocksAndSeconds() throws {
    let line =
      #"{"chat_id": 1, "parent_chat_id": -1, "timestamp": 1.5, "input_length": 20, "hash_ids": [5, 6]}"#
    let trace = try load(line + "\n", name: "x.jsonl", columns: [.prompts, .times])
    #expect(trace.format == "bailian")
    #expect(trace.prompts?.blockTokens == 16)
    #expect(trace.times?.first == 1_500_000_000)
  }

  @Test func wekasSubagentsArePromptsOfTheirSession() throws {
    let text = #"""
      {"block_size": 64, "hash_id_scope": "local", "requests": [{"t": 10, "in": 64, "out": 1, "hash_ids": [1]}, {"t": 20, "type": "subagent", "requests": [{"t": 1, "in": 64, "out": 1, "hash_ids": [1]}, {"t": 25, "in": 64, "out": 1, "hash_ids": [2]}]}]}
      {"block_size": 64, "hash_id_scope": "local", "requests": [{"t": 0, "in": 64, "out": 1, "hash_ids": [1]}]}

      """#
    let trace = try load(
      text, name: "x.jsonl", format: "weka:distance=22", columns: [.prompts, .times, .groups])
    #expect(trace.times.map(Array.init) == [10, 21, 22, 25].map { $0 * 1_000_000_000 })
    #expect(trace.prompts?.sessions == [0, 0, 1, 0])
    #expect(trace.ids.map { $0 } == [0, 0, 1, 2])
  }

  @Test func promptsMayHaveNoTimes() throws {
    let line = #"{"block_size":64,"hash_ids":[1,2],"input_length":128}"# + "\n"
    let trace = try load(line, name: "x.jsonl", columns: [.prompts, .groups, .times])
    #expect(trace.times == nil && trace.prompts?.blockTokens == 64)
    let mixed = #"{"timestamp": 1, "input_length": 5, "hash_ids":[1]}"# + "\n" + line
    #expect(
      message(mixed, name: "x.jsonl", columns: [.prompts, .times]).contains("'' is no timestamp"))
  }

  @Test func lengthsWithoutBlocksAreRefused() {
    for header in [
      "TIMESTAMP,ContextTokens,GeneratedTokens",
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type",
    ] {
      #expect(
        message(header + "\n1,2,3\n", name: "x.csv", columns: [])
          .contains("has lengths of prompts and no identity of their blocks"))
    }
  }

  @Test func aLineMayNameTheSizeOfItsBlocks() throws {
    let trace = try load(
      #"{"input_length": 7, "block_size": 4, "session_id": "a", "hash_ids": [5, 6]}"# + "\n",
      name: "x.jsonl", columns: Self.columns)
    #expect(trace.prompts?.blockTokens == 4)
    #expect(trace.prompts?.sessions == [0])
    #expect(
      message(
        #"""
        {"input_length": 7, "block_size": 4, "hash_ids": [5, 6]}
        {"input_length": 7, "block_size": 8, "hash_ids": [5]}

        """#, name: "x.jsonl", columns: Self.columns)
        == "x.jsonl: line 2: block_size 8 after 4; blocks of one trace must hold equally many tokens"
    )
  }

  @Test func moreBlocksThanTokensAreRefusedWithARemedy() {
    #expect(
      refusal(#"{"input_length": 40, "hash_ids": [5, 6, 7]}"#)
        == "x.jsonl: line 1: 3 blocks of 512 tokens are too many for input_length 40; "
        + "give the size of a block: --trace-format mooncake:block=13")
    #expect(
      refusal(#"{"input_length": -1, "hash_ids": [5]}"#)
        == "x.jsonl: line 1: '-1' is no input_length; "
        + "correct the line or name another format")
  }

  @Test func aLimitCutsTheLastPromptToItsBlocks() throws {
    let trace = try load(
      #"{"input_length": 1500, "hash_ids": [5, 6, 7]}"# + "\n", name: "x.jsonl",
      columns: Self.columns, limit: 2)
    #expect(trace.requests == 2)
    #expect(trace.prompts?.lengths == [PromptLengths(input: 1024)])
  }
}

import Testing
import TraceAnalysis
import Traces

/// What is said of a trace of prompts.
@Suite("The figure of prompts")
struct PromptFigureTests {
  @Test("It counts prompts, known prefixes and the tokens in them")
  func prefixes() throws {
    // Of the second half, the third prompt knows all of its tokens, the fourth none.
    let trace = Trace.of(
      [1, 2, 1, 3, 1, 3, 9, 2], groupStarts: [0, 2, 4, 6],
      prompts: PromptColumns(
        blockTokens: 4,
        lengths: [
          PromptLengths(input: 8, output: 2), PromptLengths(input: 8),
          PromptLengths(input: 5, output: 6), PromptLengths(input: 8),
        ]))
    let prompts = try #require(try TraceProfile(trace)[Prompts.self])
    #expect(prompts.count == 4)
    #expect(prompts.freshRatio == 0.5)
    #expect(prompts.reusableTokenRatio == 5.0 / 13)
    #expect(prompts.meanAnswerTokens == 2)
    #expect(prompts.blocks?.mean == 2)
  }

  @Test("It counts the tokens of blocks that differ")
  func unequalBlocks() throws {
    // The second prompt knows its first block of 7 tokens, and has 2 tokens beyond both.
    let trace = Trace.of(
      [1, 2, 1, 3], groupStarts: [0, 2],
      prompts: PromptColumns(
        tokens: [7, 1, 7, 11], lengths: [PromptLengths(input: 8), PromptLengths(input: 20)]))
    let prompts = try #require(try TraceProfile(trace)[Prompts.self])
    #expect(prompts.reusableTokenRatio == 7.0 / 20)
  }

  @Test("A trace without prompts has none, and one without answers says nothing of them")
  func absence() throws {
    #expect(try TraceProfile(Trace.of([1, 2, 1]))[Prompts.self] == nil)
    let silent = Trace.of(
      [1, 1], groupStarts: [0, 1],
      prompts: PromptColumns(
        blockTokens: 2, lengths: [PromptLengths(input: 1), PromptLengths(input: 2)]))
    let prompts = try #require(try TraceProfile(silent)[Prompts.self])
    #expect(prompts.meanAnswerTokens == nil && prompts.reusableTokenRatio == 1)
    #expect(!prompts.facts.contains { $0.label == "answers" })
  }

  @Test("It names the ratio that those report who published such traces, where one is known")
  func publishedRatio() throws {
    let line = #"{"timestamp": 0, "input_length": 5, "hash_ids": [1, 2], "block_size": 4}"# + "\n"
    let mooncake = try TraceLoader.load(
      bytes: Array((line + line).utf8), name: "x.jsonl", columns: [.prompts, .groups])
    let known = try #require(try TraceProfile(mooncake)[Prompts.self])
    #expect(known.publishedRatio?.hasSuffix("evict prefix --as mooncake") == true)
    #expect(known.facts.last?.label == "published ratio")
    let memory = Trace.of(
      [1, 2], groupStarts: [0],
      prompts: PromptColumns(blockTokens: 4, lengths: [PromptLengths(input: 8)]))
    #expect(try #require(try TraceProfile(memory)[Prompts.self]).publishedRatio == nil)
  }
}

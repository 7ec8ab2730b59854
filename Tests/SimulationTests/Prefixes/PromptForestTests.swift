import Requests
import Testing
import Traces

@Suite("Forests of prompts")
struct PromptForestTests {
  @Test("An id behind two others is two nodes, and a match by id alone is counted")
  func chaining() throws {
    // a b, then c b: b's content is the same, its prefix is not. Then c b again.
    let trace = Trace.of(
      [7, 8, 9, 8, 9, 8], groupStarts: [0, 2, 4],
      prompts: PromptColumns(
        blockTokens: 4, lengths: [8, 8, 7].map { PromptLengths(input: $0) }))
    let forest = try #require(PromptForest(trace))
    #expect(forest.nodes == [0, 1, 2, 3, 2, 3])
    #expect(forest.parents == [PromptForest.root, 0, PromptForest.root, 2])
    #expect(forest.ambiguousIDs == 1)
    // In the second prompt c is new, so nothing behind it matches by id either.
    #expect(forest.overstatedBlocks == 0)
    #expect(forest.tokens(at: 5, of: 2) == 3)
  }

  @Test("What a match by id alone overstates")
  func overstated() throws {
    // a b, c d, then a d: by id both would hit, by prefix only a.
    let trace = Trace.of(
      [1, 2, 3, 4, 1, 4], groupStarts: [0, 2, 4],
      prompts: PromptColumns(
        blockTokens: 1, lengths: [2, 2, 2].map { PromptLengths(input: $0) }))
    let forest = try #require(PromptForest(trace))
    #expect(forest.overstatedBlocks == 1)
    #expect(forest.notes(on: "x").count == 1)
  }

  @Test("A trace without prompts has no forest")
  func noPrompts() { #expect(PromptForest(Trace.of([1, 2, 3])) == nil) }

  @Test("Tokens beyond the blocks are counted")
  func uncovered() throws {
    let trace = Trace.of(
      [1, 2], groupStarts: [0],
      prompts: PromptColumns(blockTokens: 4, lengths: [PromptLengths(input: 11)]))
    #expect(try #require(PromptForest(trace)).uncoveredPrompts == 1)
  }
}

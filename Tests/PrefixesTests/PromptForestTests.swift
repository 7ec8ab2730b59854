import EvictionCore
import Prefixes
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
    #expect((0..<3).map(forest.chain) == [[0, 1], [2, 3], [2, 3]])
    #expect(forest.parents == [PromptForest.root, 0, PromptForest.root, 2])
    #expect(forest.ambiguousIDs == 1)
    // In the second prompt c is new, so nothing behind it matches by id either.
    #expect(forest.overstatedBlocks == 0)
    #expect(forest.tokens(atPlace: 1, of: 2) == 3)
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

  @Test("Prompts in another order are the forest that a trace in that order has")
  func otherOrders() {
    for seed in 1...30 as ClosedRange<UInt64> {
      var generator = SplitMix64(seed: seed)
      let random = RandomForest(
        seed: seed, prompts: 60, longest: 6, hasEqualBlocks: seed.isMultiple(of: 2))
      var order = Array(0..<60)
      for place in order.indices { order.swapAt(place, generator.index(below: 60)) }
      order.removeFirst(Int(seed) % 7)
      let found = random.forest.prompts(order.map(UInt32.init))
      let expected = random.prompts(order).forest
      #expect((0..<found.prompts).map(found.chain) == (0..<found.prompts).map(expected.chain))
      #expect(found.parents == expected.parents)
      #expect(found.starts == expected.starts && found.tokens == expected.tokens)
      #expect(found.depths == expected.depths && found.outputs == expected.outputs)
      #expect(found.blockTokens == expected.blockTokens)
    }
  }

  @Test("Tokens beyond the blocks are counted")
  func uncovered() throws {
    let trace = Trace.of(
      [1, 2], groupStarts: [0],
      prompts: PromptColumns(blockTokens: 4, lengths: [PromptLengths(input: 11)]))
    #expect(try #require(PromptForest(trace)).uncoveredPrompts == 1)
  }

  @Test("A trace that comes again takes two words for each prompt more", arguments: [1, 2, 5])
  func repetition(times: Int) throws {
    // 200 conversations, each of three prompts that begin with the one before.
    let conversations = (0..<200 as Range<UInt64>).flatMap { conversation in
      ([10, 40, 90] as [UInt64]).map { blocks in (0..<blocks).map { conversation << 32 | $0 } }
    }
    let prompts = Array(repeating: conversations, count: times).flatMap(\.self)
    var starts: [Int] = []
    for prompt in prompts { starts.append((starts.last ?? 0) + prompt.count) }
    let trace = Trace.of(
      prompts.joined(), groupStarts: [0] + starts.dropLast(),
      prompts: PromptColumns(
        blockTokens: 1, lengths: prompts.map { PromptLengths(input: $0.count) }))
    let forest = try #require(PromptForest(trace))
    #expect(forest.blocks == 200 * 140 * times)
    #expect(forest.chainWords == 2 * 600 * times)
    #expect(forest.chain(of: 2) == Array(0..<90))
  }

  @Test("A prompt that goes on as another did takes two words, whatever came between")
  func interleaving() throws {
    // 10 conversations take turns, and each grows by a block.
    let prompts = (1...30 as ClosedRange<UInt64>).flatMap { blocks in
      (0..<10 as Range<UInt64>).map { conversation in
        (0..<blocks).map { conversation << 32 | $0 }
      }
    }
    var starts: [Int] = []
    for prompt in prompts { starts.append((starts.last ?? 0) + prompt.count) }
    let trace = Trace.of(
      prompts.joined(), groupStarts: [0] + starts.dropLast(),
      prompts: PromptColumns(
        blockTokens: 1, lengths: prompts.map { PromptLengths(input: $0.count) }))
    let forest = try #require(PromptForest(trace))
    // Prompts of one block and of two stand as they are, with a word more.
    #expect(forest.chainWords == 10 * (2 + 3) + 2 * 280)
    #expect(forest.chain(of: 299) == (0..<30).map { 9 + 10 * $0 })
  }

  @Test("Blocks that no prompt has in part are one segment")
  func segments() throws {
    // a b c d, then a b e, then a b c d, then f.
    let trace = Trace.of(
      [0, 1, 2, 3, 0, 1, 4, 0, 1, 2, 3, 5], groupStarts: [0, 4, 7, 11],
      prompts: PromptColumns(
        blockTokens: 1, lengths: [4, 3, 4, 1].map { PromptLengths(input: $0) }))
    let forest = try #require(PromptForest(trace))
    let segments = forest.segments
    #expect(segments.lengths == [2, 2, 1, 1])
    #expect(segments.parents == [PromptForest.root, 0, 0, PromptForest.root])
    #expect(segments.chains == [0, 1, 0, 2, 0, 1, 3])
    #expect(segments.starts == [0, 2, 4, 6, 7])
    #expect(segments.nextPrompts == [1, 2, 2, .max, .max, .max, .max])
    #expect(forest.reusableTokens(from: 0) == 2 + 4)
    #expect(forest.reusableTokens(from: 2) == 4)
  }

  @Test("Segments have the blocks of their prompts", arguments: 0..<100 as Range<UInt64>)
  func segmentsHaveTheBlocks(seed: UInt64) {
    let forest = RandomForest(seed: seed, prompts: 40, longest: 1 + Int(seed % 9)).forest
    let segments = forest.segments
    var starts: [UInt32] = []
    for length in segments.lengths { starts.append((starts.last ?? 0) + UInt32(length)) }
    for prompt in 0..<forest.prompts {
      let chain = segments.chains[segments.starts[prompt]..<segments.starts[prompt + 1]]
      let blocks = chain.flatMap { segment in
        starts[Int(segment)] - UInt32(segments.lengths[Int(segment)])..<starts[Int(segment)]
      }
      #expect(blocks == forest.chain(of: prompt))
    }
  }
}

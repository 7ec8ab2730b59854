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

  /// Conversations that take turns and grow by `blocks` with each, all of it `times` times.
  private static func conversations(
    _ conversations: Int, turns: Int, blocks: Int, times: Int
  ) -> Trace {
    var prompts: [[UInt64]] = []
    for _ in 0..<times {
      for turn in 1...turns {
        for conversation in 0..<conversations {
          prompts.append((0..<turn * blocks).map { UInt64(conversation << 32 | $0) })
        }
      }
    }
    var starts: [Int] = []
    for prompt in prompts { starts.append((starts.last ?? 0) + prompt.count) }
    return Trace.of(
      prompts.joined(), groupStarts: [0] + starts.dropLast(),
      prompts: PromptColumns(
        blockTokens: 1, lengths: prompts.map { PromptLengths(input: $0.count) }))
  }

  @Test("Held bytes grow with prompts and distinct blocks, and not with the blocks of prompts")
  func heldBytes() throws {
    func forest(turns: Int, blocks: Int, times: Int) throws -> PromptForest {
      try #require(
        PromptForest(Self.conversations(10, turns: turns, blocks: blocks, times: times)))
    }
    let once = try forest(turns: 20, blocks: 10, times: 1)
    #expect(once.blocks == 10 * 10 * 210 && once.distinct == 10 * 200)
    // Twice the prompts, and so twice the blocks, of as many distinct ones.
    let twice = try forest(turns: 20, blocks: 10, times: 2)
    #expect(twice.blocks == 2 * once.blocks && twice.distinct == once.distinct)
    #expect(twice.heldBytes - once.heldBytes == 28 * 200)
    // As many prompts of twice the blocks, and so of twice the distinct ones.
    let wide = try forest(turns: 20, blocks: 20, times: 1)
    #expect(wide.blocks == 2 * once.blocks && wide.prompts == once.prompts)
    #expect(wide.heldBytes - once.heldBytes == 8 * once.distinct)
    // Prompts of 20 segments each are as many words as others, and come again with few others.
    #expect(twice.segments.ends.count == 400 && twice.segments.count == 200)
    #expect(twice.segments.stretches.count <= 3 * 400)
    #expect(twice.chain(of: 399) == once.chain(of: 199) && once.chain(of: 199).count == 200)
  }

  @Test("A trace holds prompts as paths, also of ids that stand behind several others")
  func heldPaths() throws {
    for times in 1...3 {
      let trace = Self.conversations(10, turns: 20, blocks: 10, times: times)
      #expect(trace.chains?.heldBytes == 4 * (10 * 200 + 200 * times))
    }
    // Two ids that follow each other in all ways: 2 + 4 + 8 + 16 nodes, each with its id, and 16 prompts.
    let prompts = (0..<16 as Range<UInt64>).map { number in (0..<4).map { number >> $0 & 1 } }
    for times in 1...3 {
      let all = Array(repeating: prompts, count: times).flatMap(\.self)
      let trace = Trace.of(
        all.joined(), groupStarts: all.indices.map { 4 * $0 },
        prompts: PromptColumns(
          blockTokens: 1, lengths: all.map { PromptLengths(input: $0.count) }))
      #expect(trace.chains?.heldBytes == 4 * (2 * 30 + 16 * times))
      #expect(Array(trace.ids) == all.joined().map(UInt32.init))
      let forest = try #require(PromptForest(trace))
      #expect(forest.distinct == 30 && forest.ambiguousIDs == 2)
    }
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
    #expect((0..<4).map(segments.chain) == [[0, 1], [0, 2], [0, 1], [3]])
    let nexts: [UInt32] = segments.stretches.map(\.next)
    // From the last prompt to the first: f alone, a b c d, a b and e apart, and a b and c d apart.
    #expect(nexts == [.max, .max, 2, .max, 1, 2])
    #expect(segments.stretches.map(\.end) == [1, 2, 1, 2, 1, 2])
    #expect(segments.stretchStarts == [4, 2, 1, 0])
    #expect(forest.reusableTokens(from: 0) == 2 + 4)
    #expect(forest.reusableTokens(from: 2) == 4)
  }

  @Test("A stretch of segments comes again with one prompt", arguments: 0..<100 as Range<UInt64>)
  func stretches(seed: UInt64) {
    let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 12)).forest
    let segments = forest.segments
    let chains = (0..<forest.prompts).map(segments.chain)
    for (prompt, chain) in chains.enumerated() {
      var stretch = segments.stretchStarts[prompt]
      for (place, segment) in chain.enumerated() {
        if place == segments.stretches[stretch].end { stretch += 1 }
        let next = chains.indices.first { $0 > prompt && chains[$0].contains(segment) }
        #expect(segments.stretches[stretch].next == next.map(UInt32.init) ?? .max)
      }
    }
  }

  @Test("Segments have the blocks of their prompts", arguments: 0..<100 as Range<UInt64>)
  func segmentsHaveTheBlocks(seed: UInt64) {
    let forest = RandomForest(seed: seed, prompts: 40, longest: 1 + Int(seed % 9)).forest
    let segments = forest.segments
    var starts: [UInt32] = []
    for length in segments.lengths { starts.append((starts.last ?? 0) + UInt32(length)) }
    for prompt in 0..<forest.prompts {
      let chain = segments.chain(of: prompt)
      let blocks = chain.flatMap { segment in
        starts[Int(segment)] - UInt32(segments.lengths[Int(segment)])..<starts[Int(segment)]
      }
      #expect(blocks == forest.chain(of: prompt))
    }
  }
}

import Eviction
import Parameters
import Prefixes
import RecordedTraces
import Requests
import TestConditions
import Testing
import Traces

@Suite("LRU as a cache of prefixes at every size")
struct PrefixStackTests {
  /// The hits of the policy at a size, run by itself.
  private func lru(_ forest: PromptForest, capacity: Int, warmup: Int) throws -> PrefixCounts {
    try PrefixCacheTests.run("lru", forest, capacity: capacity, warmup: warmup)
  }

  @Test("Each size hits the blocks and tokens that LRU hits there")
  func everySize() throws {
    for seed in 0..<200 as Range<UInt64> {
      let forest = RandomForest(
        seed: seed, prompts: 60, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 4 < 2
      ).forest
      let warmup = Int(seed % 3) * 15
      let stack = try #require(PrefixStack.run(forest, warmup: warmup))
      var sizes = 0
      try stack.forEach { hits in
        sizes += 1
        #expect(hits.capacity == sizes)
        let counts = try lru(forest, capacity: hits.capacity, warmup: warmup)
        #expect(hits.blocks == counts.hitBlocks, "seed \(seed), \(hits.capacity) blocks")
        #expect(hits.tokens == counts.hitTokens, "seed \(seed), \(hits.capacity) blocks")
        #expect(abs(hits.ratios - counts.hitRatios) < 1e-9)
        if warmup > 0 { #expect(counts.hadFilled == (hits.capacity <= stack.filled)) }
      }
      #expect(sizes == forest.distinct)
      let last = try lru(forest, capacity: forest.distinct, warmup: warmup)
      #expect(stack.prompts == last.prompts && stack.blocks == last.blocks)
      #expect(stack.tokens == last.tokens)
    }
  }

  /// A model of dictionaries, which knows nothing of segments or stacks.
  @Test("Each size hits what an independent model hits")
  func model() throws {
    for seed in 0..<60 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 40, longest: 6, hasEqualBlocks: seed.isMultiple(of: 2))
      let stack = try #require(PrefixStack.run(random.forest))
      stack.forEach { hits in
        var model = NaivePrefixCache(.lru, capacity: hits.capacity)
        for (prompt, chain) in random.chains.enumerated() {
          model.serve(
            chain, tokens: random.tokens[prompt], wholeTokens: random.wholeTokens[prompt])
        }
        #expect(hits.blocks == model.hitBlocks && hits.tokens == model.hitTokens)
      }
    }
  }

  @Test("A stop ends the run")
  func stop() {
    let forest = RandomForest(seed: 1, prompts: 5_000, longest: 3).forest
    var calls = 0
    let stack = PrefixStack.run(forest) { _ in
      calls += 1
      return false
    }
    #expect(calls == 1)
    #expect(stack?.prompts == nil)
  }

  @Test(
    "Public traces at 200 sizes", .withPublicTraces,
    arguments: [
      "mooncake-synthetic.jsonl", "ragpulse-trace.jsonl", "weka-0001.json.xz", "weka-0002.json.xz",
      "weka-0003.json.xz", "weka-0004.json.xz",
    ])
  func publicTrace(name: String) throws {
    let trace = try WholeTraces.load(name, columns: [.groups, .prompts])
    let forest = try #require(PromptForest(trace))
    let stack = try #require(PrefixStack.run(forest))
    var curve: [PrefixStack.Hits] = []
    stack.forEach { curve.append($0) }
    for step in 1...200 {
      let capacity = max(1, forest.distinct * step / 200)
      let counts = try lru(forest, capacity: capacity, warmup: 0)
      #expect(curve[capacity - 1].blocks == counts.hitBlocks, "\(capacity) blocks")
      #expect(curve[capacity - 1].tokens == counts.hitTokens, "\(capacity) blocks")
    }
  }
}

import Prefixes
import RecordedTraces
import Requests
import Testing
import Traces

/// Hits of kvcache-simulator 0.1.3 (PyPI) on Mooncake's synthetic trace, of which it counts the second half.
@Suite("Hit tokens are those of kvcache-simulator", .withPublicTraces)
struct MooncakePrefixTests {
  struct Row: Sendable {
    let policy: String
    /// Capacity in blocks, hit tokens.
    let cells: [(capacity: Int, hitTokens: Int)]
  }

  static let rows = [
    Row(
      policy: "fifo",
      cells: [
        (512, 2_366_039), (1_000, 4_447_597), (2_818, 9_553_422), (5_000, 14_586_762),
        (11_275, 21_670_723), (20_000, 26_385_426),
      ]),
    Row(
      policy: "lru",
      cells: [
        (512, 2_565_165), (1_000, 4_755_642), (2_818, 10_096_926), (5_000, 15_246_152),
        (11_275, 23_093_187), (20_000, 28_338_548),
      ]),
    Row(
      policy: "opt",
      cells: [
        (512, 9_754_632), (1_000, 13_311_599), (2_818, 20_853_616), (5_000, 25_271_227),
        (11_275, 30_840_869), (20_000, 31_535_563),
      ]),
  ]

  @Test("Six sizes, to the last token")
  func sixSizes() throws {
    let trace = try WholeTraces.load(
      "mooncake-synthetic.jsonl", columns: [.groups, .prompts])
    let forest = try #require(PromptForest(trace))
    #expect(forest.prompts == 3993 && forest.distinct == 43924 && forest.ambiguousIDs == 0)
    let warmup = forest.prompts / 2
    for row in Self.rows {
      for cell in row.cells {
        let counts =
          row.policy == "opt"
          ? try #require(PrefixOptimum.run(forest, capacity: cell.capacity, warmup: warmup))
          : try PrefixCacheTests.run(
            row.policy, forest, capacity: cell.capacity, keepsChains: row.policy != "fifo",
            warmup: warmup)
        #expect(counts.hitTokens == cell.hitTokens, "\(row.policy) at \(cell.capacity)")
        #expect(counts.tokens == 36_552_394)
        #expect(counts.hadFilled)
      }
    }
  }
}

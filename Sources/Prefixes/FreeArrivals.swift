import EvictionCore
import Requests

/// FIFO as a cache that knows no chains: what ``PrefixLoop`` counts for it, to the last token.
///
/// No hit changes FIFO's order. So a block leaves when as many others as the cache holds have entered after it,
/// and it is resident until then.
///
/// - Complexity: O(blocks). Memory: 8 bytes per distinct block.
enum FreeArrivals {
  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  static func run(
    _ forest: PromptForest, capacity: Int, warmup: Int, observer: (Int) -> Bool
  ) -> PrefixCounts? {
    // By node: the number of the insertion for which it leaves.
    var departures = SlotArray(repeating: 0, slots: forest.distinct)
    var insertions = 0
    let nodes = PromptChain(of: forest)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    for prompt in 0..<forest.prompts {
      let chain = nodes.read(prompt)
      if prompt == warmup { counts.hadFilled = insertions >= capacity }
      var hits = 0
      while hits < chain.count && departures[chain[hits]] > insertions { hits &+= 1 }
      let sessionHits = sessions.record(prompt, hits: hits)
      let arrival = insertions
      var orphans = 0
      for place in hits..<chain.count {
        let departure = departures[chain[place]]
        if departure > arrival { orphans &+= 1 }
        if departure > insertions { continue }
        insertions &+= 1
        departures[chain[place]] = insertions &+ capacity
      }
      if prompt >= warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
        counts.orphans &+= orphans
      }
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    counts.insertions = insertions
    counts.evictions = max(0, insertions - capacity)
    return counts
  }
}

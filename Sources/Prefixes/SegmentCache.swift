import EvictionCore
import Requests

/// A cache of prefixes whose policy treats all blocks of a segment alike, except for the order from the last to the
/// first in which they leave: of each segment, the first blocks are resident.
///
/// Most prompts are one or two segments, so such a policy runs in a fraction of the time of one that sees blocks.
protocol SegmentCache: ~Copyable {
  /// The blocks that it has room for.
  var capacity: Int { get }
  /// The resident blocks.
  var used: Int { get }
  /// The blocks that have entered.
  var insertions: Int { get }

  /// The number of resident blocks of a segment.
  func residents(of segment: UInt32) -> Int

  /// Serves a prompt of these segments.
  mutating func serve(_ prompt: Int, _ chain: UnsafeBufferPointer<UInt32>)
}

extension SegmentCache where Self: ~Copyable {
  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  mutating func run(
    _ forest: PromptForest, warmup: Int, observer: (Int) -> Bool
  ) -> PrefixCounts? {
    let segments = forest.segments
    let chains = SegmentChain(of: segments)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    for prompt in 0..<forest.prompts {
      let chain = chains.read(prompt)
      if prompt == warmup { counts.hadFilled = used >= capacity }
      let hits = hits(in: chain, of: segments)
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
      }
      serve(prompt, chain)
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    counts.insertions = insertions
    counts.evictions = insertions - used
    return counts
  }

  /// The blocks of the longest resident prefix.
  private func hits(
    in chain: UnsafeBufferPointer<UInt32>, of segments: PromptSegments
  ) -> Int {
    var hits = 0
    for segment in chain {
      let residents = residents(of: segment)
      hits += residents
      // Nothing is resident behind a block that is not.
      if residents < segments.lengths[Int(segment)] { break }
    }
    return hits
  }
}

import EvictionCore
import Parameters

/// One-block lookahead: the block behind a run of consecutive blocks.
package final class OneBlockLookahead: Prefetcher {
  override package class var information: PrefetcherInformation {
    PrefetcherInformation(
      name: "obl", summary: "the next block, after a run of consecutive blocks",
      paper: "A. J. Smith, “Sequentiality and prefetching in database systems”, ACM TODS 1978; the "
        + "runs are those of OBL.c in libCacheSim, commit 225b07e.",
      idea: "A program that has read some blocks in order reads the next one soon.",
      decision: "After a request of key b, if the run requests before it were those of b − run to "
        + "b − 1, in that order, b + 1 is fetched.",
      complexity: "O(run) per request; 16 bytes and more for each key of the trace.",
      differences: "As libCacheSim (commit 225b07e), whose parameter of the run is "
        + "sequential-confidence-k. There a block that is fetched has 512 bytes (block-size); here, "
        + "in a sized run, as many as at its latest request, before that as at its first, and if "
        + "the trace never requests it, as the block before it. Smith's prefetches at every "
        + "request, which is run=0. A block behind the largest key is fetched, too, if the run "
        + "leads there, and takes room.",
      parameters: [
        Parameter(
          "run", .integer(in: 0...1024), default: .integer(4),
          help: "the consecutive blocks requested before the last one")
      ],
      readsKeys: true)
  }

  private let run: Int
  private let keys: SlotKeys
  private var last: UInt64?
  /// The requests before the last one that each were of the key behind the one before, and that one.
  private var consecutive = 0

  /// Takes the length of runs from the parameters.
  package required init(_ configuration: PrefetcherConfiguration) {
    run = configuration.arguments.integer("run")
    keys = configuration.keys
    super.init(configuration)
  }

  override package func record(_ slot: Slot, isHit: Bool) {
    let key = keys[slot]
    let continues = last.map { $0 < .max && $0 + 1 == key } ?? false
    consecutive = continues ? consecutive + 1 : 0
    last = key
  }

  override package func propose(after slot: Slot, to proposals: inout [Slot]) {
    let key = keys[slot]
    if consecutive >= run && key < .max { proposals.append(keys.slot(of: key + 1)) }
  }
}

/// A record of the blocks that a worker was sent: what LRU as a cache of prefixes holds of them, as ``PrefixRecency`` counts
/// it.
///
/// Memory is by what it holds, however many prompts there are and however many other blocks.
package struct SentPrefixes {
  private let capacity: Int
  /// The blocks that it holds.
  private var used = 0
  private var visits = 0
  /// By segment: the number of its blocks that are held, and of its latest visit.
  private var states: [UInt32: (blocks: Int, visit: Int)] = [:]
  /// Visits in their order, from ``front`` on; those that are not the latest of their segments count for nothing.
  private var queue: [(segment: UInt32, visit: Int)] = []
  private var front = 0

  /// A record of that many blocks.
  package init(capacity: Int) { self.capacity = capacity }

  /// The number of a prompt's first blocks that are held.
  package func blocks(of chain: [UInt32], of segments: PromptSegments) -> Int {
    var blocks = 0
    for segment in chain {
      guard let state = states[segment] else { break }
      blocks += state.blocks
      if state.blocks < segments.lengths[Int(segment)] { break }
    }
    return blocks
  }

  /// Takes note of a prompt; of one longer than the record, of its head.
  package mutating func send(_ chain: [UInt32], of segments: PromptSegments) {
    var end = chain.startIndex
    var blocks = 0
    while end < chain.endIndex && blocks < capacity {
      blocks += segments.lengths[Int(chain[end])]
      end += 1
    }
    for segment in chain[..<end].reversed() {
      let before = blocks - segments.lengths[Int(segment)]
      let held = min(blocks, capacity) - before
      used += held - (states[segment]?.blocks ?? 0)
      visits += 1
      states[segment] = (held, visits)
      queue.append((segment, visits))
      blocks = before
    }
    while used > capacity { dropOldest() }
    if queue.count > 2 * states.count + 64 {
      queue = queue[front...].filter { states[$0.segment]?.visit == $0.visit }
      front = 0
    }
  }

  /// Drops blocks from the end of the segment that was sent longest ago.
  private mutating func dropOldest() {
    let oldest = queue[front]
    guard let state = states[oldest.segment], state.visit == oldest.visit else {
      front += 1
      return
    }
    let leaving = min(state.blocks, used - capacity)
    used -= leaving
    states[oldest.segment] = leaving == state.blocks ? nil : (state.blocks - leaving, state.visit)
  }
}

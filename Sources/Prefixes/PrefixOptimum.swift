import EvictionCore
import Requests

/// The optimum of a cache of prefixes: of the blocks that no resident one follows, the one needed farthest in the
/// future leaves, unless the newcomer is needed no sooner: then it stays out.
///
/// A block is needed whenever one behind it is, so the block needed farthest is always the end of a chain: the rule
/// is Belady's MIN with bypass, and no cache of as many blocks hits more blocks, whether it keeps chains or not. In
/// tokens a short last block, or blocks that differ, can make another choice better: there it is exact if all blocks that
/// are hit are whole and equal, and ``PrefixCounts/mostTokens`` is a bound.
///
/// - Paper: L. A. Belady, “A study of replacement algorithms for a virtual-storage computer”, IBM Systems Journal
///   5(2), 1966.
/// - Complexity: O(segments × log segments).
package enum PrefixOptimum {
  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  package static func run(
    _ forest: PromptForest, capacity: Int, warmup: Int = 0, observer: (Int) -> Bool = { _ in true }
  ) -> PrefixCounts? {
    var cache = LeafFirstCache(forest.segments, capacity: capacity)
    var counts = cache.run(forest, warmup: warmup, observer: observer)
    if let hitBlocks = counts?.hitBlocks {
      counts?.mostTokens = forest.reusableTokens(from: warmup, most: hitBlocks)
    }
    return counts
  }
}

/// The residents of the optimum, and the ends of their chains by next use.
private struct LeafFirstCache: SegmentCache, ~Copyable {
  /// A segment.
  private struct Segment: BitwiseCopyable {
    /// The next prompt that needs it.
    var next: UInt32 = 0
    /// The segments with residents that follow it directly.
    var children: UInt32 = 0
    /// Its resident blocks.
    var residents = 0
  }

  let capacity: Int
  private(set) var used = 0
  private(set) var insertions = 0
  private let segments: PromptSegments
  private var states: SlotArray<Segment>
  /// The ends of chains, except for that of the request's own; the farthest next use first.
  private var leaves: SlotHeap<UInt32>
  /// The end of what is resident of the request's own chain.
  private var end = PromptForest.root

  init(_ segments: PromptSegments, capacity: Int) {
    self.segments = segments
    self.capacity = capacity
    states = SlotArray(repeating: Segment(), slots: segments.count)
    leaves = SlotHeap(slots: segments.count)
  }

  func residents(of segment: UInt32) -> Int { states[segment].residents }

  mutating func serve(_ places: Range<Int>) {
    end = PromptForest.root
    for place in places {
      let segment = segments.chains[place]
      states[segment].next = segments.nextPrompts[place]
      if states[segment].residents > 0 {
        end = segment
        if leaves.contains(segment) { leaves.remove(segment) }
      }
      if !fill(segment) { break }
    }
    if end != PromptForest.root && states[end].children == 0 {
      leaves.insert(end, priority: ~states[end].next)
    }
  }

  /// Enters the missing blocks of a segment of the request, until one stays out.
  ///
  /// - Returns: True if all of the segment is resident now.
  private mutating func fill(_ segment: UInt32) -> Bool {
    let length = segments.lengths[Int(segment)]
    while states[segment].residents < length {
      let missing = length - states[segment].residents
      if used == capacity && !evict(missing, neededLaterThan: states[segment].next) {
        return false
      }
      let entering = min(missing, capacity - used)
      if end != segment {
        if end != PromptForest.root { states[end].children += 1 }
        end = segment
      }
      states[segment].residents += entering
      used += entering
      insertions += entering
    }
    return true
  }

  /// Evicts blocks of the leaf needed farthest in the future, `most` at most.
  ///
  /// - Returns: False if none is needed later than `newcomer`.
  private mutating func evict(_ most: Int, neededLaterThan newcomer: UInt32) -> Bool {
    guard let victim = leaves.first, states[victim].next > newcomer else { return false }
    let leaving = min(states[victim].residents, most)
    states[victim].residents -= leaving
    used -= leaving
    if states[victim].residents > 0 { return true }
    let parent = segments.parents[Int(victim)]
    if parent != PromptForest.root {
      states[parent].children -= 1
      if states[parent].children == 0 && parent != end {
        // Most often needed as late, and then the next victim.
        leaves.replaceFirst(with: parent, priority: ~states[parent].next)
        return true
      }
    }
    leaves.remove(victim)
    return true
  }
}

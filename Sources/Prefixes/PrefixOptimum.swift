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
      // Of the counted prompts alone another cache may hit more than this one, which knows of no warm-up.
      counts?.mostTokens =
        warmup == 0
        ? forest.reusableTokens(from: 0, most: hitBlocks)
        : hindsight(forest, capacity: capacity, workers: 1, warmup: warmup).tokens
    }
    return counts
  }

  /// The most blocks and tokens that workers can hit, however prompts are divided among them and whatever leaves their
  /// caches.
  ///
  /// It is the smaller of two bounds on blocks, and on the tokens of as many blocks:
  ///
  /// - **One cache of all blocks.** The caches of `workers` workers hold at most `workers` × `capacity` distinct blocks, and each
  ///   block entered one of them as a prompt had it. So one cache of that size could hold all that they hold, and hit what
  ///   they hit. No cache of that size hits more blocks of the counted prompts than the one here: before the first of these
  ///   it keeps the blocks that they need soonest, of all that there were. Then it is Belady's with bypass.
  /// - **One worker a prompt.** A prompt is hit in the cache of its worker, which holds at most `capacity` blocks, and only
  ///   blocks that an earlier prompt had.
  ///
  /// A worker that is lost or added only takes away: `workers` are the most that are there at a time.
  ///
  /// - Complexity: O(segments × log segments).
  package static func hindsight(
    _ forest: PromptForest, capacity: Int, workers: Int, warmup: Int = 0
  ) -> (blocks: Int, tokens: Int) {
    let each = min(capacity, max(1, forest.distinct))
    var cache = LeafFirstCache(forest.segments, capacity: each * workers, first: warmup)
    let counts = cache.run(forest, warmup: warmup) { _ in true }
    return forest.reusable(from: warmup, longest: each, most: counts?.hitBlocks ?? 0)
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
  /// By segment: the first prompt that counts and needs it; empty where all of them do.
  private var firstUses: [UInt32] = []
  /// The first prompt that counts.
  private let first: Int

  /// - Parameter first: The first prompt whose hits count. Until then only these make a block worth keeping.
  init(_ segments: PromptSegments, capacity: Int, first: Int = 0) {
    self.segments = segments
    self.capacity = capacity
    self.first = first
    if first > 0 {
      firstUses = [UInt32](repeating: .max, count: segments.count)
      let chain = SegmentChain(of: segments)
      for prompt in (first..<segments.ends.count).reversed() {
        for segment in chain.read(prompt) { firstUses[Int(segment)] = UInt32(prompt) }
      }
    }
    states = SlotArray(repeating: Segment(), slots: segments.count)
    leaves = SlotHeap(slots: segments.count)
  }

  func residents(of segment: UInt32) -> Int { states[segment].residents }

  mutating func serve(_ prompt: Int, _ chain: UnsafeBufferPointer<UInt32>) {
    end = PromptForest.root
    var stretch = segments.stretchStarts[prompt]
    for (place, segment) in chain.enumerated() {
      if place == segments.stretches[stretch].end { stretch += 1 }
      states[segment].next =
        prompt < first ? firstUses[Int(segment)] : segments.stretches[stretch].next
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

import EvictionCore
import Requests

/// LRU as a cache of prefixes, segment by segment: what ``PrefixLoop`` counts for it, to the last token.
///
/// Blocks reach LRU from the last of a prompt to the first. So a segment's blocks stand side by side in its order,
/// the first the most recent, and a chain leaves from its end.
///
/// - Complexity: O(segments).
struct PrefixRecency: SegmentCache, ~Copyable {
  let capacity: Int
  private(set) var used = 0
  private(set) var insertions = 0
  private let segments: PromptSegments
  /// By segment: its resident blocks.
  private var residents: SlotArray<Int>
  /// The segments with residents.
  private var order: SlotLists<UInt8>

  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  static func run(
    _ forest: PromptForest, capacity: Int, warmup: Int, observer: (Int) -> Bool
  ) -> PrefixCounts? {
    var cache = PrefixRecency(forest.segments, capacity: capacity)
    return cache.run(forest, warmup: warmup, observer: observer)
  }

  private init(_ segments: PromptSegments, capacity: Int) {
    self.segments = segments
    self.capacity = capacity
    residents = SlotArray(repeating: 0, slots: segments.count)
    order = SlotLists(count: 1, slots: segments.count)
  }

  func residents(of segment: UInt32) -> Int { residents[segment] }

  mutating func serve(_ prompt: Int, _ chain: UnsafeBufferPointer<UInt32>) {
    // Of a prompt longer than the cache, the head is kept.
    var end = 0
    var blocks = 0
    while end < chain.count && blocks < capacity {
      blocks += segments.lengths[Int(chain[end])]
      end += 1
    }
    for segment in chain[..<end].reversed() {
      let before = blocks - segments.lengths[Int(segment)]
      renew(segment, blocks: min(blocks, capacity) - before)
      blocks = before
    }
    while used > capacity { evict() }
  }

  /// Makes a segment the most recent, with that number of residents.
  private mutating func renew(_ segment: UInt32, blocks: Int) {
    let missing = blocks - residents[segment]
    assert(missing >= 0, "more is resident than fits in")
    if missing == blocks {
      order.prepend(segment, to: .first, size: 1)
    } else {
      order.moveToFront(segment, of: .first)
    }
    residents[segment] = blocks
    used += missing
    insertions += missing
  }

  /// Evicts from the end of the least recent segment. The prompt's own are more recent than all that leave.
  private mutating func evict() {
    guard let victim = order.back(of: .first) else { preconditionFailure("nothing is resident") }
    let leaving = min(residents[victim], used - capacity)
    residents[victim] -= leaving
    used -= leaving
    if residents[victim] == 0 { order.remove(victim, from: .first, size: 1) }
  }
}

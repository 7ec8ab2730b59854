import EvictionCore

/// The hits of LRU as a cache of prefixes at every size, in one pass over the prompts.
///
/// One pass is enough as leaf-first LRU is a stack algorithm. All blocks stand in one order by recency, which no size
/// changes: a prompt's chain moves to the front, its first block foremost. So a block stands before all that follow it
/// in chains, and a cache of n blocks holds the first n:
///
/// - What leaves is the last of these. No resident block follows it, so that the rule of chains asks nothing more.
/// - The prompt's own blocks stand in front of all that leave. Of a prompt longer than the cache the head is kept, which
///   is what stands first.
///
/// So a block is hit by all caches of more blocks than stand before it as its prompt arrives, and so are those that
/// precede it in the chain. Sizes count blocks, whatever tokens these hold.
///
/// - Paper: R. L. Mattson, J. Gecsei, D. R. Slutz and I. L. Traiger, “Evaluation techniques for storage hierarchies”,
///   IBM Systems Journal 9(2), 1970.
/// - Complexity: O(segments × log segments). Memory: 24 bytes a distinct block and 24 bytes a segment.
package struct PrefixStack {
  /// Counted prompts.
  package private(set) var prompts = 0
  /// Blocks of the counted prompts.
  package private(set) var blocks = 0
  /// Tokens of the counted prompts.
  package private(set) var tokens = 0
  /// The distinct blocks before the first counted prompt: larger caches were not full by then.
  package private(set) var filled = 0

  private let forest: PromptForest
  private let segments: PromptSegments
  private var order: SegmentOrder
  /// By size less one: what this size hits and the one before does not, less the same of that one.
  private var steps: (blocks: [Int], tokens: [Int], ratios: [Double])

  /// The hits of a cache.
  package struct Hits: Sendable, Equatable {
    /// The blocks that it has room for.
    package let capacity: Int
    /// Blocks of the longest resident prefixes.
    package let blocks: Int
    /// Tokens of the longest resident prefixes.
    package let tokens: Int
    /// The sum over the prompts of hit tokens / tokens, rounded.
    package let ratios: Double
  }

  /// Runs every prompt.
  ///
  /// - Parameters:
  ///   - forest: The prompts.
  ///   - warmup: Prompts at the start that are run but not counted.
  ///   - observer: Called every few thousand prompts with the number of blocks done; returning false stops the run.
  /// - Returns: The counts; nil if the observer stopped the run.
  package static func run(
    _ forest: PromptForest, warmup: Int = 0, observer: (Int) -> Bool = { _ in true }
  ) -> PrefixStack? {
    var stack = PrefixStack(forest)
    for prompt in 0..<forest.prompts {
      if prompt == warmup { stack.filled = stack.order.blocks }
      stack.serve(prompt, isCounted: prompt >= warmup)
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    return stack
  }

  private init(_ forest: PromptForest) {
    self.forest = forest
    segments = forest.segments
    order = SegmentOrder(segments)
    let sizes = forest.distinct + 1
    steps = (
      [Int](repeating: 0, count: sizes), [Int](repeating: 0, count: sizes),
      [Double](repeating: 0, count: sizes)
    )
  }

  /// Passes on the hits at every size, from 1 to the number of distinct blocks.
  package func forEach(_ body: (Hits) throws -> Void) rethrows {
    var (step, hits) = ((blocks: 0, tokens: 0, ratio: 0.0), (blocks: 0, tokens: 0, ratios: 0.0))
    for size in 0..<forest.distinct {
      step.blocks += steps.blocks[size]
      step.tokens += steps.tokens[size]
      step.ratio += steps.ratios[size]
      hits.blocks += step.blocks
      hits.tokens += step.tokens
      hits.ratios += step.ratio
      try body(
        Hits(capacity: size + 1, blocks: hits.blocks, tokens: hits.tokens, ratios: hits.ratios))
    }
  }

  private mutating func serve(_ prompt: Int, isCounted: Bool) {
    let places = segments.starts[prompt]..<segments.starts[prompt + 1]
    if isCounted {
      prompts += 1
      blocks += forest.starts[prompt + 1] - forest.starts[prompt]
      tokens += forest.tokens[prompt]
      var first = 0
      for place in places {
        let segment = segments.chains[place]
        // Nothing that follows a new block is known.
        guard let distance = order.blocks(before: segment) else { break }
        let length = segments.lengths[Int(segment)]
        count(first..<first + length, of: prompt, from: distance)
        first += length
      }
    }
    order.moveToFront(segments.chains[places], segments)
  }

  /// Counts blocks of a prompt, which stand one after the other from `distance` on.
  private mutating func count(_ blocks: Range<Int>, of prompt: Int, from distance: Int) {
    steps.blocks[distance] += 1
    steps.blocks[distance + blocks.count] -= 1
    let length = forest.tokens[prompt]
    var uneven = blocks
    if let blockTokens = forest.blockTokens {
      // All but the end of the prompt is whole.
      let whole = blocks.clamped(to: 0..<length / blockTokens)
      add(blockTokens, from: distance, to: distance + whole.count, of: length)
      uneven = blocks.lowerBound + whole.count..<blocks.upperBound
    }
    for block in uneven {
      let place = distance + block - blocks.lowerBound
      add(
        forest.tokens(at: forest.starts[prompt] + block, of: prompt), from: place, to: place + 1,
        of: length)
    }
  }

  private mutating func add(_ tokens: Int, from start: Int, to end: Int, of length: Int) {
    if start == end || tokens == 0 { return }
    steps.tokens[start] += tokens
    steps.tokens[end] -= tokens
    let ratio = Double(tokens) / Double(length)
    steps.ratios[start] += ratio
    steps.ratios[end] -= ratio
  }
}

/// Segments by recency, which knows how many blocks stand before each.
///
/// A Fenwick tree over the numbers of movements; when these run out, the segments are numbered anew.
private struct SegmentOrder {
  /// The blocks of all segments that moved to the front.
  private(set) var blocks = 0
  /// By segment: the number of its latest movement, from 1; 0 for none.
  private var latest: [UInt32]
  /// At i the blocks of the segments whose movements are above i − lowest bit of i, up to i.
  private var sums: [UInt32]
  private var last = 0

  init(_ segments: PromptSegments) {
    latest = [UInt32](repeating: 0, count: segments.count)
    let longest = zip(segments.starts.dropFirst(), segments.starts).map { $0 - $1 }.max() ?? 0
    sums = [UInt32](repeating: 0, count: 2 * segments.count + longest + 1)
  }

  /// The blocks that stand before a segment's; nil for one that was never moved.
  func blocks(before segment: UInt32) -> Int? {
    var number = Int(latest[Int(segment)])
    if number == 0 { return nil }
    var behind = 0
    while number > 0 {
      behind += Int(sums[number])
      number &= number - 1
    }
    return blocks - behind
  }

  /// Moves a chain to the front, its first segment foremost.
  mutating func moveToFront(_ chain: ArraySlice<UInt32>, _ segments: PromptSegments) {
    if last + chain.count >= sums.count { renumber(segments) }
    for segment in chain.reversed() {
      let length = UInt32(segments.lengths[Int(segment)])
      let previous = Int(latest[Int(segment)])
      last += 1
      latest[Int(segment)] = UInt32(last)
      add(length, at: last)
      if previous > 0 {
        add(0 &- length, at: previous)
      } else {
        blocks += Int(length)
      }
    }
  }

  private mutating func add(_ blocks: UInt32, at number: Int) {
    var number = number
    while number < sums.count {
      sums[number] &+= blocks
      number += number & -number
    }
  }

  private mutating func renumber(_ segments: PromptSegments) {
    let moved = latest.indices.filter { latest[$0] > 0 }.sorted { latest[$0] < latest[$1] }
    for number in sums.indices { sums[number] = 0 }
    last = 0
    for segment in moved {
      last += 1
      latest[segment] = UInt32(last)
      add(UInt32(segments.lengths[segment]), at: last)
    }
  }
}

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
/// - Complexity: O(segments + runs × log segments), with a run of segments that stood one after the other in this order.
///   Memory: 24 bytes a distinct block and 20 bytes a segment.
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
  private var steps: [Step]

  private struct Step {
    var blocks = 0
    var tokens = 0
    var ratio = 0.0
  }

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
    let chain = SegmentChain(of: stack.segments)
    for prompt in 0..<forest.prompts {
      if prompt == warmup { stack.filled = stack.order.blocks }
      stack.serve(prompt, chain.read(prompt), isCounted: prompt >= warmup)
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    return stack
  }

  private init(_ forest: PromptForest) {
    self.forest = forest
    segments = forest.segments
    order = SegmentOrder(segments)
    steps = [Step](repeating: Step(), count: forest.distinct + 1)
  }

  /// Passes on the hits at every size, from 1 to the number of distinct blocks.
  package func forEach(_ body: (Hits) throws -> Void) rethrows {
    var (step, hits) = (Step(), (blocks: 0, tokens: 0, ratios: 0.0))
    for size in 0..<forest.distinct {
      step.blocks += steps[size].blocks
      step.tokens += steps[size].tokens
      step.ratio += steps[size].ratio
      hits.blocks += step.blocks
      hits.tokens += step.tokens
      hits.ratios += step.ratio
      try body(
        Hits(capacity: size + 1, blocks: hits.blocks, tokens: hits.tokens, ratios: hits.ratios))
    }
  }

  private mutating func serve(
    _ prompt: Int, _ chain: UnsafeBufferPointer<UInt32>, isCounted: Bool
  ) {
    let length = forest.tokens[prompt]
    // All but the end of the prompt is whole.
    let whole = forest.blockTokens.map { length / $0 } ?? 0
    if isCounted {
      prompts += 1
      blocks += forest.starts[prompt + 1] - forest.starts[prompt]
      tokens += length
    }
    order.makeRoom(for: chain.count, segments)
    var (place, first) = (0, 0)
    // Nothing that follows a new block is known.
    while place < chain.count, var number = order.number(of: chain[place]) {
      let top = number
      var end = first
      repeat {
        end += segments.lengths[Int(chain[place])]
        place += 1
        number -= 1
      } while place < chain.count && order.number(of: chain[place]) == number
      if isCounted {
        count(first..<end, of: prompt, whole: whole, from: order.blocks(beforeTop: top))
      }
      order.remove(end - first, from: top)
      first = end
    }
    order.putInFront(chain, segments)
  }

  /// Counts blocks of a prompt, which stand one after the other from `distance` on.
  ///
  /// - Parameter whole: The blocks of the prompt that have all tokens of a block.
  private mutating func count(
    _ blocks: Range<Int>, of prompt: Int, whole: Int, from distance: Int
  ) {
    steps[distance].blocks += 1
    steps[distance + blocks.count].blocks -= 1
    let length = forest.tokens[prompt]
    let even = blocks.clamped(to: 0..<whole).count
    if even > 0, let blockTokens = forest.blockTokens {
      add(blockTokens, from: distance, to: distance + even, of: length)
    }
    for block in blocks.dropFirst(even) {
      let place = distance + block - blocks.lowerBound
      add(
        forest.tokens(atPlace: block, of: prompt), from: place, to: place + 1,
        of: length)
    }
  }

  private mutating func add(_ tokens: Int, from start: Int, to end: Int, of length: Int) {
    if tokens == 0 { return }
    let ratio = Double(tokens) / Double(length)
    steps[start].tokens += tokens
    steps[start].ratio += ratio
    steps[end].tokens -= tokens
    steps[end].ratio -= ratio
  }
}

/// Segments by recency, which knows how many blocks stand before each.
///
/// Movements to the front are numbered. What stands behind a segment is all that moved before it less what has moved again
/// since: a sum by number, and a Fenwick tree. When the numbers run out, the segments are numbered anew.
private struct SegmentOrder {
  /// The blocks of all segments that were ever put in front.
  private(set) var blocks = 0
  /// By segment: the number of its latest movement, from 1; 0 for none.
  private var latest: [UInt32]
  /// By number: the blocks that moved until then, modulo 2³².
  private var moved: [UInt32]
  /// At i the blocks that have moved again, of the numbers above i − lowest bit of i, up to i.
  private var gone: [UInt32]
  private var last = 0

  init(_ segments: PromptSegments) {
    latest = [UInt32](repeating: 0, count: segments.count)
    moved = [UInt32](repeating: 0, count: 2 * segments.count + segments.longest + 1)
    gone = moved
  }

  /// Makes sure that there are numbers for as many movements.
  mutating func makeRoom(for movements: Int, _ segments: PromptSegments) {
    if last + movements >= moved.count { renumber(segments) }
  }

  /// The number of a segment's latest movement; nil for none.
  func number(of segment: UInt32) -> Int? {
    let number = Int(latest[Int(segment)])
    return number == 0 ? nil : number
  }

  /// The blocks that stand before the segment of a number.
  func blocks(beforeTop top: Int) -> Int {
    var behind = moved[top]
    var number = top
    while number > 0 {
      behind &-= gone[number]
      number &= number - 1
    }
    return blocks - Int(behind)
  }

  /// Takes a run of segments out until they are put in front: of its numbers nothing is asked any more, so that one of
  /// them stands for all.
  mutating func remove(_ blocks: Int, from top: Int) {
    var number = top
    while number < gone.count {
      gone[number] &+= UInt32(truncatingIfNeeded: blocks)
      number += number & -number
    }
  }

  /// Puts a chain in front, its first segment foremost; those that were there are taken out.
  mutating func putInFront(_ chain: UnsafeBufferPointer<UInt32>, _ segments: PromptSegments) {
    for segment in chain.reversed() {
      let length = segments.lengths[Int(segment)]
      if latest[Int(segment)] == 0 { blocks += length }
      put(segment, of: length)
    }
  }

  private mutating func put(_ segment: UInt32, of length: Int) {
    moved[last + 1] = moved[last] &+ UInt32(truncatingIfNeeded: length)
    last += 1
    latest[Int(segment)] = UInt32(last)
  }

  private mutating func renumber(_ segments: PromptSegments) {
    let known = latest.indices.filter { latest[$0] > 0 }.sorted { latest[$0] < latest[$1] }
    for number in gone.indices { gone[number] = 0 }
    last = 0
    for segment in known { put(UInt32(segment), of: segments.lengths[segment]) }
  }
}

/// The prompts of a forest as chains of segments: the longest paths of blocks that no prompt has in part.
///
/// A segment is an edge of the forest's radix tree. Its blocks are requested together or not at all, and a segment
/// begins only where the one before it ends. Segments are numbered in order of first appearance.
package struct PromptSegments: Sendable {
  /// Segments of a prompt, one after the other, that come again with the same prompt.
  package struct Stretch: Sendable, Equatable {
    /// The number of the prompt's segments up to their end.
    package let end: UInt32
    /// The next prompt that has them, or `UInt32.max`.
    package let next: UInt32
  }

  /// By segment: the number of its blocks.
  package let lengths: [Int]
  /// By segment: the segment before it, or ``PromptForest/root``.
  package let parents: [UInt32]
  /// By segment: the number of segments from the first of its prompts to it.
  package let depths: [UInt32]
  /// By prompt: its last segment, which stands for all that precede it; ``PromptForest/root`` for none.
  package let ends: [UInt32]
  /// The stretches of all prompts, those of each one after the other. The farther a segment is from the first, the later
  /// it comes again; so that they are as many as the turns from one path of the tree to another: in all at most prompts ×
  /// (1 + log segments), and most often about one a prompt.
  package let stretches: [Stretch]
  /// By prompt, where its stretches start.
  package let stretchStarts: [Int]

  /// The number of segments.
  package var count: Int { lengths.count }
  /// The most segments of a prompt.
  package var longest: Int { Int(depths.max() ?? 0) }

  /// - Complexity: O(distinct blocks + segments of all prompts).
  init(_ forest: PromptForest) {
    // By node: the prompts that have it. A block has a higher number than the one before it.
    var requests = [UInt32](repeating: 0, count: forest.distinct)
    for end in forest.ends where end != PromptForest.root { requests[Int(end)] &+= 1 }
    for node in (0..<forest.distinct).reversed() {
      let parent = forest.parents[node]
      if parent != PromptForest.root { requests[Int(parent)] &+= requests[node] }
    }
    var (parents, depths): ([UInt32], [UInt32]) = ([], [])
    var firstNodes: [Int] = []
    // By node. The prompt that has a segment first numbers its nodes, one after the other.
    var segments = [UInt32](repeating: 0, count: forest.distinct)
    for node in 0..<forest.distinct {
      let parent = forest.parents[node]
      if parent == PromptForest.root {
        parents.append(parent)
        depths.append(1)
        firstNodes.append(node)
      } else if Int(parent) + 1 != node || requests[Int(parent)] != requests[node] {
        let segment = segments[Int(parent)]
        parents.append(segment)
        depths.append(depths[Int(segment)] + 1)
        firstNodes.append(node)
      }
      segments[node] = UInt32(firstNodes.count - 1)
    }
    lengths = zip(firstNodes.dropFirst() + [forest.distinct], firstNodes).map { $0 - $1 }
    let ends = forest.ends.map { $0 == PromptForest.root ? $0 : segments[Int($0)] }
    self.parents = parents
    self.depths = depths
    self.ends = ends
    (stretches, stretchStarts) = PromptSegments.stretches(ends, parents, depths)
  }

  private static func stretches(
    _ ends: [UInt32], _ parents: [UInt32], _ depths: [UInt32]
  ) -> ([Stretch], starts: [Int]) {
    var stretches: [Stretch] = []
    var starts = [Int](repeating: 0, count: ends.count)
    // By segment: the first prompt that has it, of those that were looked at.
    var coming = [UInt32](repeating: .max, count: parents.count)
    for prompt in ends.indices.reversed() {
      let start = stretches.count
      var segment = ends[prompt]
      while segment != PromptForest.root {
        let next = coming[Int(segment)]
        if stretches.count == start || stretches[stretches.count - 1].next != next {
          stretches.append(Stretch(end: depths[Int(segment)], next: next))
        }
        coming[Int(segment)] = UInt32(prompt)
        segment = parents[Int(segment)]
      }
      stretches[start...].reverse()
      starts[prompt] = start
    }
    return (stretches, starts)
  }

  /// The segments of a prompt. Loops read them by ``SegmentChain``, which allocates once.
  package func chain(of prompt: Int) -> [UInt32] {
    let chain = SegmentChain(of: self)
    return Array(chain.read(prompt))
  }
}

extension PromptForest {
  /// The tokens of prompts from number `first` on in blocks that an earlier prompt had, or in those `most` of these
  /// blocks that hold most.
  ///
  /// - Complexity: O(blocks), times their logarithm where blocks differ.
  package func reusableTokens(from first: Int, most: Int = .max) -> Int {
    reusable(from: first, most: most).tokens
  }

  /// The blocks of prompts from number `first` on that an earlier prompt had, `longest` of each prompt at most, and `most` in
  /// all; and the tokens of those that hold most.
  ///
  /// - Complexity: O(blocks), times their logarithm where blocks differ.
  func reusable(
    from first: Int, longest: Int = .max, most: Int = .max
  ) -> (blocks: Int, tokens: Int) {
    let segments = self.segments
    let chain = SegmentChain(of: segments)
    let nodes = PromptChain(of: self)
    // By tokens: the blocks that hold as many, where blocks differ.
    var blocksByTokens: [Int: Int] = [:]
    // Known segments precede new ones.
    var known = 0
    var reusable = (blocks: 0, tokens: 0)
    for prompt in 0..<prompts {
      var blocks = 0
      for segment in chain.read(prompt) {
        if segment < known {
          blocks += segments.lengths[Int(segment)]
        } else {
          known = Int(segment) + 1
        }
      }
      if prompt < first { continue }
      blocks = min(blocks, longest)
      reusable.tokens += tokens(ofFirst: blocks, of: prompt)
      reusable.blocks += blocks
      if blockTokens != nil || blocks == 0 { continue }
      var before = 0
      for node in nodes.read(prompt)[..<blocks] {
        let depth = min(depths[Int(node)], tokens[prompt])
        blocksByTokens[depth - before, default: 0] += 1
        before = depths[Int(node)]
      }
    }
    if most >= reusable.blocks { return reusable }
    if let blockTokens { return (most, min(most * blockTokens, reusable.tokens)) }
    var (left, all) = (most, 0)
    for (tokens, blocks) in blocksByTokens.sorted(by: { $0.key > $1.key }) {
      let taken = min(left, blocks)
      all += taken * tokens
      left -= taken
    }
    return (most, all)
  }
}

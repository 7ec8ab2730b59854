/// The prompts of a forest as chains of segments: the longest paths of blocks that no prompt has in part.
///
/// A segment is an edge of the forest's radix tree. Its blocks are requested together or not at all, and a segment
/// begins only where the one before it ends. Segments are numbered in order of first appearance.
package struct PromptSegments: Sendable {
  /// By segment: the number of its blocks.
  package let lengths: [Int]
  /// By segment: the segment before it, or ``PromptForest/root``.
  package let parents: [UInt32]
  /// The segments of all prompts, one after the other.
  package let chains: [UInt32]
  /// By prompt, where its segments start; and the end of the last one's.
  package let starts: [Int]
  /// By place in `chains`: the next prompt with the same segment, or `UInt32.max`.
  package let nextPrompts: [UInt32]

  /// The number of segments.
  package var count: Int { lengths.count }

  /// - Complexity: O(blocks).
  init(_ forest: PromptForest) {
    var requests = [UInt32](repeating: 0, count: forest.distinct)
    let nodes = PromptChain(of: forest)
    for prompt in 0..<forest.prompts {
      for node in nodes.read(prompt) { requests[Int(node)] &+= 1 }
    }
    var parents: [UInt32] = []
    var firstNodes: [Int] = []
    // By node. The prompt that has a segment first numbers its nodes, one after the other.
    var segments = [UInt32](repeating: 0, count: forest.distinct)
    for node in 0..<forest.distinct {
      let parent = forest.parents[node]
      if parent == PromptForest.root {
        parents.append(parent)
        firstNodes.append(node)
      } else if Int(parent) + 1 != node || requests[Int(parent)] != requests[node] {
        parents.append(segments[Int(parent)])
        firstNodes.append(node)
      }
      segments[node] = UInt32(firstNodes.count - 1)
    }
    let lengths = zip(firstNodes.dropFirst() + [forest.distinct], firstNodes).map { $0 - $1 }
    var chains: [UInt32] = []
    var starts = [0]
    starts.reserveCapacity(forest.starts.count)
    for prompt in 0..<forest.prompts {
      let chain = nodes.read(prompt)
      var place = 0
      while place < chain.count {
        let segment = segments[Int(chain[place])]
        chains.append(segment)
        place += lengths[Int(segment)]
      }
      starts.append(chains.count)
    }
    var coming = [UInt32](repeating: .max, count: lengths.count)
    var next = [UInt32](repeating: .max, count: chains.count)
    for prompt in (0..<forest.prompts).reversed() {
      for place in starts[prompt]..<starts[prompt + 1] {
        next[place] = coming[Int(chains[place])]
        coming[Int(chains[place])] = UInt32(prompt)
      }
    }
    self.lengths = lengths
    self.parents = parents
    self.chains = chains
    self.starts = starts
    nextPrompts = next
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
    var lengths: [Int] = []
    // Known segments precede new ones.
    var known = 0
    var reusable = (blocks: 0, tokens: 0)
    for prompt in 0..<prompts {
      var blocks = 0
      for segment in segments.chains[segments.starts[prompt]..<segments.starts[prompt + 1]] {
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
      if blockTokens != nil { continue }
      for place in 0..<blocks { lengths.append(tokens(atPlace: place, of: prompt)) }
    }
    if most >= reusable.blocks { return reusable }
    if let blockTokens { return (most, min(most * blockTokens, reusable.tokens)) }
    return (most, lengths.sorted(by: >).prefix(most).reduce(0, +))
  }
}

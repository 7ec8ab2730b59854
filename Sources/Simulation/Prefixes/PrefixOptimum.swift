import EvictionCore
import Requests

/// The optimum of a cache of prefixes: of the blocks that no resident one follows, the one needed farthest in the
/// future leaves, unless the newcomer is needed no sooner: then it stays out.
///
/// A block is needed whenever one behind it is, so the block needed farthest is always the end of a chain: the rule
/// is Belady's MIN with bypass, and no cache of as many blocks hits more blocks, whether it keeps chains or not. In
/// tokens a short last block can make another choice better.
///
/// - Paper: L. A. Belady, “A study of replacement algorithms for a virtual-storage computer”, IBM Systems Journal
///   5(2), 1966.
/// - Complexity: O(blocks × log capacity).
public enum PrefixOptimum {
  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  public static func run(
    _ forest: PromptForest, capacity: Int, warmup: Int = 0, observer: (Int) -> Bool = { _ in true }
  ) -> PrefixCounts? {
    forest.nextPrompts.withUnsafeBufferPointer { next in
      forest.nodes.withUnsafeBufferPointer { nodes in
        run(
          forest, nodes: nodes, next: next, capacity: capacity, warmup: warmup, observer: observer)
      }
    }
  }

  private static func run(
    _ forest: PromptForest, nodes: UnsafeBufferPointer<UInt32>, next: UnsafeBufferPointer<UInt32>,
    capacity: Int, warmup: Int, observer: (Int) -> Bool
  ) -> PrefixCounts? {
    var cache = LeafFirstCache(forest, capacity: capacity)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    // Nodes are numbered in order of first appearance.
    var known: UInt32 = 0
    for prompt in 0..<forest.prompts {
      let chain = forest.starts[prompt]..<forest.starts[prompt + 1]
      if prompt == warmup { counts.hadFilled = cache.used >= capacity }
      let blocks = UnsafeBufferPointer(rebasing: nodes[chain])
      // Nothing is resident behind a block that is not.
      var hits = 0
      while hits < blocks.count && cache.isResident(blocks[hits]) { hits &+= 1 }
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
        var reused = 0
        while reused < blocks.count && blocks[reused] < known { reused &+= 1 }
        counts.reusableTokens += min(reused * forest.blockTokens, forest.tokens[prompt])
      }
      // New blocks follow known ones.
      if let last = blocks.last { known = max(known, last &+ 1) }
      cache.serve(blocks, hits: hits, next: UnsafeBufferPointer(rebasing: next[chain]))
      if prompt & 4095 == 4095 && !observer(chain.upperBound) { return nil }
    }
    counts.insertions = cache.insertions
    counts.evictions = cache.insertions - cache.used
    return counts
  }
}

/// The residents of the optimum, and the ends of their chains by next use.
private struct LeafFirstCache: ~Copyable {
  /// A block.
  private struct Node: BitwiseCopyable {
    /// The next prompt that needs it.
    var next: UInt32 = 0
    /// The number of the last request whose chain it is on.
    var stamp: UInt32 = 0
    /// The resident blocks that follow it directly.
    var children: UInt32 = 0
    var isResident = false
  }

  private let parents: [UInt32]
  private let capacity: Int
  private(set) var used = 0
  private(set) var insertions = 0
  private var nodes: SlotArray<Node>
  private var stamp: UInt32 = 0
  /// The ends of chains, those of the request's own but one; the farthest next use first.
  private var leaves: SlotHeap<UInt32>

  init(_ forest: PromptForest, capacity: Int) {
    parents = forest.parents
    self.capacity = capacity
    nodes = SlotArray(repeating: Node(), slots: forest.distinct)
    leaves = SlotHeap(slots: forest.distinct)
  }

  /// Returns true if the block is resident.
  func isResident(_ node: UInt32) -> Bool { nodes[node].isResident }

  /// Serves a prompt of which the first `hits` blocks are resident, and no others; `next` has the next prompts of its
  /// blocks.
  mutating func serve(
    _ chain: UnsafeBufferPointer<UInt32>, hits: Int, next: UnsafeBufferPointer<UInt32>
  ) {
    stamp &+= 1
    for place in 0..<hits {
      nodes[chain[place]].stamp = stamp
      nodes[chain[place]].next = next[place]
    }
    var end = hits == 0 ? PromptForest.root : chain[hits &- 1]
    if end != PromptForest.root, leaves.contains(end) { leaves.remove(end) }
    for place in hits..<max(chain.count, hits) {
      guard used < capacity || evict(neededLaterThan: next[place]) else { break }
      let node = chain[place]
      nodes[node].stamp = stamp
      nodes[node].next = next[place]
      nodes[node].isResident = true
      if end != PromptForest.root { nodes[end].children &+= 1 }
      end = node
      used &+= 1
      insertions &+= 1
    }
    if end != PromptForest.root, nodes[end].children == 0 { addLeaf(end) }
  }

  private mutating func addLeaf(_ node: UInt32) {
    leaves.insert(node, priority: ~nodes[node].next)
  }

  /// Evicts the leaf needed farthest in the future.
  ///
  /// - Returns: False if none is needed later than `newcomer`.
  private mutating func evict(neededLaterThan newcomer: UInt32) -> Bool {
    guard let victim = leaves.first, nodes[victim].next > newcomer else { return false }
    nodes[victim].isResident = false
    used &-= 1
    let parent = parents[Int(victim)]
    if parent != PromptForest.root {
      nodes[parent].children &-= 1
      if nodes[parent].children == 0 && nodes[parent].stamp != stamp {
        // Most often needed as late, and then the next victim.
        leaves.replaceFirst(with: parent, priority: ~nodes[parent].next)
        return true
      }
    }
    leaves.remove(victim)
    return true
  }
}

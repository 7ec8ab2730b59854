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
    var cache = LeafFirstCache(forest, capacity: capacity)
    let nextPrompts = nextPrompts(of: forest)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    // Nodes are numbered in order of first appearance.
    var known: UInt32 = 0
    for prompt in 0..<forest.prompts {
      let chain = forest.starts[prompt]..<forest.starts[prompt + 1]
      if prompt == warmup { counts.hadFilled = cache.used >= capacity }
      let hits = chain.count { cache.isResident($0) }
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
        let reused = chain.count { forest.nodes[$0] < known }
        counts.reusableTokens += min(reused * forest.blockTokens, forest.tokens[prompt])
      }
      for access in chain { known = max(known, forest.nodes[access] + 1) }
      cache.serve(chain, hits: hits, nextPrompts: nextPrompts)
      if prompt & 4095 == 4095 && !observer(chain.upperBound) { return nil }
    }
    counts.insertions = cache.insertions
    counts.evictions = cache.insertions - cache.used
    return counts
  }

  /// By access: the next prompt with the same node, or `UInt32.max`.
  private static func nextPrompts(of forest: PromptForest) -> [UInt32] {
    var next = [UInt32](repeating: .max, count: forest.nodes.count)
    var coming = [UInt32](repeating: .max, count: forest.distinct)
    for prompt in (0..<forest.prompts).reversed() {
      for access in forest.starts[prompt]..<forest.starts[prompt + 1] {
        let node = Int(forest.nodes[access])
        next[access] = coming[node]
        coming[node] = UInt32(prompt)
      }
    }
    return next
  }
}

/// The residents of the optimum, and the ends of their chains by next use.
private struct LeafFirstCache: ~Copyable {
  let forest: PromptForest
  let capacity: Int
  var used = 0
  var insertions = 0
  /// By node.
  private var resident: [Bool]
  private var children: [UInt32]
  private var next: [UInt32]
  /// By node: the number of the last request whose chain it is on.
  private var stamps: [UInt32]
  private var stamp: UInt32 = 0
  /// The ends of chains, those of the request's own but one; the farthest next use first.
  private var leaves: SlotHeap<UInt32>

  init(_ forest: PromptForest, capacity: Int) {
    self.forest = forest
    self.capacity = capacity
    resident = [Bool](repeating: false, count: forest.distinct)
    children = [UInt32](repeating: 0, count: forest.distinct)
    next = [UInt32](repeating: 0, count: forest.distinct)
    stamps = [UInt32](repeating: 0, count: forest.distinct)
    leaves = SlotHeap(slots: forest.distinct)
  }

  /// Returns true if the block at `access` is resident.
  func isResident(_ access: Int) -> Bool { resident[Int(forest.nodes[access])] }

  /// Serves a prompt of which the first `hits` blocks are resident, and no others.
  mutating func serve(_ chain: Range<Int>, hits: Int, nextPrompts: [UInt32]) {
    stamp += 1
    for access in chain.prefix(hits) {
      let node = Int(forest.nodes[access])
      stamps[node] = stamp
      next[node] = nextPrompts[access]
    }
    var end = hits == 0 ? PromptForest.root : forest.nodes[chain.lowerBound + hits - 1]
    if end != PromptForest.root, leaves.contains(end) { leaves.remove(end) }
    for access in chain.dropFirst(hits) {
      guard used < capacity || evict(neededLaterThan: nextPrompts[access]) else { break }
      let node = forest.nodes[access]
      stamps[Int(node)] = stamp
      next[Int(node)] = nextPrompts[access]
      resident[Int(node)] = true
      if end != PromptForest.root { children[Int(end)] += 1 }
      end = node
      used += 1
      insertions += 1
    }
    if end != PromptForest.root, children[Int(end)] == 0 { addLeaf(end) }
  }

  private mutating func addLeaf(_ node: UInt32) {
    leaves.insert(node, priority: ~next[Int(node)])
  }

  /// Evicts the leaf needed farthest in the future.
  ///
  /// - Returns: False if none is needed later than `newcomer`.
  private mutating func evict(neededLaterThan newcomer: UInt32) -> Bool {
    guard let victim = leaves.first, next[Int(victim)] > newcomer else { return false }
    leaves.remove(victim)
    resident[Int(victim)] = false
    used -= 1
    let parent = forest.parents[Int(victim)]
    if parent != PromptForest.root {
      children[Int(parent)] -= 1
      if children[Int(parent)] == 0 && stamps[Int(parent)] != stamp { addLeaf(parent) }
    }
    return true
  }
}

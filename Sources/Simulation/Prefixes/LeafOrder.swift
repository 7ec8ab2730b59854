import EvictionCore
import Parameters
import Requests

/// An order of the ends of chains, for caches of prefixes only: it sees prompts and their answers, where a policy
/// of the catalog sees slots.
///
/// What is known of an answer is used from the next prompt on, as nothing leaves for a prompt but other prompts'
/// blocks.
public protocol LeafOrder: SendableMetatype {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// The order of an empty cache.
  init(_ forest: PromptForest, _ arguments: Arguments)

  /// Takes note of a prompt, before anything leaves for it.
  mutating func request(_ visit: PromptVisit, of forest: PromptForest)

  /// The value of keeping a block that no resident block follows, when `prompt` arrives: the block of the lowest
  /// value leaves, of equals the one that was requested longest ago.
  func value(of node: UInt32, at prompt: Int) -> Double
}

/// A prompt as a ``LeafOrder`` sees it.
public struct PromptVisit {
  /// The number of the prompt.
  public let prompt: Int
  /// The accesses to its blocks.
  public let chain: Range<Int>
  /// The number of its first blocks that some earlier prompt had, resident or not.
  public let known: Int
}

/// Runs an order over a forest.
///
/// - Complexity: O(blocks), and O(ends of chains) for each eviction.
struct LeafScan<Order: LeafOrder> {
  let forest: PromptForest
  let capacity: Int
  private var order: Order
  private var used = 0
  private var insertions = 0
  /// By node.
  private var resident: [Bool]
  private var children: [UInt32]
  /// By node: the number of its last prompt, from 1.
  private var lastUses: [UInt32]
  private var leaves: [UInt32] = []
  /// By node: its position among the leaves, from 1; 0 for none.
  private var positions: [UInt32]

  private init(_ forest: PromptForest, _ order: Order, capacity: Int) {
    self.forest = forest
    self.order = order
    self.capacity = capacity
    resident = [Bool](repeating: false, count: forest.distinct)
    children = [UInt32](repeating: 0, count: forest.distinct)
    lastUses = children
    positions = children
  }

  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer` stopped the run.
  static func run(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool
  ) -> PrefixCounts? {
    var cache = LeafScan(
      forest, Order(forest, options.run.arguments), capacity: options.run.capacity)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    for prompt in 0..<forest.prompts {
      let chain = forest.starts[prompt]..<forest.starts[prompt + 1]
      if prompt == options.warmup { counts.hadFilled = cache.used >= cache.capacity }
      let hits = chain.prefix { cache.resident[Int(forest.nodes[$0])] }.count
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= options.warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
      }
      cache.serve(prompt, chain, hits: hits)
      if prompt & 255 == 255 && !observer(chain.upperBound) { return nil }
    }
    counts.insertions = cache.insertions
    counts.evictions = cache.insertions - cache.used
    return counts
  }

  private mutating func serve(_ prompt: Int, _ chain: Range<Int>, hits: Int) {
    let known = chain.prefix { lastUses[Int(forest.nodes[$0])] != 0 }.count
    order.request(PromptVisit(prompt: prompt, chain: chain, known: known), of: forest)
    for access in chain { lastUses[Int(forest.nodes[access])] = UInt32(prompt + 1) }
    var end: UInt32? = hits == 0 ? nil : forest.nodes[chain.lowerBound + hits - 1]
    if let end, positions[Int(end)] != 0 { removeLeaf(end) }
    for access in chain.prefix(capacity).dropFirst(hits) {
      if used == capacity { evict(for: prompt) }
      let node = forest.nodes[access]
      resident[Int(node)] = true
      used += 1
      insertions += 1
      if let end { children[Int(end)] += 1 }
      end = node
    }
    if let end, children[Int(end)] == 0 { addLeaf(end) }
  }

  private mutating func evict(for prompt: Int) {
    var victim = leaves[0]
    var lowest = order.value(of: victim, at: prompt)
    for leaf in leaves.dropFirst() {
      let value = order.value(of: leaf, at: prompt)
      if (value, lastUses[Int(leaf)]) < (lowest, lastUses[Int(victim)]) {
        lowest = value
        victim = leaf
      }
    }
    removeLeaf(victim)
    resident[Int(victim)] = false
    used -= 1
    let parent = forest.parents[Int(victim)]
    if parent == PromptForest.root { return }
    children[Int(parent)] -= 1
    // The end of the prompt's own chain stays.
    if children[Int(parent)] == 0 && lastUses[Int(parent)] != UInt32(prompt + 1) {
      addLeaf(parent)
    }
  }

  private mutating func addLeaf(_ node: UInt32) {
    leaves.append(node)
    positions[Int(node)] = UInt32(leaves.count)
  }

  private mutating func removeLeaf(_ node: UInt32) {
    let position = Int(positions[Int(node)]) - 1
    let last = leaves.removeLast()
    positions[Int(node)] = 0
    if last == node { return }
    leaves[position] = last
    positions[Int(last)] = UInt32(position + 1)
  }
}

import EvictionCore
import Parameters
import Requests

/// Runs an order over a forest.
///
/// - Complexity: O(blocks), and for each eviction O(kinds + log ends of chains), or O(ends of chains) for an order
///   without kinds.
struct LeafScan<Order: LeafOrder> {
  let forest: PromptForest
  let capacity: Int
  private(set) var order: Order
  private(set) var used = 0
  private var insertions = 0
  /// By node.
  private var resident: [Bool]
  private var children: [UInt32]
  /// By node: the number of its last prompt, from 1.
  private var lastUses: [UInt32]
  private var leaves: [UInt32] = []
  /// By node: its position among the leaves, from 1; 0 for none.
  private var positions: [UInt32]
  /// By kind: the leaves, and some that no longer are.
  private var queues: [AgeQueue] = []
  /// By kind, 64 to a word: whether its queue has entries.
  private var filled: [UInt64] = []
  /// By kind: its oldest leaf; valid for `pricedPrompt`, where its queue has entries.
  private var oldest: [OldLeaf] = []
  private var pricedPrompt = -1
  private var revision = 0

  init(_ forest: PromptForest, _ order: Order, capacity: Int) {
    self.forest = forest
    self.order = order
    self.capacity = capacity
    resident = [Bool](repeating: false, count: forest.distinct)
    children = [UInt32](repeating: 0, count: forest.distinct)
    lastUses = children
    positions = children
    sortLeaves()
  }

  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer` stopped the run.
  static func run(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool
  ) -> PrefixCounts? {
    let capacity = options.run.capacity
    var cache = LeafScan(
      forest, Order(forest, capacity: capacity, options.run.arguments), capacity: capacity)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    for prompt in 0..<forest.prompts {
      if prompt == options.warmup { counts.hadFilled = cache.used >= capacity }
      let chain = forest.chain(of: prompt)
      let hits = cache.hits(of: chain)
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= options.warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
      }
      cache.serve(prompt, chain, hits: hits)
      if prompt & 255 == 255 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    counts.insertions = cache.insertions
    counts.evictions = cache.insertions - cache.used
    return counts
  }

  /// The blocks of the longest resident prefix of a prompt.
  func hits(of chain: [UInt32]) -> Int { chain.prefix { resident[Int($0)] }.count }

  /// Serves a prompt of which the first `hits` blocks are resident, and no others.
  mutating func serve(_ prompt: Int, _ chain: [UInt32], hits: Int) {
    pricedPrompt = -1
    let known = chain.prefix { lastUses[Int($0)] != 0 }.count
    order.request(PromptVisit(prompt: prompt, chain: chain, known: known), of: forest)
    for node in chain { lastUses[Int(node)] = UInt32(prompt + 1) }
    if revision != order.revision { sortLeaves() }
    var end: UInt32? = hits == 0 ? nil : chain[hits - 1]
    if let end, positions[Int(end)] != 0 { removeLeaf(end) }
    for node in chain.prefix(capacity).dropFirst(hits) {
      if used == capacity { evict(for: prompt) }
      resident[Int(node)] = true
      used += 1
      insertions += 1
      if let end { children[Int(end)] += 1 }
      end = node
    }
    if let end, children[Int(end)] == 0 { addLeaf(end) }
  }

  private mutating func evict(for prompt: Int) {
    let victim = queues.isEmpty ? worst(at: prompt) : oldestWorst(at: prompt)
    removeLeaf(victim)
    if !queues.isEmpty { price(order.kind(of: victim)) }
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

  /// The leaf of the lowest value.
  private func worst(at prompt: Int) -> UInt32 {
    var victim = leaves[0]
    var lowest = order.value(of: victim, at: prompt)
    for leaf in leaves.dropFirst() {
      let value = order.value(of: leaf, at: prompt)
      if (value, lastUses[Int(leaf)]) < (lowest, lastUses[Int(victim)]) {
        lowest = value
        victim = leaf
      }
    }
    return victim
  }

  /// The leaf of the lowest value among the oldest of each kind.
  private mutating func oldestWorst(at prompt: Int) -> UInt32 {
    if pricedPrompt != prompt {
      pricedPrompt = prompt
      for word in filled.indices {
        var left = filled[word]
        while let kind = LeafScan.takeFirst(of: &left) { price(word * 64 + kind) }
      }
    }
    var victim = OldLeaf()
    for word in filled.indices {
      var left = filled[word]
      while let kind = LeafScan.takeFirst(of: &left) {
        let leaf = oldest[word * 64 + kind]
        if (leaf.value, leaf.lastUse) < (victim.value, victim.lastUse) { victim = leaf }
      }
    }
    return victim.node
  }

  /// Takes the lowest of the bits that are set; nil if none is.
  private static func takeFirst(of bits: inout UInt64) -> Int? {
    if bits == 0 { return nil }
    defer { bits &= bits - 1 }
    return bits.trailingZeroBitCount
  }

  /// Finds the oldest leaf of a kind and its value.
  private mutating func price(_ kind: Int) {
    while let (use, leaf) = queues[kind].first {
      // Left, or requested since.
      if positions[Int(leaf)] == 0 || lastUses[Int(leaf)] != use {
        queues[kind].removeFirst()
        continue
      }
      let value = order.value(of: leaf, at: pricedPrompt)
      oldest[kind] = OldLeaf(value: value, lastUse: use, node: leaf)
      return
    }
    filled[kind / 64] &= ~(1 << UInt64(kind % 64))
  }

  /// Puts the leaves into the queues of their kinds anew.
  private mutating func sortLeaves() {
    revision = order.revision
    queues = [AgeQueue](repeating: AgeQueue(), count: order.kinds)
    filled = [UInt64](repeating: 0, count: (order.kinds + 63) / 64)
    oldest = [OldLeaf](repeating: OldLeaf(), count: order.kinds)
    for leaf in leaves { queue(leaf) }
  }

  private mutating func addLeaf(_ node: UInt32) {
    leaves.append(node)
    positions[Int(node)] = UInt32(leaves.count)
    queue(node)
  }

  /// Puts a leaf into the queue of its kind.
  private mutating func queue(_ leaf: UInt32) {
    if queues.isEmpty { return }
    let kind = order.kind(of: leaf)
    queues[kind].insert(leaf, lastUse: lastUses[Int(leaf)])
    filled[kind / 64] |= 1 << UInt64(kind % 64)
    if pricedPrompt >= 0 { price(kind) }
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

/// The end of a chain that was requested longest ago of its kind.
private struct OldLeaf {
  var value = Double.infinity
  var lastUse = UInt32.max
  var node = PromptForest.root
}

/// Blocks by their last request, the oldest first: a binary heap.
private struct AgeQueue {
  /// The prompt of the last request above the node.
  private var entries: [UInt64] = []

  var first: (lastUse: UInt32, node: UInt32)? {
    entries.first.map { (UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0)) }
  }

  mutating func insert(_ node: UInt32, lastUse: UInt32) {
    let entry = UInt64(lastUse) << 32 | UInt64(node)
    var place = entries.count
    entries.append(entry)
    while place > 0 && entries[(place - 1) / 2] > entry {
      entries[place] = entries[(place - 1) / 2]
      place = (place - 1) / 2
    }
    entries[place] = entry
  }

  mutating func removeFirst() {
    let entry = entries.removeLast()
    if entries.isEmpty { return }
    var place = 0
    while 2 * place + 1 < entries.count {
      var child = 2 * place + 1
      if child + 1 < entries.count && entries[child + 1] < entries[child] { child += 1 }
      if entries[child] >= entry { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}

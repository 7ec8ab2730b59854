import EvictionCore
import Parameters
import Requests

/// Runs an order over a forest.
///
/// - Complexity: O(blocks), and O(log ends of chains) for each eviction; for each prompt that evicts also O(kinds), or
///   O(ends of chains) for an order without kinds.
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
  /// By kind: the leaves without those of `fresh`, and some that no longer are.
  private var queues: [MinHeap<UInt64>] = []
  /// By kind, 64 to a word: whether its queue has entries.
  private var filled: [UInt64] = []
  /// The leaves that may leave first, valid for `pricedPrompt`: all of an order without kinds, else the oldest of each queue
  /// and those of `fresh`.
  private var priced = MinHeap<OldLeaf>()
  private var pricedPrompt = -1
  /// By kind: the leaf of its queue that is among `priced`.
  private var oldest: [UInt32] = []
  /// The blocks that became leaves as the one behind them left for the present prompt; most leave for it, too.
  private var fresh: [UInt32] = []
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
    for leaf in fresh where positions[Int(leaf)] != 0 { queue(leaf) }
    fresh.removeAll(keepingCapacity: true)
    if let end, children[Int(end)] == 0 {
      addLeaf(end)
      queue(end)
    }
  }

  private mutating func evict(for prompt: Int) {
    if pricedPrompt != prompt { priceAll(at: prompt) }
    let victim = priced.removeFirst().node
    removeLeaf(victim)
    if !queues.isEmpty {
      let kind = order.kind(of: victim)
      if oldest[kind] == victim { price(kind) }
    }
    resident[Int(victim)] = false
    used -= 1
    let parent = forest.parents[Int(victim)]
    if parent == PromptForest.root { return }
    children[Int(parent)] -= 1
    // The end of the prompt's own chain stays.
    if children[Int(parent)] == 0 && lastUses[Int(parent)] != UInt32(prompt + 1) {
      addLeaf(parent)
      fresh.append(parent)
      priced.insert(oldLeaf(parent))
    }
  }

  /// Values the leaves that may leave first.
  private mutating func priceAll(at prompt: Int) {
    pricedPrompt = prompt
    if queues.isEmpty {
      priced = MinHeap(leaves.map { oldLeaf($0) })
      return
    }
    priced.removeAll()
    for word in filled.indices {
      var left = filled[word]
      while let bit = LeafScan.takeFirst(of: &left) {
        price(word * 64 + bit)
      }
    }
  }

  /// A leaf with its value for `pricedPrompt`.
  private func oldLeaf(_ leaf: UInt32) -> OldLeaf {
    OldLeaf(
      value: order.value(of: leaf, at: pricedPrompt), lastUse: lastUses[Int(leaf)], node: leaf)
  }

  /// Takes the lowest of the bits that are set; nil if none is.
  private static func takeFirst(of bits: inout UInt64) -> Int? {
    if bits == 0 { return nil }
    defer { bits &= bits - 1 }
    return bits.trailingZeroBitCount
  }

  /// Values the oldest leaf of a kind.
  private mutating func price(_ kind: Int) {
    while let first = queues[kind].first {
      let leaf = UInt32(truncatingIfNeeded: first)
      // Left, or requested since.
      if positions[Int(leaf)] == 0 || lastUses[Int(leaf)] != UInt32(first >> 32) {
        queues[kind].removeFirst()
        continue
      }
      priced.insert(oldLeaf(leaf))
      oldest[kind] = leaf
      return
    }
    filled[kind / 64] &= ~(1 << UInt64(kind % 64))
    oldest[kind] = PromptForest.root
  }

  /// Puts the leaves into the queues of their kinds anew.
  private mutating func sortLeaves() {
    revision = order.revision
    queues = [MinHeap<UInt64>](repeating: MinHeap(), count: order.kinds)
    filled = [UInt64](repeating: 0, count: (order.kinds + 63) / 64)
    oldest = [UInt32](repeating: PromptForest.root, count: order.kinds)
    for leaf in leaves { queue(leaf) }
  }

  private mutating func addLeaf(_ node: UInt32) {
    leaves.append(node)
    positions[Int(node)] = UInt32(leaves.count)
  }

  /// Puts a leaf into the queue of its kind.
  private mutating func queue(_ leaf: UInt32) {
    if queues.isEmpty { return }
    let kind = order.kind(of: leaf)
    queues[kind].insert(UInt64(lastUses[Int(leaf)]) << 32 | UInt64(leaf))
    filled[kind / 64] |= 1 << UInt64(kind % 64)
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

/// An end of a chain with its value. The one of the lowest value leaves first, of equals the one requested longest ago.
private struct OldLeaf: Comparable {
  let value: Double
  let lastUse: UInt32
  let node: UInt32

  static func < (left: OldLeaf, right: OldLeaf) -> Bool {
    (left.value, left.lastUse) < (right.value, right.lastUse)
  }
}

/// A binary heap, the least first.
private struct MinHeap<Element: Comparable> {
  private var elements: [Element]

  init(_ elements: [Element] = []) {
    self.elements = elements
    for place in (0..<elements.count / 2).reversed() { sink(elements[place], from: place) }
  }

  var first: Element? { elements.first }

  mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

  mutating func insert(_ element: Element) {
    var place = elements.count
    elements.append(element)
    while place > 0 && element < elements[(place - 1) / 2] {
      elements[place] = elements[(place - 1) / 2]
      place = (place - 1) / 2
    }
    elements[place] = element
  }

  @discardableResult
  mutating func removeFirst() -> Element {
    let last = elements.removeLast()
    guard let first = elements.first else { return last }
    sink(last, from: 0)
    return first
  }

  /// Puts an element at `start`, or below, in the place of the one there.
  private mutating func sink(_ element: Element, from start: Int) {
    var place = start
    while 2 * place + 1 < elements.count {
      var child = 2 * place + 1
      if child + 1 < elements.count && elements[child + 1] < elements[child] { child += 1 }
      if !(elements[child] < element) { break }
      elements[place] = elements[child]
      place = child
    }
    elements[place] = element
  }
}

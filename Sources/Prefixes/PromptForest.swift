import EvictionCore
import Parameters
import Synchronization
import Traces

/// The prompts of a trace as chains of blocks in a forest: two prompts share the blocks of their common prefix,
/// and no others.
///
/// A node is a block behind all blocks that precede it. Nodes are numbered in order of first appearance, and the
/// forest is one array, the parent of each; so a node serves as a slot.
///
/// Where a source's ids hash a block's content and not what precedes it, one id stands for several nodes. A match
/// by id alone would then find prefixes where there are none; ``overstatedBlocks`` says how many.
@usableFromInline
package final class PromptForest: Sendable {
  /// Stands for the parent of a prompt's first block.
  @usableFromInline package static let root = UInt32.max

  /// The tokens of a whole block; nil where blocks differ.
  @usableFromInline package let blockTokens: Int?
  /// By node: the tokens from the start of its prompts to its end; empty where blocks do not differ.
  @usableFromInline package let depths: [Int]
  /// By node: the node of the block before it, or ``root``.
  @usableFromInline package let parents: [UInt32]
  /// The nodes of all prompts, one after the other.
  @usableFromInline package let nodes: [UInt32]
  /// By prompt, where its nodes start; and the end of the last one's.
  @usableFromInline package let starts: [Int]
  /// By prompt: its tokens.
  @usableFromInline package let tokens: [Int]
  /// By prompt: the tokens of its answer; 0 where they are unknown.
  package let outputs: [Int]
  /// By prompt: its session; nil where the source names none.
  @usableFromInline package let sessions: [UInt32]?
  /// By prompt: its time in nanoseconds; nil where the source has none.
  @usableFromInline package let times: [Int64]?

  /// The ids that stand behind more than one other id.
  package let ambiguousIDs: Int
  /// The block hits that a match by id alone, without limit of memory, would find beyond the chained ones.
  package let overstatedBlocks: Int
  /// The prompts with tokens beyond their blocks, which no cache can hold.
  package let uncoveredPrompts: Int

  private let segmentTable = Mutex<PromptSegments?>(nil)

  /// The same prompts as chains of segments. Computed when they are first read.
  package var segments: PromptSegments {
    segmentTable.withLock { table in
      if let table { return table }
      let segments = PromptSegments(self)
      table = segments
      return segments
    }
  }

  /// The number of prompts.
  @usableFromInline package var prompts: Int { tokens.count }
  /// The number of distinct nodes.
  @usableFromInline package var distinct: Int { parents.count }

  /// Chains the blocks of a trace.
  ///
  /// - Returns: Nil if the trace has no prompts.
  /// - Complexity: O(requests).
  package init?(_ trace: Trace) {
    guard let prompts = trace.prompts, let groups = trace.groupStarts else { return nil }
    blockTokens = prompts.blockTokens
    var starts = groups.withUnsafeBufferPointer { $0.map(Int.init) }
    starts.append(trace.requests)
    self.starts = starts
    tokens = prompts.lengths.map(\.input)
    outputs = prompts.lengths.map(\.output)
    sessions = prompts.sessions
    let trunks = starts.dropLast()
    times = trace.times.map { times in trunks.map { times[$0] } }

    var chains = BlockChains(ids: trace.distinct)
    var overstated = 0
    var uncovered = 0
    var depths: [Int] = []
    var nodes: [UInt32] = []
    nodes.reserveCapacity(trace.requests)
    for (prompt, start) in trunks.enumerated() {
      let end = starts[prompt + 1]
      var parent = PromptForest.root
      var isKnown = true
      var looksKnown = true
      for access in start..<end {
        let id = trace.ids[access]
        looksKnown = looksKnown && chains.hasSeen(id)
        let before = chains.count
        let depth = parent == PromptForest.root || depths.isEmpty ? 0 : depths[Int(parent)]
        parent = chains.node(of: id, behind: parent)
        if chains.count > before {
          isKnown = false
          if !prompts.tokens.isEmpty { depths.append(depth + Int(prompts.tokens[access])) }
        }
        if looksKnown && !isKnown { overstated += 1 }
        nodes.append(parent)
      }
      for access in start..<end { chains.markSeen(trace.ids[access]) }
      if tokens[prompt] > prompts.wholeTokens(of: start..<end) { uncovered += 1 }
    }
    self.nodes = nodes
    self.depths = depths
    parents = chains.parents
    ambiguousIDs = chains.ambiguousIDs
    overstatedBlocks = overstated
    uncoveredPrompts = uncovered
  }

  /// Some of the prompts, in this order; times stay where they are, as what comes at a time is another prompt. Nodes are
  /// numbered anew in order of first appearance. O(distinct nodes + nodes of the prompts).
  package func prompts(_ order: [UInt32]) -> PromptForest {
    PromptForest(of: self, in: order, times: times.map { Array($0.suffix(order.count)) })
  }

  /// Some of the prompts, in this order, each at its time: as if the trace had no others. Nodes are numbered as in
  /// ``prompts(_:)``.
  package func part(_ order: [UInt32]) -> PromptForest {
    PromptForest(of: self, in: order, times: times.map { times in order.map { times[Int($0)] } })
  }

  private init(of forest: PromptForest, in order: [UInt32], times: [Int64]?) {
    blockTokens = forest.blockTokens
    tokens = order.map { forest.tokens[Int($0)] }
    outputs = order.map { forest.outputs[Int($0)] }
    sessions = forest.sessions.map { sessions in order.map { sessions[Int($0)] } }
    self.times = times
    var numbers = [UInt32](repeating: .max, count: forest.distinct)
    var (nodes, parents, depths): ([UInt32], [UInt32], [Int]) = ([], [], [])
    nodes.reserveCapacity(
      order.reduce(0) { $0 + forest.starts[Int($1) + 1] - forest.starts[Int($1)] })
    var starts = [0]
    starts.reserveCapacity(order.count + 1)
    for prompt in order {
      for node in forest.nodes[forest.starts[Int(prompt)]..<forest.starts[Int(prompt) + 1]] {
        if numbers[Int(node)] == .max {
          numbers[Int(node)] = UInt32(parents.count)
          let parent = forest.parents[Int(node)]
          parents.append(parent == PromptForest.root ? parent : numbers[Int(parent)])
          if !forest.depths.isEmpty { depths.append(forest.depths[Int(node)]) }
        }
        nodes.append(numbers[Int(node)])
      }
      starts.append(nodes.count)
    }
    (self.nodes, self.parents, self.depths, self.starts) = (nodes, parents, depths, starts)
    // Remarks are on the whole trace.
    (ambiguousIDs, overstatedBlocks, uncoveredPrompts) = (0, 0, 0)
  }

  /// The tokens that the first `blocks` blocks of a prompt hold if all are whole.
  @inlinable @inline(__always)
  package func wholeTokens(ofFirst blocks: Int, of prompt: Int) -> Int {
    if let blockTokens { return blocks &* blockTokens }
    return blocks == 0 ? 0 : depths[Int(nodes[starts[prompt] &+ blocks &- 1])]
  }

  /// The tokens that the first `blocks` blocks of a prompt hold.
  @inlinable @inline(__always)
  package func tokens(ofFirst blocks: Int, of prompt: Int) -> Int {
    min(wholeTokens(ofFirst: blocks, of: prompt), tokens[prompt])
  }

  /// The tokens that the block at `access` of `prompt` holds.
  @inlinable @inline(__always)
  package func tokens(at access: Int, of prompt: Int) -> Int {
    let place = access &- starts[prompt]
    return tokens(ofFirst: place &+ 1, of: prompt) &- wholeTokens(ofFirst: place, of: prompt)
  }

  /// The remarks that results need, one line each.
  package func notes(on trace: String) -> [String] {
    var notes: [String] = []
    if ambiguousIDs > 0 {
      let share = Double(overstatedBlocks) / Double(max(1, nodes.count))
      notes.append(
        "\(trace): \(ambiguousIDs) block ids follow more than one other, so they name contents and not "
          + "prefixes; they are chained here. A match by id alone would find \(overstatedBlocks) block "
          + "hits too many (\(share.percent) of all blocks)")
    }
    if uncoveredPrompts > 0 {
      notes.append(
        "\(trace): \(uncoveredPrompts) of \(prompts) prompts have tokens beyond their blocks; these tokens "
          + "are missed")
    }
    if blockTokens == nil {
      notes.append(
        "\(trace): its blocks differ in tokens, so opt is exact in blocks and not in tokens: a policy may hit "
          + "more tokens than opt, but none more than its bound (tokens ≤ %)")
    }
    return notes
  }
}

/// Numbers the nodes of a forest.
private struct BlockChains {
  /// By node.
  var parents: [UInt32] = []
  /// The ids with more than one node.
  var ambiguousIDs = 0
  /// By id: its first node, or none yet.
  private var first: [UInt32]
  /// The nodes of ids that have one already, by parent and id.
  private var others: [UInt64: UInt32] = [:]
  private var isAmbiguous: [Bool]
  private var seen: [Bool]

  init(ids: Int) {
    first = [UInt32](repeating: .max, count: ids)
    isAmbiguous = [Bool](repeating: false, count: ids)
    seen = [Bool](repeating: false, count: ids)
  }

  var count: Int { parents.count }

  func hasSeen(_ id: UInt32) -> Bool { seen[Int(id)] }

  mutating func markSeen(_ id: UInt32) { seen[Int(id)] = true }

  mutating func node(of id: UInt32, behind parent: UInt32) -> UInt32 {
    let known = first[Int(id)]
    if known == .max {
      first[Int(id)] = newNode(behind: parent)
      return first[Int(id)]
    }
    if parents[Int(known)] == parent { return known }
    if !isAmbiguous[Int(id)] {
      isAmbiguous[Int(id)] = true
      ambiguousIDs += 1
    }
    let key = UInt64(parent) << 32 | UInt64(id)
    if let node = others[key] { return node }
    let node = newNode(behind: parent)
    others[key] = node
    return node
  }

  private mutating func newNode(behind parent: UInt32) -> UInt32 {
    parents.append(parent)
    return UInt32(parents.count - 1)
  }
}

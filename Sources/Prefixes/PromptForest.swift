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
  /// By prompt: its nodes.
  private let chains: NumberRuns
  /// By prompt, the number of blocks of all before it; and of all prompts.
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
  /// The number of blocks of all prompts.
  package var blocks: Int { starts[prompts] }
  /// The most blocks of a prompt.
  @usableFromInline package let longest: Int
  /// The number of distinct nodes.
  @usableFromInline package var distinct: Int { parents.count }

  /// Chains the blocks of a trace.
  ///
  /// - Returns: Nil if the trace has no prompts.
  /// - Complexity: O(requests). Memory: by prompts and distinct blocks (`NumberRuns`).
  package init?(_ trace: Trace) {
    guard let prompts = trace.prompts, let groups = trace.groupStarts, let ids = trace.chains else {
      return nil
    }
    blockTokens = prompts.blockTokens
    var starts = groups.withUnsafeBufferPointer { $0.map(Int.init) }
    starts.append(trace.requests)
    self.starts = starts
    let longest = PromptForest.longest(starts)
    self.longest = longest
    tokens = prompts.lengths.map(\.input)
    outputs = prompts.lengths.map(\.output)
    sessions = prompts.sessions
    times = trace.groupTimes

    var chains = BlockChains(ids: trace.distinct)
    var overstated = 0
    var uncovered = 0
    var depths: [Int] = []
    let chain = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: longest)
    defer { chain.deallocate() }
    for prompt in 0..<starts.count - 1 {
      let (start, end) = (starts[prompt], starts[prompt + 1])
      if end > start { ids.write(prompt, to: chain.baseAddress.unsafelyUnwrapped) }
      var parent = PromptForest.root
      var isKnown = true
      var looksKnown = true
      for access in start..<end {
        let id = chain[access - start]
        looksKnown = looksKnown && chains.hasSeen(id)
        let before = chains.count
        let depth = parent == PromptForest.root || depths.isEmpty ? 0 : depths[Int(parent)]
        parent = chains.node(of: id, behind: parent)
        if chains.count > before {
          isKnown = false
          if !prompts.tokens.isEmpty { depths.append(depth + Int(prompts.tokens[access])) }
        }
        if looksKnown && !isKnown { overstated += 1 }
      }
      for id in chain[..<(end - start)] { chains.markSeen(id) }
      if tokens[prompt] > prompts.wholeTokens(of: start..<end) { uncovered += 1 }
    }
    // Nodes are numbered as ids are, and where an id is always behind the same other one they are the ids.
    self.chains =
      chains.ambiguousIDs == 0 ? ids : chains.nodes(of: ids, starts: starts, in: chain)
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
    var (parents, depths): ([UInt32], [Int]) = ([], [])
    var chains = NumberRunBuffer()
    let chain = PromptChain(of: forest)
    var starts = [0]
    starts.reserveCapacity(order.count + 1)
    for prompt in order {
      let nodes = chain.read(Int(prompt))
      for place in nodes.indices {
        let node = nodes[place]
        if numbers[Int(node)] == .max {
          numbers[Int(node)] = UInt32(parents.count)
          let parent = forest.parents[Int(node)]
          parents.append(parent == PromptForest.root ? parent : numbers[Int(parent)])
          if !forest.depths.isEmpty { depths.append(forest.depths[Int(node)]) }
        }
        nodes[place] = numbers[Int(node)]
      }
      chains.append(UnsafeBufferPointer(nodes))
      starts.append(starts[starts.count - 1] + nodes.count)
    }
    self.chains = chains.freeze()
    (self.parents, self.depths, self.starts) = (parents, depths, starts)
    longest = PromptForest.longest(starts)
    // Remarks are on the whole trace.
    (ambiguousIDs, overstatedBlocks, uncoveredPrompts) = (0, 0, 0)
  }

  private static func longest(_ starts: [Int]) -> Int {
    zip(starts.dropFirst(), starts).map { $0 - $1 }.max() ?? 0
  }

  /// The words, of four bytes each, that hold the nodes of all prompts.
  package var chainWords: Int { chains.wordCount }

  /// The nodes of a prompt. Loops read them by ``PromptChain``, which allocates once.
  package func chain(of prompt: Int) -> [UInt32] {
    let count = starts[prompt + 1] - starts[prompt]
    return [UInt32](unsafeUninitializedCapacity: count) { target, initialized in
      if let base = target.baseAddress, count > 0 { write(prompt, to: base) }
      initialized = count
    }
  }

  /// Writes the nodes of a prompt to memory that has room for them.
  @usableFromInline
  func write(_ prompt: Int, to target: UnsafeMutablePointer<UInt32>) {
    chains.write(prompt, to: target)
  }

  /// The tokens of whole blocks up to the end of the block at a place of a prompt, where blocks differ.
  @usableFromInline
  func depth(at place: Int, of prompt: Int) -> Int {
    depths[Int(chains.number(at: place, of: prompt))]
  }

  /// The tokens that the first `blocks` blocks of a prompt hold if all are whole.
  @inlinable @inline(__always)
  package func wholeTokens(ofFirst blocks: Int, of prompt: Int) -> Int {
    if let blockTokens { return blocks &* blockTokens }
    return blocks == 0 ? 0 : depth(at: blocks &- 1, of: prompt)
  }

  /// The tokens that the first `blocks` blocks of a prompt hold.
  @inlinable @inline(__always)
  package func tokens(ofFirst blocks: Int, of prompt: Int) -> Int {
    min(wholeTokens(ofFirst: blocks, of: prompt), tokens[prompt])
  }

  /// The tokens that the block at a place of a prompt holds.
  @inlinable @inline(__always)
  package func tokens(atPlace place: Int, of prompt: Int) -> Int {
    tokens(ofFirst: place &+ 1, of: prompt) &- wholeTokens(ofFirst: place, of: prompt)
  }

  /// The remarks that results need, one line each.
  package func notes(on trace: String) -> [String] {
    var notes: [String] = []
    if ambiguousIDs > 0 {
      let share = Double(overstatedBlocks) / Double(max(1, blocks))
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

  /// By prompt, the nodes of its ids, all of which are known.
  ///
  /// - Parameter chain: Room for those of a prompt.
  mutating func nodes(
    of ids: NumberRuns, starts: [Int], in chain: UnsafeMutableBufferPointer<UInt32>
  ) -> NumberRuns {
    var all = NumberRunBuffer()
    for prompt in 0..<starts.count - 1 {
      let nodes = chain[..<(starts[prompt + 1] - starts[prompt])]
      if let base = chain.baseAddress, !nodes.isEmpty { ids.write(prompt, to: base) }
      var parent = PromptForest.root
      for place in nodes.indices {
        parent = node(of: chain[place], behind: parent)
        chain[place] = parent
      }
      all.append(UnsafeBufferPointer(rebasing: nodes))
    }
    return all.freeze()
  }

  private mutating func newNode(behind parent: UInt32) -> UInt32 {
    parents.append(parent)
    return UInt32(parents.count - 1)
  }
}

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
  /// By node: the first of those with consecutive numbers up to it, each of which follows the one before.
  private let runs: [UInt32]
  /// By prompt: the node of its last block, which stands for all that precede it; ``root`` for none.
  let ends: [UInt32]
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
  /// - Complexity: O(prompts + distinct blocks), and O(requests) where ids have several nodes. Memory: by prompts and distinct
  ///   blocks.
  package init?(_ trace: Trace) {
    guard let prompts = trace.prompts, let groups = trace.groupStarts, let paths = trace.chains
    else { return nil }
    blockTokens = prompts.blockTokens
    var starts = groups.withUnsafeBufferPointer { $0.map(Int.init) }
    starts.append(trace.requests)
    self.starts = starts
    longest = PromptForest.longest(starts)
    tokens = prompts.lengths.map(\.input)
    outputs = prompts.lengths.map(\.output)
    sessions = prompts.sessions
    times = trace.groupTimes

    parents = Array(paths.parents)
    let ends = Array(paths.ends)
    self.ends = ends
    runs = PromptForest.runs(parents)
    depths =
      prompts.tokens.isEmpty
      ? [] : PromptForest.depths(parents, ends, starts: starts, prompts.tokens)
    ambiguousIDs = paths.ambiguousIDs(among: trace.distinct)
    overstatedBlocks =
      ambiguousIDs == 0
      ? 0
      : PromptForest.overstatedBlocks(paths, ends, starts: starts, distinct: trace.distinct)
    var uncovered = 0
    for prompt in 0..<starts.count - 1
    where tokens[prompt] > prompts.wholeTokens(of: starts[prompt]..<starts[prompt + 1]) {
      uncovered += 1
    }
    uncoveredPrompts = uncovered
  }

  /// By node: the tokens up to its end.
  ///
  /// - Parameter tokens: Those of the block of each request.
  private static func depths(
    _ parents: [UInt32], _ ends: [UInt32], starts: [Int], _ tokens: [UInt32]
  ) -> [Int] {
    var depths: [Int] = []
    depths.reserveCapacity(parents.count)
    for (prompt, end) in ends.enumerated() where end != root && end >= depths.count {
      // The new nodes of a prompt are its last ones, and have consecutive numbers.
      var request = starts[prompt + 1] - (Int(end) + 1 - depths.count)
      while depths.count <= end {
        let parent = parents[depths.count]
        depths.append((parent == root ? 0 : depths[Int(parent)]) + Int(tokens[request]))
        request += 1
      }
    }
    return depths
  }

  /// The block hits of a match by id alone beyond the chained ones.
  private static func overstatedBlocks(
    _ paths: BlockPaths, _ ends: [UInt32], starts: [Int], distinct: Int
  ) -> Int {
    var seen = [Bool](repeating: false, count: distinct)
    var (known, overstated) = (0, 0)
    let ids = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(1, longest(starts)))
    defer { ids.deallocate() }
    for (prompt, end) in ends.enumerated() where end != root {
      let count = starts[prompt + 1] - starts[prompt]
      guard let base = ids.baseAddress else { break }
      paths.write(prompt, count: count, to: base)
      let new = max(0, Int(end) + 1 - known)
      let chain = ids[..<count]
      overstated += chain.prefix { seen[Int($0)] }.count - (count - new)
      for id in chain { seen[Int(id)] = true }
      known += new
    }
    return overstated
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
    let chain = PromptChain(of: forest)
    var (starts, ends): ([Int], [UInt32]) = ([0], [])
    starts.reserveCapacity(order.count + 1)
    for prompt in order {
      let nodes = chain.read(Int(prompt))
      for node in nodes {
        if numbers[Int(node)] == .max {
          numbers[Int(node)] = UInt32(parents.count)
          let parent = forest.parents[Int(node)]
          parents.append(parent == PromptForest.root ? parent : numbers[Int(parent)])
          if !forest.depths.isEmpty { depths.append(forest.depths[Int(node)]) }
        }
      }
      ends.append(nodes.last.map { numbers[Int($0)] } ?? PromptForest.root)
      starts.append(starts[starts.count - 1] + nodes.count)
    }
    (self.parents, self.depths, self.starts, self.ends) = (parents, depths, starts, ends)
    runs = PromptForest.runs(parents)
    longest = PromptForest.longest(starts)
    // Remarks are on the whole trace.
    (ambiguousIDs, overstatedBlocks, uncoveredPrompts) = (0, 0, 0)
  }

  private static func longest(_ starts: [Int]) -> Int {
    zip(starts.dropFirst(), starts).map { $0 - $1 }.max() ?? 0
  }

  private static func runs(_ parents: [UInt32]) -> [UInt32] {
    var runs: [UInt32] = []
    runs.reserveCapacity(parents.count)
    for (node, parent) in parents.enumerated() {
      let isNext = parent != root && Int(parent) + 1 == node
      runs.append(isNext ? runs[node - 1] : UInt32(node))
    }
    return runs
  }

  /// The bytes that hold the prompts: some for each prompt and for each distinct block, and none for blocks that come again.
  package var heldBytes: Int {
    let words = parents.count + runs.count + ends.count + (sessions?.count ?? 0)
    let doubleWords =
      depths.count + starts.count + tokens.count + outputs.count + (times?.count ?? 0)
    return 4 * words + 8 * doubleWords
  }

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
    var place = starts[prompt + 1] - starts[prompt]
    var node = ends[prompt]
    while place > 0 {
      let first = runs[Int(node)]
      let count = Int(node - first) + 1
      place -= count
      let part = target + place
      for step in 0..<count { part[step] = first &+ UInt32(truncatingIfNeeded: step) }
      node = parents[Int(first)]
    }
  }

  /// The tokens of whole blocks up to the end of the block at a place of a prompt, where blocks differ.
  @usableFromInline
  func depth(at place: Int, of prompt: Int) -> Int {
    var behind = starts[prompt + 1] - starts[prompt] - 1 - place
    var node = ends[prompt]
    while true {
      let first = runs[Int(node)]
      let before = Int(node - first)
      if before >= behind { return depths[Int(node) - behind] }
      behind -= before + 1
      node = parents[Int(first)]
    }
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

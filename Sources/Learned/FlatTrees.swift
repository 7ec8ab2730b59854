#if Learned
  import EvictionCore

  /// Trained trees in flat arrays, which predict many rows at once and without branches.
  ///
  /// A split knows which leaves lie below it, as bits. A row whose feature is not below the threshold cannot reach them. Of
  /// the leaves that remain after all splits, the first is the row's: see C. Lucchese et al., “QuickScorer: a fast
  /// algorithm to rank documents with additive ensembles of regression trees”, SIGIR 2015. No split depends on another,
  /// so one instruction compares several rows.
  @usableFromInline struct FlatTrees {
    /// A split or a leaf, as it is before the tree is appended.
    struct Node {
      /// The split's threshold, or the leaf's value.
      var value: Float = 0
      /// The child of what is below the threshold.
      var below = 0
      /// The child of all else.
      var other = 0
      /// Negative in a leaf.
      var feature: Int16 = -1
      /// True if a missing value goes where what is below the threshold goes.
      var missingIsBelow = false
    }

    /// A split, of which 32 leaves of its tree are seen.
    @usableFromInline struct Split: BitwiseCopyable {
      var threshold: Float
      /// The leaves that a row can still reach whose feature is not below the threshold.
      var others: UInt32
      var feature: Int16
      var missingIsBelow: Bool
    }

    /// 32 leaves of a tree; of a larger tree the last ones come first.
    @usableFromInline struct Part: BitwiseCopyable {
      /// The end of its splits, which begin where those of the part before end.
      var end: UInt32
      /// True if it has the first leaves of its tree.
      var endsTree: Bool
    }

    /// The rows that are predicted at once.
    private static let lanes = 32

    @usableFromInline var splits: [Split] = []
    @usableFromInline var parts: [Part] = []
    /// The values of the leaves, 32 for each part.
    @usableFromInline var leaves: [Float] = []

    var isEmpty: Bool { parts.isEmpty }

    /// Appends the tree whose root is the first of `nodes`.
    mutating func append(_ nodes: [Node]) {
      var values: [Float] = []
      var found: [(node: Node, leaves: Range<Int>)] = []
      FlatTrees.collect(0, of: nodes, &values, &found)
      for first in stride(from: (values.count - 1) / 32 * 32, through: 0, by: -32) {
        for (node, below) in found {
          let here = below.clamped(to: first..<first + 32)
          if here.isEmpty { continue }
          let bits = (UInt32.max >> (32 - here.count)) << (here.lowerBound - first)
          splits.append(
            Split(
              threshold: node.value, others: ~bits, feature: node.feature,
              missingIsBelow: node.missingIsBelow))
        }
        parts.append(Part(end: UInt32(splits.count), endsTree: first == 0))
        let here = values[first..<min(first + 32, values.count)]
        leaves += here + repeatElement(0, count: 32 - here.count)
      }
    }

    /// Collects the leaves under a node in their order, and its splits with the leaves below each.
    private static func collect(
      _ index: Int, of nodes: [Node], _ values: inout [Float],
      _ found: inout [(node: Node, leaves: Range<Int>)]
    ) {
      let node = nodes[index]
      if node.feature < 0 { return values.append(node.value) }
      let first = values.count
      collect(node.below, of: nodes, &values, &found)
      found.append((node, first..<values.count))
      collect(node.other, of: nodes, &values, &found)
    }

    /// Writes for each row the sum of `base` and the values of its leaves, in the order of the trees.
    func predict(
      _ rows: UnsafeBufferPointer<Float>, columns: Int, base: Float,
      into values: UnsafeMutableBufferPointer<Float>
    ) {
      let lanes = FlatTrees.lanes
      withUnsafeTemporaryAllocation(of: Float.self, capacity: (columns + 2) * lanes) { floats in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: lanes) { reachable in
          floats.initialize(repeating: 0)
          reachable.initialize(repeating: .max)
          guard let features = floats.baseAddress, let reachable = reachable.baseAddress else {
            return
          }
          let reached = features + columns * lanes
          let sums = reached + lanes
          for start in stride(from: 0, to: rows.count / columns, by: lanes) {
            let count = min(lanes, rows.count / columns - start)
            for lane in 0..<count {
              for column in 0..<columns {
                features[column &* lanes &+ lane] = rows[(start &+ lane) &* columns &+ column]
              }
            }
            for lane in 0..<lanes { sums[lane] = base }
            addLeaves(features, reachable, reached, to: sums)
            for lane in 0..<count { values[start &+ lane] = sums[lane] }
          }
        }
      }
    }

    /// Adds the values of the leaves that the rows reach, whose features lie column by column.
    private func addLeaves(
      _ features: UnsafePointer<Float>, _ reachable: UnsafeMutablePointer<UInt32>,
      _ reached: UnsafeMutablePointer<Float>, to sums: UnsafeMutablePointer<Float>
    ) {
      let lanes = FlatTrees.lanes
      var first = 0
      for part in parts.indices {
        for lane in 0..<lanes { reachable[lane] = .max }
        let end = Int(parts[part].end)
        for split in first..<end {
          let split = splits[split]
          let values = features + Int(split.feature) &* lanes
          // A comparison with NaN is false, so what is missing follows from which one is made.
          if split.missingIsBelow {
            for lane in 0..<lanes {
              reachable[lane] &= values[lane] >= split.threshold ? split.others : .max
            }
          } else {
            for lane in 0..<lanes {
              reachable[lane] &= values[lane] < split.threshold ? .max : split.others
            }
          }
        }
        first = end
        for lane in 0..<lanes {
          let leaf = part &* 32 &+ (reachable[lane] | 1 << 31).trailingZeroBitCount
          reached[lane] = reachable[lane] == 0 ? reached[lane] : leaves[leaf]
        }
        if parts[part].endsTree { for lane in 0..<lanes { sums[lane] += reached[lane] } }
      }
    }

    /// Passes on the trees, of rows of `columns` features.
    mutating func visitState(_ state: inout PolicyState, columns: Int) {
      state.visit(&splits)
      state.visit(&parts)
      state.visit(&leaves)
      let ends = parts.map(\.end)
      if leaves.count != 32 * parts.count || Int(ends.last ?? 0) != splits.count
        || zip(ends, ends.dropFirst()).contains(where: >)
        || splits.contains(where: { !(0..<columns).contains(Int($0.feature)) })
      {
        state.refuse()
      }
    }
  }
#endif

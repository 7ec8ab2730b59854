/// Sequences of ids, many of which begin alike: the blocks of prompts, as paths of a forest.
///
/// A node is an id behind all that precede it. Nodes are numbered in order of first appearance. A sequence is held as its last
/// node, one word whatever its length. A node is a word, and two where some id stands behind several others.
package struct BlockPaths: Sendable {
  /// Stands for the node before a first one, and for the last node of a sequence of none.
  package static let none = UInt32.max

  /// By node: its id; empty where nodes have the numbers of their ids.
  private let ids: Column<UInt32>
  /// By node: the one before it, or ``none``.
  package let parents: Column<UInt32>
  /// By sequence: its last node, or ``none``.
  package let ends: Column<UInt32>

  fileprivate init(ids: Column<UInt32>, parents: Column<UInt32>, ends: Column<UInt32>) {
    self.ids = ids
    self.parents = parents
    self.ends = ends
  }

  /// The bytes that hold all sequences.
  package var heldBytes: Int { 4 * (ids.count + parents.count + ends.count) }

  /// The number of ids with several nodes. O(nodes).
  ///
  /// - Parameter distinct: The number of all ids.
  package func ambiguousIDs(among distinct: Int) -> Int {
    if ids.count == 0 { return 0 }
    var nodes = [UInt32](repeating: 0, count: distinct)
    for id in ids { nodes[Int(id)] += 1 }
    return nodes.count { $0 > 1 }
  }

  /// Writes the ids of a sequence to memory that has room for them. O(ids).
  ///
  /// - Parameter count: Their number.
  package func write(_ sequence: Int, count: Int, to target: UnsafeMutablePointer<UInt32>) {
    parents.withUnsafeBufferPointer { parents in
      ids.withUnsafeBufferPointer { ids in
        var node = ends[sequence]
        for place in (0..<count).reversed() {
          target[place] = ids.isEmpty ? node : ids[Int(node)]
          node = parents[Int(node)]
        }
      }
    }
  }
}

/// Collects ``BlockPaths``.
package struct BlockPathBuffer: ~Copyable {
  private var ids = ColumnBuffer<UInt32>()
  private var parents = ColumnBuffer<UInt32>()
  private var ends = ColumnBuffer<UInt32>()
  /// By id: its first node; empty where nodes have the numbers of their ids.
  private var first: [UInt32] = []
  /// The nodes of ids that have one already, by the node before and the id.
  private var others: [UInt64: UInt32] = [:]
  private var hasIDs = false

  /// No sequence.
  package init() {}

  /// The number of sequences.
  var count: Int { ends.count }

  /// Bytes of the sequences so far.
  var usedBytes: Int {
    ids.usedBytes + parents.usedBytes + ends.usedBytes + 4 * first.count + 24 * others.count
  }

  /// Appends a sequence. O(ids).
  package mutating func append(_ sequence: UnsafeBufferPointer<UInt32>) {
    var end = BlockPaths.none
    for id in sequence { end = node(of: id, behind: end) }
    ends.append(end)
  }

  /// Appends a sequence of others with other ids in its place. O(ids).
  mutating func append(
    _ others: BlockPaths, _ sequence: Int, count: Int, as id: (UInt32) -> UInt32
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: max(1, count)) { ids in
      guard let base = ids.baseAddress else { return }
      others.write(sequence, count: count, to: base)
      for place in 0..<count { ids[place] = id(ids[place]) }
      append(UnsafeBufferPointer(start: base, count: count))
    }
  }

  @inline(__always)
  private mutating func node(of id: UInt32, behind parent: UInt32) -> UInt32 {
    if !hasIDs {
      if Int(id) == parents.count {
        parents.append(parent)
        return id
      }
      if Int(id) < parents.count, let parents = parents.elements, parents[Int(id)] == parent {
        return id
      }
      holdIDs()
    }
    return heldNode(of: id, behind: parent)
  }

  /// From here on an id may have several nodes.
  private mutating func holdIDs() {
    hasIDs = true
    first.reserveCapacity(parents.count)
    for node in 0..<UInt32(parents.count) {
      ids.append(node)
      first.append(node)
    }
  }

  private mutating func heldNode(of id: UInt32, behind parent: UInt32) -> UInt32 {
    while first.count <= Int(id) { first.append(BlockPaths.none) }
    let known = first[Int(id)]
    if known != BlockPaths.none, let parents = parents.elements, parents[Int(known)] == parent {
      return known
    }
    let key = UInt64(parent) << 32 | UInt64(id)
    if known != BlockPaths.none, let node = others[key] { return node }
    let node = UInt32(parents.count)
    parents.append(parent)
    ids.append(id)
    if known == BlockPaths.none { first[Int(id)] = node } else { others[key] = node }
    return node
  }

  /// The finished sequences.
  package consuming func freeze() -> BlockPaths {
    BlockPaths(ids: ids.freeze(), parents: parents.freeze(), ends: ends.freeze())
  }
}

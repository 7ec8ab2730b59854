/// The occupied part of a cache between any two requests: a tree over time that answers whether an object fits
/// for the whole of a stay.
///
/// - Complexity: O(log steps) per stay. Memory: 32 to 64 bytes per step.
package struct RoomProfile: ~Copyable {
  private struct Node {
    /// The most that is taken at any step below, leaving out what covers a node above.
    var most = 0
    /// The size that is taken at every step below, beyond what the nodes below say.
    var all = 0
  }

  private let nodes: UnsafeMutablePointer<Node>
  private let width: Int
  private let capacity: Int

  /// An empty cache.
  package init(steps: Int, capacity: Int) {
    var width = 1
    while width < steps { width *= 2 }
    self.width = width
    self.capacity = capacity
    nodes = .allocate(capacity: 2 * width)
    nodes.initialize(repeating: Node(), count: 2 * width)
  }

  deinit { nodes.deallocate() }

  /// Takes `size` at the steps from `start` up to but without `end`, if it fits at each of them.
  package mutating func take(_ size: Int, from start: Int, to end: Int) -> Bool {
    if size > capacity - most(from: start, to: end) { return false }
    add(size, from: start, to: end)
    return true
  }

  /// The most that is taken at any of the steps.
  private func most(from start: Int, to end: Int) -> Int {
    var (left, right) = (width + start, width + end - 1)
    var (mostLeft, mostRight) = (nodes[left].most, nodes[right].most)
    while left >> 1 != right >> 1 {
      if left & 1 == 0 { mostLeft = max(mostLeft, nodes[left ^ 1].most) }
      if right & 1 == 1 { mostRight = max(mostRight, nodes[right ^ 1].most) }
      left >>= 1
      right >>= 1
      mostLeft += nodes[left].all
      mostRight += nodes[right].all
    }
    var most = max(mostLeft, mostRight)
    while left > 1 {
      left >>= 1
      most += nodes[left].all
    }
    return most
  }

  private mutating func add(_ size: Int, from start: Int, to end: Int) {
    var (left, right) = (width + start, width + end - 1)
    cover(left, size)
    if left != right { cover(right, size) }
    while left >> 1 != right >> 1 {
      if left & 1 == 0 { cover(left ^ 1, size) }
      if right & 1 == 1 { cover(right ^ 1, size) }
      left >>= 1
      right >>= 1
      settle(left)
      settle(right)
    }
    while left > 1 {
      left >>= 1
      settle(left)
    }
  }

  private func cover(_ node: Int, _ size: Int) {
    nodes[node].most += size
    nodes[node].all += size
  }

  private func settle(_ node: Int) {
    nodes[node].most = max(nodes[2 * node].most, nodes[2 * node + 1].most) + nodes[node].all
  }
}

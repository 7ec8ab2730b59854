import Eviction
import Testing

@Suite("Pseudo-LRU trees")
struct PseudoLRUTreeTests {
  /// The tree with one `Bool` per node, without growth.
  struct Model {
    let depth: Int
    var pointsRight: [Bool]  // node 1 is the root; the children of i are 2i and 2i + 1
    var occupied: [Int]  // slots below a node; leaves are nodes 2^depth ...
    var slotAt: [Int: Slot] = [:]
    var leafOf: [Slot: Int] = [:]
    var left: [Int] = []
    var taken = 0

    init(depth: Int) {
      self.depth = depth
      pointsRight = Array(repeating: false, count: 1 << depth)
      occupied = Array(repeating: 0, count: 2 << depth)
    }

    mutating func touch(_ slot: Slot) {
      var node = leafOf[slot]!
      while node > 1 {
        pointsRight[node / 2] = node % 2 == 0
        node /= 2
      }
    }

    mutating func count(_ leaf: Int, _ change: Int) {
      var node = leaf
      while node > 0 {
        occupied[node] += change
        node /= 2
      }
    }

    mutating func insert(_ slot: Slot) {
      var leaf = 1
      if let vacant = left.popLast() {
        leaf = vacant
      } else {
        for bit in 0..<depth { leaf = 2 * leaf + (taken >> bit) % 2 }
        taken += 1
      }
      slotAt[leaf] = slot
      leafOf[slot] = leaf
      count(leaf, 1)
      touch(slot)
    }

    mutating func remove(_ slot: Slot) {
      let leaf = leafOf.removeValue(forKey: slot)!
      left.append(leaf)
      count(leaf, -1)
      if leafOf.isEmpty {
        left = []
        taken = 0
      }
    }

    var leastRecent: Slot? {
      if occupied[1] == 0 { return nil }
      var node = 1
      while node < 1 << depth {
        let wanted = 2 * node + (pointsRight[node] ? 1 : 0)
        node = occupied[wanted] > 0 ? wanted : wanted ^ 1
      }
      return slotAt[node]
    }
  }

  /// The number of slots, and of leaves for which there is room at first.
  static let shapes = [(1, 1), (3, 1), (64, 64), (65, 1), (200, 128), (5000, 1), (5000, 5000)]

  @Test("Every shape, and every growth, leads to the same slots as a tree of plain nodes")
  func againstAModel() {
    for (slots, leaves) in Self.shapes {
      var generator = SplitMix64(seed: UInt64(slots + leaves))
      var tree = PseudoLRUTree(slots: slots, leaves: leaves)
      var depth = 0
      while 1 << depth < slots { depth += 1 }
      var model = Model(depth: depth)
      for step in 0..<4 * slots + 100 {
        let slot = Slot(generator.index(below: slots))
        if !tree.contains(slot) {
          tree.insert(slot)
          model.insert(slot)
        } else if generator.index(below: 4) > 0 {
          tree.touch(slot)
          model.touch(slot)
        } else {
          tree.remove(slot)
          model.remove(slot)
        }
        if step % 3 > 0 && tree.leastRecent() != model.leastRecent {
          Issue.record("\(slots) slots, \(leaves) leaves, step \(step)")
          return
        }
      }
    }
  }

  @Test("An empty tree leads nowhere, and a cleared one is like new")
  func clearing() {
    var tree = PseudoLRUTree(slots: 4)
    #expect(tree.leastRecent() == nil)
    for slot in Slot(0)..<4 { tree.insert(slot) }
    tree.removeAll()
    #expect(tree.leastRecent() == nil && !tree.contains(2))
    tree.reserve(slots: 9)
    tree.insert(8)
    #expect(tree.leastRecent() == 8)
  }
}

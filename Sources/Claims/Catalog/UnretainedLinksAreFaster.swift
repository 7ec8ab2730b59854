import EvictionCore

extension Claim {
  /// The kinds of links of a recency list.
  static let unretainedLinksAreFaster = Claim(
    "C9", "Unretained links are faster.",
    hypothesis: "Bringing a node to the head takes less time with unretained links than with "
      + "retained or weak ones, or than in an arena of indices.",
    effect: "time unretained / time of the other",
    conditions: [1_000, 100_000].flatMap { count in
      [
        condition("strong", count) { NodeList<StrongNode>(count: $0) },
        condition("weak", count) { NodeList<WeakNode>(count: $0) },
        condition("index arena", count) { IndexList(count: $0) },
      ]
    })

  private static func condition(
    _ name: String, _ count: Int, _ other: @escaping @Sendable (Int) -> some RecencyList
  ) -> ClaimCondition {
    ClaimCondition(["against": name, "entries": "\(count)"], .faster) { context in
      let touched = context.indices(100_000, below: count)
      return context.compare {
        touch(NodeList<UnretainedNode>(count: count), touched)
      } with: {
        touch(other(count), touched)
      }
    }
  }

  private static func touch(_ list: some RecencyList, _ touched: [Int]) -> Double {
    var list = list
    return nanoseconds { for index in touched { list.moveToFront(index) } } / Double(touched.count)
  }
}

/// A circular list around a sentinel, which is the last node.
private protocol RecencyList {
  init(count: Int)
  mutating func moveToFront(_ index: Int)
}

/// A node of a list; the kinds differ in how they hold their neighbours.
private protocol ListNode: AnyObject {
  init()
  var next: Self? { get set }
  var previous: Self? { get set }
}

private final class StrongNode: ListNode {
  var next: StrongNode?
  var previous: StrongNode?
}

private final class WeakNode: ListNode {
  weak var next: WeakNode?
  weak var previous: WeakNode?
}

private final class UnretainedNode: ListNode {
  unowned(unsafe) var next: UnretainedNode?
  unowned(unsafe) var previous: UnretainedNode?
}

private final class NodeList<Node: ListNode>: RecencyList {
  let nodes: [Node]

  init(count: Int) {
    nodes = (0...count).map { _ in Node() }
    for (index, node) in nodes.enumerated() {
      node.next = nodes[(index + 1) % nodes.count]
      nodes[(index + 1) % nodes.count].previous = node
    }
  }

  // Nodes that hold each other would stay.
  deinit {
    for node in nodes { (node.next, node.previous) = (nil, nil) }
  }

  func moveToFront(_ index: Int) {
    let (node, head) = (nodes[index], nodes[nodes.count - 1])
    node.previous?.next = node.next
    node.next?.previous = node.previous
    node.next = head.next
    node.previous = head
    head.next?.previous = node
    head.next = node
  }
}

private struct IndexList: RecencyList {
  var next: [Int32]
  var previous: [Int32]

  init(count: Int) {
    let all = Int32(count + 1)
    next = (0..<all).map { ($0 + 1) % all }
    previous = (0..<all).map { ($0 + all - 1) % all }
  }

  mutating func moveToFront(_ index: Int) {
    let head = next.count - 1
    next[Int(previous[index])] = next[index]
    previous[Int(next[index])] = previous[index]
    next[index] = next[head]
    previous[index] = Int32(head)
    previous[Int(next[head])] = Int32(index)
    next[head] = Int32(index)
  }
}

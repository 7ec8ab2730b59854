import Parameters
import Requests

/// Keeps the heads of prompts, where instructions and tools are, before all else: recency decides among heads, and among
/// the rest.
///
/// SGLang (sgl-project/sglang 008b79d2, `evict_policy.py`, `PriorityStrategy`) orders nodes by a priority that the caller
/// gives, then by recency. No format of traces has priorities, so here they go by a block's place.
///
/// - Complexity: O(1) a block. Memory: 1 byte for each block ever seen.
struct Priority: LeafOrder {
  static let information = CatalogEntry(
    name: "priority", summary: "keeps the heads of prompts before all else",
    parameters: [
      Parameter(
        "head", .integer(in: 1...1_000_000), default: .integer(4),
        help: "blocks at the start of a prompt that have priority")
    ])

  static let origin = """
    SGLang's PriorityStrategy (sgl-project/sglang 008b79d2, evict_policy.py), where the caller gives the priority; \
    no trace has one, so the place decides here
    """

  let kinds = 2
  private let head: Int
  /// By node.
  private var isHead: [Bool]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    head = arguments.integer("head")
    isHead = [Bool](repeating: false, count: forest.distinct)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    for node in visit.chain.prefix(head) { isHead[Int(node)] = true }
  }

  @inline(__always)
  func kind(of node: UInt32) -> Int { isHead[Int(node)] ? 1 : 0 }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double { isHead[Int(node)] ? 1 : 0 }
}

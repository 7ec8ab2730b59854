import Parameters
import Requests

/// Weighs a block's hits against the tokens that a chain up to it keeps in memory.
///
/// The value of a block is requests / tokens up to its end, in classes of which four double it; in a class recency
/// decides.
///
/// - Complexity: O(1) a block. Memory: 5 bytes for each block ever seen.
struct HitsPerToken: LeafOrder {
  static let information = CatalogEntry(
    name: "hits-per-token", summary: "keeps chains that are hit often for their length")

  static let origin = """
    none exactly. Near to hits-per-token of SGLang (sgl-project/sglang#30300, not merged), which divides the hits of a \
    node of its tree by the node's own tokens, and not by those of the whole chain
    """

  let kinds = 128
  /// By node.
  private var requests: [UInt32]
  private var classOf: [UInt8]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    requests = [UInt32](repeating: 0, count: forest.distinct)
    classOf = [UInt8](repeating: 0, count: forest.distinct)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    for (place, block) in visit.chain.enumerated() {
      let node = Int(block)
      requests[node] += 1
      let tokens = max(1, forest.tokens(ofFirst: place + 1, of: visit.prompt))
      let doublings = PortableMath.log2(Double(requests[node]) / Double(tokens))
      // From 2^-24 requests a token on.
      classOf[node] = UInt8(min(max(4 * (doublings + 24), 0), 127))
    }
  }

  @inline(__always)
  func kind(of node: UInt32) -> Int { Int(classOf[Int(node)]) }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double { Double(classOf[Int(node)]) }
}

import Parameters
import Requests

/// Weighs age against the cost of computing a block again, which grows with its place in the prompt: attention reads
/// all tokens before it.
///
/// The value of a block is (1 + factor × place) / age, with the age in prompts.
///
/// - Complexity: O(1) a block. Memory: 8 bytes for each block ever seen.
struct DepthCost: LeafOrder {
  static let information = CatalogEntry(
    name: "depth-cost",
    summary: "keeps what costs most to compute again: blocks deep in a prompt",
    parameters: [
      Parameter(
        "factor", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(1, 32)),
        help: "the growth of the cost from one block to the next, as a fraction of the first's")
    ])

  static let origin = """
    none exactly. Near to Pensieve (L. Yu, J. Lin and J. Li, “Stateful Large Language Model Serving with Pensieve”, \
    EuroSys 2025), which divides the measured cost of computing a chunk again by the time since its last use, too, \
    but lets the first chunks of a conversation leave, and measures time in seconds
    """

  private let factor: Double
  /// By node.
  private var places: [UInt32]
  private var lastUses: [UInt32]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    factor = arguments.fraction("factor").double
    places = [UInt32](repeating: 0, count: forest.distinct)
    lastUses = places
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    for (place, block) in visit.chain.enumerated() {
      let node = Int(block)
      places[node] = UInt32(place)
      lastUses[node] = UInt32(visit.prompt)
    }
  }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double {
    let age = max(1, prompt - Int(lastUses[Int(node)]))
    return (1 + factor * Double(places[Int(node)])) / Double(age)
  }
}

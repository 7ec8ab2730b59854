import Foundation
import Parameters
import Requests

/// Follows the order that would have hit most of late: five orders run beside the cache, each on a cache of the same
/// size that holds names of blocks only.
///
/// The five are ``ReuseOdds`` as it is; the same with ends and falling with age itself; and ``Frequency`` up to 1, 3 and
/// 5, of which the first is LRU but for the ends. So each idea decides where it fits, and where none fits, LRU does.
///
/// Hit tokens are counted with a half-life. The order changes when another has more than the present one by a margin,
/// as a change costs hits until the cache holds what the new order would hold.
///
/// - Complexity: that of the five together. Memory: some 100 bytes for each block ever seen.
struct ReuseDuel: LeafOrder {
  static let information = CatalogEntry(
    name: "reuse-duel",
    summary: "follows whichever of reuse-odds, frequency and LRU would have hit most of late",
    parameters: [
      Parameter(
        "half-life", .integer(in: 1...1_000_000), default: .integer(1000),
        help: "prompts in which the weight of hits halves"),
      Parameter(
        "margin", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(3, 100)),
        help: "the lead in hits that changes the order, as a fraction"),
    ])

  private var odds: [LeafScan<ReuseOdds>]
  private var frequencies: [LeafScan<Frequency>]
  /// The weighted hit tokens of each order.
  private var hits: [Double]
  private var chosen = 0
  private(set) var revision = 0
  private let decay: Double
  private let margin: Double

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    odds = [(0.35, false), (1, true)].map { (age: Double, ends: Bool) in
      LeafScan(
        forest, ReuseOdds(forest, age: age, answers: true, paths: true, ends: ends),
        capacity: capacity)
    }
    frequencies = [1, 3, 5].map {
      LeafScan(forest, Frequency(forest, most: $0, ends: true), capacity: capacity)
    }
    hits = [Double](repeating: 0, count: odds.count + frequencies.count)
    decay = pow(0.5, 1 / Double(arguments.integer("half-life")))
    margin = arguments.fraction("margin").double
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    var best = chosen
    for order in hits.indices {
      let blocks: Int
      if order < odds.count {
        blocks = odds[order].hits(of: visit.prompt)
        odds[order].serve(visit.prompt, hits: blocks)
      } else {
        let place = order - odds.count
        blocks = frequencies[place].hits(of: visit.prompt)
        frequencies[place].serve(visit.prompt, hits: blocks)
      }
      let tokens = min(blocks * forest.blockTokens, forest.tokens[visit.prompt])
      hits[order] = hits[order] * decay + Double(tokens)
      if hits[order] > hits[best] { best = order }
    }
    if hits[best] > hits[chosen] * (1 + margin) {
      chosen = best
      revision += 1
    }
  }

  var kinds: Int {
    chosen < odds.count
      ? odds[chosen].order.kinds : frequencies[chosen - odds.count].order.kinds
  }

  func kind(of node: UInt32) -> Int {
    chosen < odds.count
      ? odds[chosen].order.kind(of: node)
      : frequencies[chosen - odds.count].order.kind(of: node)
  }

  func value(of node: UInt32, at prompt: Int) -> Double {
    chosen < odds.count
      ? odds[chosen].order.value(of: node, at: prompt)
      : frequencies[chosen - odds.count].order.value(of: node, at: prompt)
  }
}

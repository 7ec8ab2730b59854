import Foundation
import Parameters
import Requests

/// Follows the order that would have hit most of late: five orders run beside the cache, each on a cache of the same
/// size that holds names of blocks only.
///
/// The five are ``ReuseOdds`` as it is; the same with ends and falling with age itself; and ``Frequency`` up to 1, 3 and
/// 5, of which the first is LRU but for the ends. So each idea decides where it fits, and where none fits, LRU does.
///
/// Hit tokens are counted with a half-life. The order changes when another leads the present one by a margin, as a change
/// costs hits until the cache holds what the new order would hold. An order that falls behind LRU in a quarter of the
/// half-life is left at once and not chosen.
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
        help:
          "the lead that changes the order, as a fraction of hits or misses, whichever are fewer"),
    ])

  private var odds: [LeafScan<ReuseOdds>]
  private var frequencies: [LeafScan<Frequency>]
  /// The weighted hit tokens of each order.
  private var hits: [Double]
  /// The same with a shorter half-life.
  private var recentHits: [Double]
  private var recentTokens = 0.0
  private let recentDecay: Double
  /// The order that is LRU but for the ends.
  private let plain: Int
  /// The weighted tokens of all prompts.
  private var tokens = 0.0
  /// At first the order that fell below LRU least.
  private var chosen = 1
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
    plain = odds.count
    recentHits = hits
    recentDecay = pow(decay, 4)
    margin = arguments.fraction("margin").double
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
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
      let found = min(blocks * forest.blockTokens, forest.tokens[visit.prompt])
      hits[order] = hits[order] * decay + Double(found)
      recentHits[order] = recentHits[order] * recentDecay + Double(found)
    }
    var best = plain
    for order in hits.indices where hits[order] > hits[best] && !isBehind(order) { best = order }
    tokens = tokens * decay + Double(forest.tokens[visit.prompt])
    recentTokens = recentTokens * recentDecay + Double(forest.tokens[visit.prompt])
    if isBehind(chosen)
      || hits[best] - hits[chosen] > margin * min(hits[chosen], tokens - hits[chosen])
    {
      chosen = best
      revision += 1
    }
  }

  /// Returns true if an order fell behind LRU of late.
  private func isBehind(_ order: Int) -> Bool {
    let least = min(recentHits[plain], recentTokens - recentHits[plain])
    return recentHits[plain] - recentHits[order] > margin * least
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

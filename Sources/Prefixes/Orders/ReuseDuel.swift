import Parameters
import Requests

/// Follows the order that would have hit most lately: four orders run beside the cache, each on a cache of the same
/// size that holds names of blocks only.
///
/// Three are ``ReuseOdds``: as it is; with ends and falling with age itself; and this without paths but rising with
/// the square of a block's requests. The last is ``Frequency`` up to 1, which is LRU except for the ends. So each idea
/// decides where it fits, and where none fits, LRU does.
///
/// Hit tokens are counted with a half-life. The order changes when another leads the present one by a margin, as a change
/// costs hits until the cache holds what the new order would hold. An order that hits less than LRU by a quarter of
/// the half-life is left at once and not chosen.
///
/// - Complexity: that of the four together. Memory: some 100 bytes for each block ever seen.
struct ReuseDuel: LeafOrder {
  static let information = CatalogEntry(
    name: "reuse-duel",
    summary: "follows whichever of three reuse-odds and LRU would have hit most lately",
    parameters: [
      Parameter(
        "half-life", .integer(in: 1...1_000_000), default: .integer(1000),
        help: "prompts in which the weight of hits halves"),
      Parameter(
        "margin", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(3, 100)),
        help:
          "the lead that changes the order, as a fraction of hits or misses, whichever are fewer"),
    ])

  static let origin = """
    none. Its caches of names beside the cache are near to set dueling (M. K. Qureshi et al., “Adaptive Insertion \
    Policies for High Performance Caching”, ISCA 2007), which tries rules on samples of the cache itself
    """

  private var odds: [LeafScan<ReuseOdds>]
  /// The order that is LRU except for the ends.
  private var plain: LeafScan<Frequency>
  /// The weighted hit tokens of each of ``odds``, and those of ``plain``.
  private var hits: [Double]
  /// The same with a shorter half-life.
  private var recentHits: [Double]
  private let recentDecay: Double
  /// The weighted tokens of all prompts.
  private var tokens = 0.0
  /// At first the order that fell below LRU least.
  private var chosen = 1
  private(set) var revision = 0
  private let decay: Double
  private let margin: Double

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    odds = [
      ReuseOdds(forest, age: 0.35), ReuseOdds(forest, age: 1, ends: true),
      ReuseOdds(forest, age: 1, requests: 2, paths: false, ends: true),
    ].map { LeafScan(forest, $0, capacity: capacity) }
    plain = LeafScan(forest, Frequency(forest, most: 1, ends: true), capacity: capacity)
    hits = [Double](repeating: 0, count: odds.count + 1)
    decay = pow(0.5, 1 / Double(arguments.integer("half-life")))
    recentHits = hits
    recentDecay = pow(decay, 4)
    margin = arguments.fraction("margin").double
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    for order in odds.indices {
      let blocks = odds[order].hits(of: visit.chain)
      odds[order].serve(visit.prompt, visit.chain, hits: blocks)
      count(order, visit.prompt, blocks: blocks, of: forest)
    }
    let blocks = plain.hits(of: visit.chain)
    plain.serve(visit.prompt, visit.chain, hits: blocks)
    count(odds.count, visit.prompt, blocks: blocks, of: forest)
    tokens = tokens * decay + Double(forest.tokens[visit.prompt])
    choose()
  }

  /// Counts the hits of an order.
  private mutating func count(
    _ order: Int, _ prompt: Int, blocks: Int, of forest: PromptForest
  ) {
    let found = Double(forest.tokens(ofFirst: blocks, of: prompt))
    hits[order] = hits[order] * decay + found
    recentHits[order] = recentHits[order] * recentDecay + found
  }

  /// Changes the order if another leads by the margin or it fell behind LRU.
  private mutating func choose() {
    var best = odds.count
    for order in odds.indices where hits[order] > hits[best] && !isBehind(order) {
      best = order
    }
    if isBehind(chosen)
      || hits[best] - hits[chosen] > margin * min(hits[chosen], tokens - hits[chosen])
    {
      chosen = best
      revision += 1
    }
  }

  /// Returns true if an order hit less than LRU lately.
  private func isBehind(_ order: Int) -> Bool { recentHits[order] < recentHits[odds.count] }

  var kinds: Int { chosen < odds.count ? odds[chosen].order.kinds : plain.order.kinds }

  @inline(__always)
  func kind(of node: UInt32) -> Int {
    chosen < odds.count ? odds[chosen].order.kind(of: node) : plain.order.kind(of: node)
  }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double {
    chosen < odds.count
      ? odds[chosen].order.value(of: node, at: prompt)
      : plain.order.value(of: node, at: prompt)
  }
}

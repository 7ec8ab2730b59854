import Parameters
import Results

extension RunColumns {
  /// The columns that only caches of prefixes have.
  static let prefix: [ReportColumn<Measurement>] = [
    ReportColumn("M tokens saved", key: "hitTokens", rank: 2) {
      ($0.prefix?.hitTokens).map { (Double($0) / 1e6).text(knownTo: nil, decimals: 2) }
    },
    number("speed-up", key: "speedup", rank: 2) { $0.prefix?.speedup },
    percent("in session %", key: "sessionHitRatio", rank: 2) { $0.prefix?.sessionHitRatio },
    percent("across sessions %", rank: 2) { $0.prefix?.crossSessionHitRatio },
    count("prefill tokens p50", key: "missedTokensP50") { $0.prefix?.missedTokensP50 },
    count("p90", key: "missedTokensP90") { $0.prefix?.missedTokensP90 },
    count("p99", key: "missedTokensP99") { $0.prefix?.missedTokensP99 },
    percent("device %", rank: 1) { tierRatio($0, 0) },
    percent("tier 2 %", rank: 1) { tierRatio($0, 1) },
    percent("tier 3 %", rank: 1) { tierRatio($0, 2) },
    percent("tier 4 %", rank: 1) { tierRatio($0, 3) },
    percent("tier 5 %", rank: 1) { tierRatio($0, 4) },
    number("M tokens up", rank: 2) { megatokens($0.prefix?.tokensRaisedByTier) },
    number("M tokens down", rank: 2) { megatokens($0.prefix?.tokensWrittenByTier) },
    number("load ms", key: "meanLoadTime", rank: 1) { ($0.prefix?.meanLoadTime).map { $0 / 1000 } },
    percent("tokens ≤ %", key: "tokenHitRatioBound", rank: 3) { $0.prefix?.tokenHitRatioBound },
    ReportColumn("cost", key: "costs.total", rank: 0) { $0.prefix?.costs?.total.digits(4) },
    percent("saving %", key: "costs.saving", rank: 1) { $0.prefix?.costs?.saving },
    ReportColumn("M tokens written", key: "rent.writtenTokens", rank: 2) {
      ($0.prefix?.rent?.writtenTokens).map {
        (Double($0) / 1e6).text(knownTo: nil, decimals: 2)
      }
    },
    percent("pauses within %", key: "rent.pausesWithin", rank: 2) { $0.prefix?.rent?.pausesWithin },
    percent("any router ≤ %", key: "hindsightTokenHitRatio", rank: 3) {
      $0.prefix?.hindsightTokenHitRatio
    },
    number("busiest / mean", key: "busiest", rank: 3) { $0.prefix?.busiest },
    number("replicas", key: "replicas", rank: 3) { $0.prefix?.replicas },
    count("orphans", key: "orphans") { measurement in
      measurement.prefix.flatMap { $0.setup.residency == .free ? $0.orphans : nil }
    },
  ]

  /// The tokens that a tier hits, of all; nil where there is no such tier.
  private static func tierRatio(_ run: Measurement, _ tier: Int) -> Double? {
    guard let prefix = run.prefix, tier < prefix.hitTokensByTier.count, prefix.tokens > 0 else {
      return nil
    }
    return Double(prefix.hitTokensByTier[tier]) / Double(prefix.tokens)
  }

  /// The tokens that tiers below the device moved, in millions; nil where there are none.
  private static func megatokens(_ tokens: [Int]?) -> Double? {
    guard let tokens, !tokens.isEmpty else { return nil }
    return Double(tokens.dropFirst().reduce(0, +)) / 1e6
  }
}

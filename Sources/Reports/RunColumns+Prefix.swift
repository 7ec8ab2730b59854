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
    percent("tokens ≤ %", key: "tokenHitRatioBound", rank: 3) { $0.prefix?.tokenHitRatioBound },
    percent("any router ≤ %", key: "hindsightTokenHitRatio", rank: 3) {
      $0.prefix?.hindsightTokenHitRatio
    },
    number("busiest / mean", key: "busiest", rank: 3) { $0.prefix?.busiest },
    number("replicas", key: "replicas", rank: 3) { $0.prefix?.replicas },
    count("orphans", key: "orphans") { measurement in
      measurement.prefix.flatMap { $0.setup.residency == .free ? $0.orphans : nil }
    },
  ]
}

import Rendering
import Results
import Statistics
import Traces

/// The distribution of the requests over the keys.
package struct Popularity: TraceFigure {
  /// One of the most requested keys.
  package struct Key: Sendable, Equatable {
    /// The key's text; nil where the trace keeps only its hash.
    package let key: String?
    /// The key's stable hash in 16 hexadecimal digits.
    package let hash: String
    /// Its requests.
    package let requests: Int
    /// Their share of all requests.
    package let share: Double

    /// The longest name of a key.
    private static let longestName = 40

    /// The key as people read it: its text, or its hash. A long text lacks its middle: keys of one folder
    /// differ at their ends.
    var name: String {
      guard let key else { return "#\(hash)" }
      if key.count <= Key.longestName { return key }
      return key.prefix(Key.longestName / 3) + "…"
        + key.suffix(Key.longestName - 1 - Key.longestName / 3)
    }
  }

  /// The most requested keys, the first of them first.
  package let topKeys: [Key]
  /// The share of the requests that go to the most popular hundredth of the keys (at least one key).
  package let topHundredthShare: Double
  /// Zipf's law; nil for a single key.
  package let fit: ZipfFit?
  /// The p-value of the fit's distance; nil where it was not computed.
  package let pValue: Double?
  /// The number of replicates that it took.
  package let replicates: Int

  /// Ranks and their requests, evenly spread on a logarithmic scale.
  package let curve: [(rank: Int, requests: Int)]

  /// Their names in a document.
  package static let keys = ["topKeys", "topHundredthShare", "zipf"]

  /// The values in a document.
  package var values: [JSON] {
    let top = topKeys.map { key -> JSON in
      [
        "key": .optional(key.key), "hash": .string(key.hash), "requests": .integer(key.requests),
        "share": .number(key.share),
      ]
    }
    return [.array(top), .number(topHundredthShare), fit.map { zipf($0) } ?? .null]
  }

  /// True where the keys' counts are further from Zipf's law than chance would have them in nineteen of twenty traces.
  package var isRejected: Bool { pValue.map { $0 < 0.05 } ?? false }

  private func zipf(_ fit: ZipfFit) -> JSON {
    return [
      "alpha": .number(fit.alpha), "standardError": .number(fit.standardError),
      "interval": .optional(fit.interval()), "confidence": .number(0.95),
      "estimand": .string(Popularity.estimand),
      "distance": .number(fit.distance), "pValue": .optional(pValue),
      "replicates": .integer(replicates),
    ]
  }

  /// The facts for readers.
  package var facts: [TraceFact] {
    let top = topKeys.prefix(5).map { "\($0.name) (\($0.share.percent))" }
    var facts = [
      TraceFact("top keys", top.joined(separator: ", ")),
      TraceFact("top 1 % of the keys", "\(topHundredthShare.percent) of the requests"),
    ]
    guard let fit else { return facts }
    facts.append(TraceFact("Zipf α", fit.alpha.digits(4) + Popularity.uncertainty(of: fit)))
    let test = pValue.map { "p = \($0.digits(2)), \(replicates) replicates" } ?? "not tested"
    facts.append(
      TraceFact(
        "goodness of fit",
        "Kolmogorov–Smirnov distance \(fit.distance.digits(4)); \(test)"))
    return facts
  }

  /// The estimand of the exponent's interval.
  private static let estimand = "the law that each request is drawn from"

  /// The interval of the exponent; without one, why.
  private static func uncertainty(of fit: ZipfFit) -> String {
    if let interval = fit.interval() {
      return " [\(interval.lowerBound.digits(4)), \(interval.upperBound.digits(4))], "
        + "95 % confidence for \(estimand)"
    }
    let needed = fit.neededRequestsPerKey
    return "; no interval: "
      + (needed.isFinite
        ? "below \(needed.digits(3)) requests a key ranks are partly chance"
        : "the ranks of equal keys are chance")
  }

  /// Requests by rank.
  package var charts: [Chart] {
    var series = [
      Chart.Series(
        "keys", .dots, points: curve.map { (Double($0.rank), Double($0.requests)) })
    ]
    if let fit {
      // A law of powers is a straight line on these axes.
      let ends = [1, fit.ranks].map { rank in
        (Double(rank), fit.share(ofRank: rank) * Double(fit.requests))
      }
      series.append(Chart.Series("Zipf, α = \(fit.alpha.digits(3))", .dashes, points: ends))
    }
    return [
      Chart(
        title: "Popularity", x: .logarithmic("rank of the key"), y: .logarithmic("requests"),
        series: series)
    ]
  }
}

final class PopularityAnalyser: TraceAnalyser {
  private let trace: Trace
  private let options: TraceProfile.Options

  /// The number of keys named.
  private static let named = 10
  /// The fit of more keys is not tested by default: it would take longer than everything else.
  private static let testedKeys = 10_000

  init?(_ trace: Trace, options: TraceProfile.Options) {
    self.trace = trace
    self.options = options
  }

  func take(_ block: AnalysisBlock) {}

  func finish(_ uses: KeyUses) -> Popularity {
    let counts = RankedCounts(uses)
    let fit = ZipfFit(descendingCounts: counts.descending)
    let wanted = options.replicates ?? (counts.descending.count <= Self.testedKeys ? 99 : 0)
    let replicates = fit == nil ? 0 : wanted
    let hundredth = counts.descending.prefix(max(1, counts.descending.count / 100))
    return Popularity(
      topKeys: counts.top(Self.named, of: uses).map { key(UInt32($0), uses[$0].count) },
      topHundredthShare: share(hundredth.reduce(0) { $0 + Int($1) }), fit: fit,
      pValue: replicates == 0
        ? nil : fit?.pValue(replicates: replicates, seed: options.seed),
      replicates: replicates, curve: counts.curve)
  }

  private func key(_ id: UInt32, _ count: UInt32) -> Popularity.Key {
    let hash = String(trace.keyHash(of: id), radix: 16)
    return Popularity.Key(
      key: trace.integerKey(of: id).map(String.init) ?? trace.keyTexts?[id],
      hash: String(repeating: "0", count: 16 - hash.count) + hash, requests: Int(count),
      share: share(Int(count)))
  }

  private func share(_ requests: Int) -> Double { Double(requests) / Double(trace.requests) }
}

/// The formula of scores.
package enum ScoreMetric {
  /// The formula in words, as documents state it.
  package static let formula =
    "mean over traces and capacities of (misses of FIFO - misses) / (misses of FIFO - misses of the optimum), "
    + "each at least -1; a run without a result counts -1"

  /// The difference between the public and the hidden score above which a candidate has learned the traces by heart.
  package static let margin = 0.05

  /// The reduction of the misses against FIFO as a fraction of what the optimum reduces: 0 for FIFO, 1 for the optimum; nil
  /// where these miss alike.
  package static func share(misses: Int, fifo: Int, optimum: Int) -> Double? {
    if fifo <= optimum { return nil }
    return max(-1, Double(fifo - misses) / Double(fifo - optimum))
  }

  /// The reduction of the miss ratio against FIFO, from -1 to 1: where there are more misses, the increase as a fraction of
  /// them.
  package static func reduction(misses: Int, fifo: Int) -> Double {
    let most = max(misses, fifo)
    return most == 0 ? 0 : Double(fifo - misses) / Double(most)
  }
}

extension [ScoredTrace] {
  /// The mean of a value over traces and capacities; nil where no row has it.
  package func mean(_ value: (ScoreRow) -> Double?) -> Double? {
    let values = flatMap(\.rows).compactMap(value)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The score, by ``ScoreMetric/formula``.
  package var score: Double { mean(\.share) ?? 0 }
}

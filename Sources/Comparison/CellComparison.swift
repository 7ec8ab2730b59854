import Results

/// One run or curve held against its counterpart: what differs, and what could not be compared.
struct CellComparison {
  /// A figure that was left out, and why.
  struct Gap: Hashable {
    let figure: String
    let reason: String
  }

  private static let hits = "hits"

  let cell: CellKey
  /// True if anything of the one was held against the other.
  var isCompared = false
  var differences: [Difference] = []
  var gaps: [Gap] = []

  init(_ cell: CellKey) { self.cell = cell }

  /// Compares what was counted, which is exact where the run is deterministic. Runs that were counted
  /// window by window also say what their difference is in a stationary process like the trace, each for
  /// itself.
  mutating func compareCounts(_ before: Measurement, _ after: Measurement) {
    guard before.isDeterministic else {
      gaps.append(
        Gap(figure: CellComparison.hits, reason: "several threads hit what the scheduler lets them")
      )
      return
    }
    isCompared = true
    func difference(_ figure: String, _ value: (Measurement) -> Double?) -> Difference? {
      let (old, new) = (value(before), value(after))
      if old == new { return nil }
      return Difference(cell, figure, before: old, after: new, .changed, reason: reason(figure))
    }
    func reason(_ figure: String) -> String {
      if figure != CellComparison.hits || before.windows == nil || after.windows == nil {
        return ""
      }
      return StationaryEstimates.estimate(of: after, against: before).intervalText
    }
    differences += [
      difference("requests") { Double($0.requests) },
      difference(CellComparison.hits) { Double($0.hits) },
      difference("byte hit ratio") { $0.byteHitRatio },
      difference("cost hit ratio") { $0.costHitRatio },
      difference("insertions") { Double($0.insertions) },
      difference("evictions") { Double($0.evictions) },
      difference("expirations") { Double($0.expirations) },
      difference("hit ratio ≥") { $0.hitRatioBounds?.lowerBound },
      difference("hit ratio ≤") { $0.hitRatioBounds?.upperBound },
      difference("byte hit ratio ≥") { $0.byteHitRatioBounds?.lowerBound },
      difference("byte hit ratio ≤") { $0.byteHitRatioBounds?.upperBound },
    ].compactMap(\.self)
  }

  /// Compares two curves at each capacity of the first.
  ///
  /// Estimates from a sample of the keys repeat as exactly as counts do: the seed draws the same keys.
  mutating func compareCurves(_ before: MissRatioCurve, _ after: MissRatioCurve) {
    let later = Dictionary(
      after.points.map { ($0.capacity, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = before.points.compactMap { point in later[point.capacity].map { (point, $0) } }
    isCompared = !pairs.isEmpty
    if before.requests != after.requests {
      differences.append(
        Difference(
          cell, "requests", before: Double(before.requests), after: Double(after.requests),
          .changed))
    }
    let changed = pairs.filter { $0 != $1 }
    func step(_ pair: (MissRatioCurve.Point, MissRatioCurve.Point)) -> Double {
      abs(pair.1.missRatio - pair.0.missRatio)
    }
    if let (point, other) = changed.max(by: { step($0) < step($1) }) {
      var reason = "at \(Measurement.label(of: point.capacity, before.unit))"
      if changed.count > 1 { reason += ", most of \(changed.count) points in \(pairs.count)" }
      if point.missRatio == other.missRatio { reason += ", only in its interval" }
      differences.append(
        Difference(
          cell, "miss ratio", before: point.missRatio, after: other.missRatio, .changed,
          reason: reason))
    }
    comparePlaces(before, after, common: pairs.count)
  }

  /// Capacities that only one of two curves has.
  private mutating func comparePlaces(
    _ before: MissRatioCurve, _ after: MissRatioCurve, common: Int
  ) {
    func difference(_ verdict: Difference.Verdict, _ reason: String) -> Difference {
      Difference(
        cell, "points", before: Double(before.points.count), after: Double(after.points.count),
        verdict, reason: reason)
    }
    let (old, new) = (before.points.count, after.points.count)
    if old > common {
      differences.append(difference(.changed, "\(old - common) of \(old) capacities missing"))
    }
    if new > common {
      differences.append(difference(.added, "\(new - common) of \(new) capacities"))
    }
  }
}

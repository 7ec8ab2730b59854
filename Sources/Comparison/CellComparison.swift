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
  /// True if the instructions of the one were.
  var comparesInstructions = false
  var differences: [Difference] = []
  var gaps: [Gap] = []

  init(_ cell: CellKey) { self.cell = cell }

  /// Compares what was counted, as far as the run is deterministic. Runs that were counted window by window also say
  /// what their difference is in a stationary process like the trace, each for itself.
  mutating func compareCounts(_ before: Measurement, _ after: Measurement) {
    guard before.isDeterministic else {
      let reason =
        before.learning?.isBeside == true
        ? "a policy that is trained beside the requests hits what the clock lets it"
        : "several threads hit what the scheduler lets them"
      gaps.append(Gap(figure: CellComparison.hits, reason: reason))
      return
    }
    isCompared = true
    var (old, new) = (before.figures, after.figures)
    if before.hits != after.hits {
      (old, new) = (old.beyondHits, new.beyondHits)
    }
    compare(old, new)
    let place = differences.firstIndex { $0.figure == CellComparison.hits }
    if let place, before.windows != nil, after.windows != nil {
      differences[place].reason =
        StationaryEstimates.estimate(of: after, against: before).intervalText
    }
  }

  /// Compares figures as their fields declare: exact ones must be equal, and estimated ones within a tenth.
  mutating func compare(_ before: [DocumentFigure], _ after: [DocumentFigure]) {
    let later = Dictionary(after.map { ($0.path, $0.value) }, uniquingKeysWith: { old, _ in old })
    let earlier = Set(before.map(\.path))
    for figure in before where figure.isCompared {
      compare(figure, from: figure.value, to: later[figure.path] ?? .null)
    }
    // Lists may have grown.
    for figure in after where figure.isCompared && !earlier.contains(figure.path) {
      compare(figure, from: .null, to: figure.value)
    }
  }

  private mutating func compare(_ figure: DocumentFigure, from old: JSON, to new: JSON) {
    if old == new { return }
    var reason = ""
    var values = (old, new)
    if case (.array(let olds), .array(let news)) = values {
      let place = zip(olds, news).enumerated().first { $1.0 != $1.1 }?.offset
      values = place.map { (olds[$0], news[$0]) } ?? (.integer(olds.count), .integer(news.count))
      reason = place.map { "entry \($0 + 1) of \(olds.count)" } ?? "entries"
    }
    let (before, after) = (values.0.double, values.1.double)
    if figure.certainty == .estimated {
      guard let before, let after else { return }
      if abs(after - before) <= CellComparison.tenth * max(abs(before), abs(after)) { return }
      reason = "by more than a tenth"
    } else if new == .null {
      reason = "the new results have none"
    } else if before == nil && after == nil {
      reason = "\(old.text) → \(new.text)"
    }
    differences.append(
      Difference(
        cell, figure.name, before: before, after: after, old == .null ? .added : .changed,
        reason: reason))
  }

  /// The part by which estimated figures may differ.
  private static let tenth = 0.1

  /// Compares two curves at each capacity of the first.
  ///
  /// Estimates from a sample of the keys repeat as exactly as counts do: the seed draws the same keys.
  mutating func compareCurves(_ before: MissRatioCurve, _ after: MissRatioCurve) {
    let later = Dictionary(
      after.points.map { ($0.capacity, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = before.points.compactMap { point in later[point.capacity].map { (point, $0) } }
    isCompared = !pairs.isEmpty
    compare(
      before.figures.filter { $0.path != "points" }, after.figures.filter { $0.path != "points" })
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

extension DocumentFigure {
  /// True for what is held against the other document's. Values that follow from others differ where these do.
  fileprivate var isCompared: Bool {
    (certainty == .exact || certainty == .estimated) && !isDerived
      && path != "speed.\(ResultComparison.instructions)"
  }
}

extension [DocumentFigure] {
  /// Those that need not differ where the hits do.
  fileprivate var beyondHits: [DocumentFigure] {
    let following = ["missRatioReduction", "distanceToOptimum", "windows.hits", "classes.hits"]
    return filter { !following.contains($0.path) }
  }
}

import Results

/// Leaves out points that are on a straight line with their neighbours, within a tolerance.
///
/// From the last point that was kept, each later one leaves a range of slopes that pass it closely
/// enough; the first whose own slope is out of the range makes the one before it stay.
package struct StraightLines {
  private let tolerance: Double
  private var kept: [MissRatioCurve.Point] = []
  private var latest: MissRatioCurve.Point?
  private var slopes = (low: -Double.infinity, high: Double.infinity)

  /// No points yet.
  package init(tolerance: Double = MissRatioCurve.tolerance) { self.tolerance = tolerance }

  /// Takes the next point; capacities rise.
  package mutating func append(capacity: Int, missRatio: Double) {
    let point = MissRatioCurve.Point(capacity: capacity, missRatio: missRatio)
    defer { latest = point }
    guard let pivot = kept.last, let latest else {
      kept.append(point)
      return
    }
    let slope = slope(pivot, point, 0)
    if slope < slopes.low || slope > slopes.high {
      kept.append(latest)
      slopes = (-Double.infinity, Double.infinity)
    }
    narrow(kept[kept.count - 1], point)
  }

  private mutating func narrow(_ pivot: MissRatioCurve.Point, _ point: MissRatioCurve.Point) {
    slopes.low = max(slopes.low, slope(pivot, point, -tolerance))
    slopes.high = min(slopes.high, slope(pivot, point, tolerance))
  }

  private func slope(
    _ pivot: MissRatioCurve.Point, _ point: MissRatioCurve.Point, _ offset: Double
  ) -> Double {
    (point.missRatio + offset - pivot.missRatio) / Double(point.capacity - pivot.capacity)
  }

  /// The points that stay.
  package func finish() -> [MissRatioCurve.Point] {
    guard let latest, latest != kept.last else { return kept }
    return kept + [latest]
  }
}

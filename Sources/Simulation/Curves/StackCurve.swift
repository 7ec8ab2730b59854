import Results
import Traces

extension MissRatioCurve {
  /// The largest distance of the straight lines between the points of ``lru(of:goesOn:)`` from the curve.
  package static let tolerance = 0.0005

  /// The exact miss ratio of LRU at every capacity of objects, in one pass.
  ///
  /// Every point is exact; those are left out between which the curve is straight within
  /// ``tolerance``. The last one is at the number of distinct keys.
  ///
  /// - Parameters:
  ///   - trace: The requests.
  ///   - goesOn: Called about every million requests with the number done; false stops.
  /// - Returns: nil if it was stopped, if nothing is counted, and for more than 2³² − 2 requests.
  /// - Complexity: O(requests × log keys). Memory: about 21 bytes a key.
  package static func lru(
    of trace: Trace, goesOn: (Int) -> Bool = { _ in true }
  ) -> MissRatioCurve? {
    guard trace.requests <= StackDistances.mostRequests else { return nil }
    let start = ContinuousClock.now
    guard let (requests, hits) = StackDistances.counts(in: trace, goesOn: goesOn), requests > 0
    else { return nil }
    var misses = requests
    var line = StraightLines(tolerance: tolerance)
    for (distance, count) in hits.enumerated() {
      misses -= count
      line.append(capacity: distance + 1, missRatio: Double(misses) / Double(requests))
    }
    var curve = MissRatioCurve(
      trace: trace.name, policy: "lru", method: .stackDistances, requests: requests,
      points: line.finish())
    curve.seconds = (ContinuousClock.now - start).seconds
    return curve
  }
}

/// Leaves out points that are on a straight line with their neighbours, within a tolerance.
///
/// From the last point that was kept, each later one leaves a range of slopes that pass it closely
/// enough; the first whose own slope is out of the range makes the one before it stay.
private struct StraightLines {
  private let tolerance: Double
  private var kept: [MissRatioCurve.Point] = []
  private var latest: MissRatioCurve.Point?
  private var slopes = (low: -Double.infinity, high: Double.infinity)

  init(tolerance: Double) { self.tolerance = tolerance }

  /// Takes the next point; capacities rise.
  mutating func append(capacity: Int, missRatio: Double) {
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
  func finish() -> [MissRatioCurve.Point] {
    guard let latest, latest != kept.last else { return kept }
    return kept + [latest]
  }
}

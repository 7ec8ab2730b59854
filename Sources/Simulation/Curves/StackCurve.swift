import Results
import Traces

extension MissRatioCurve {
  /// The largest distance of the straight lines between the points of ``lru(of:from:goesOn:)`` from the curve.
  package static let tolerance = 0.0005

  /// The exact miss ratio of LRU at every capacity of objects, in one pass.
  ///
  /// Every point is exact; those are left out between which the curve is straight within
  /// ``tolerance``. The last one is at the number of distinct keys.
  ///
  /// - Parameters:
  ///   - trace: The requests.
  ///   - warmup: The requests at the start that are not counted.
  ///   - goesOn: Called about every million requests with the number done; false stops.
  /// - Returns: nil if it was stopped, if nothing is counted, and for more than 2³² − 2 requests.
  /// - Complexity: O(requests × log keys). Memory: about 21 bytes a key.
  package static func lru(
    of trace: Trace, from warmup: Int = 0, goesOn: (Int) -> Bool = { _ in true }
  ) -> MissRatioCurve? {
    guard trace.requests <= StackDistances.mostRequests else { return nil }
    let start = ContinuousClock.now
    let counts = StackDistances.counts(in: trace, from: warmup, goesOn: goesOn)
    guard let (requests, hits) = counts, requests > 0 else { return nil }
    var misses = requests
    var line = StraightLines()
    for (distance, count) in hits.enumerated() {
      misses -= count
      line.append(capacity: distance + 1, missRatio: Double(misses) / Double(requests))
    }
    var curve = MissRatioCurve(
      trace: trace.name, policy: "lru", method: .stackDistances, requests: requests,
      points: line.finish())
    curve.warmup = warmup
    curve.seconds = (ContinuousClock.now - start).seconds
    return curve
  }
}

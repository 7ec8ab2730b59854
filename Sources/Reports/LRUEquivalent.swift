import Results

extension Standing {
  /// True for a curve of the same trace, with the same capacities and ratio.
  func has(_ curve: MissRatioCurve) -> Bool {
    curve.trace == trace && curve.unit == unit && curve.hitRatioName == ratioName
  }
}

/// LRU at every size, beside which other policies are put.
struct LRUEquivalent {
  private let curve: MissRatioCurve

  /// LRU's curve of a trace; nil where the document has none.
  init?(_ standing: Standing, in results: ResultSet) {
    let curve = results.references.first { standing.has($0) && $0.policyLabel == "lru" }
    guard let curve, !curve.points.isEmpty else { return nil }
    self.curve = curve
  }

  /// LRU's hit ratio at a capacity; nil beyond the curve.
  func hitRatio(at capacity: Int) -> Double? { curve.missRatio(at: capacity).map { 1 - $0 } }

  /// LRU's hit ratio at a capacity, beyond the curve that of its end.
  func hitRatio(upTo capacity: Int) -> Double {
    curve.point(at: capacity).map { 1 - $0.missRatio } ?? 0
  }

  /// The largest capacity of the curve.
  var largest: Int? { curve.points.last?.capacity }

  /// The difference of hit ratios that the curve does not tell: between its points it is right to within that.
  private static let precision = 0.0005

  /// The memory that LRU needs for as many hits as a policy at a capacity, as a multiple of that, and 1 where it hits as much
  /// there; infinite where it never does. Between two points of the curve it lies on the line between them. Hits count as
  /// equal within the precision of the curve.
  func memory(for given: Double, at capacity: Int) -> Double {
    let points = curve.points
    let gain = given - self.hitRatio(upTo: capacity)
    if abs(gain) <= Self.precision { return 1 }
    let hitRatio = gain > 0 ? given - Self.precision : given
    guard let index = points.firstIndex(where: { 1 - $0.missRatio >= hitRatio }) else {
      return .infinity
    }
    let after = points[index]
    var needed = Double(after.capacity)
    if index > 0 {
      let before = points[index - 1]
      let lacking = (hitRatio - (1 - after.missRatio)) / (before.missRatio - after.missRatio)
      needed += lacking * Double(after.capacity - before.capacity)
    }
    return needed / Double(max(capacity, 1))
  }

  /// The point that is farthest above the straight line from no cache to the largest: from there on, memory brings less
  /// than on average.
  var knee: MissRatioCurve.Point? {
    guard let last = curve.points.last else { return nil }
    let slope = (1 - last.missRatio) / Double(last.capacity)
    return curve.points.max {
      1 - $0.missRatio - slope * Double($0.capacity)
        < 1 - $1.missRatio - slope * Double($1.capacity)
    }
  }

  /// The capacity at which LRU has nine tenths of the hits that it has at its largest.
  var enough: Int? {
    guard let last = curve.points.last else { return nil }
    return curve.points.first { 1 - $0.missRatio >= 0.9 * (1 - last.missRatio) }?.capacity
  }
}

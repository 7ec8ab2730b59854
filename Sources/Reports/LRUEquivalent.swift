import Results

/// LRU at every size, beside which other policies are put.
struct LRUEquivalent {
  private let curve: MissRatioCurve

  /// LRU's curve of a trace; nil where the document has none.
  init?(_ trace: String, _ unit: Measurement.Unit, in results: ResultSet) {
    let curve = results.references.first {
      $0.trace == trace && $0.unit == unit && $0.policyLabel == "lru"
    }
    guard let curve, !curve.points.isEmpty else { return nil }
    self.curve = curve
  }

  /// LRU's hit ratio at a capacity; nil beyond the curve.
  func hitRatio(at capacity: Int) -> Double? { curve.missRatio(at: capacity).map { 1 - $0 } }

  /// The memory that LRU needs for as many hits as a policy at a capacity, as a multiple of that; infinite
  /// where LRU never hits as much. Between two points of the curve it lies on the line between them.
  func memory(for hitRatio: Double, at capacity: Int) -> Double {
    let points = curve.points
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

  /// The capacity at which LRU has nine tenths of the hits that it has at its largest.
  var enough: Int? {
    guard let last = curve.points.last else { return nil }
    return curve.points.first { 1 - $0.missRatio >= 0.9 * (1 - last.missRatio) }?.capacity
  }
}

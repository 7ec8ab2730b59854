import Parameters

/// The Markov model of AdaptSize: how many hits an LRU cache with admission probability e^(−size/c)
/// has.
struct AdaptSizeModel {
  private struct Object {
    let rate: Double
    let size: Double
  }

  private let objects: [Object]
  private let capacity: Double

  /// A model of the objects known.
  init(_ statistics: KeyStatistics, capacity: Int) {
    objects = statistics.records.map { Object(rate: $0.rate ?? 0, size: Double($0.size)) }
    self.capacity = Double(max(1, capacity))
  }

  /// The c with the most hits; nil where the arithmetic fails.
  ///
  /// x₀ … x₃ are logarithms of c; the interval from x₀ to x₃ holds the best one, x₁ and x₂ divide it.
  func bestC(iterations: Int) -> Double? {
    let golden = 0.618_033_99
    var x0 = 0.0
    var x3 = PortableMath.log2(capacity)
    var (x1, h1) = coarseBest(below: x3)
    var (x2, h2) = (x1, h1)
    if x3 - x1 > x1 - x0 {
      x2 = x1 + (1 - golden) * (x3 - x1)
      h2 = hits(log2c: x2)
    } else {
      x1 = x0 + (1 - golden) * (x1 - x0)
      h1 = hits(log2c: x1)
    }
    for _ in 0..<iterations {
      if h1.isNaN || h2.isNaN || abs(x3 - x0) <= 3e-8 * (abs(x1) + abs(x2)) { break }
      if h2 > h1 {
        (x0, x1, h1) = (x1, x2, h2)
        x2 = golden * x1 + (1 - golden) * x3
        h2 = hits(log2c: x2)
      } else {
        (x3, x2, h2) = (x2, x1, h1)
        x1 = golden * x2 + (1 - golden) * x0
        h1 = hits(log2c: x1)
      }
    }
    if h1.isNaN || h2.isNaN { return nil }
    return PortableMath.exp2(h1 > h2 ? x1 : x2)
  }

  /// The best of a coarse grid; `end` and no hits if there is none.
  private func coarseBest(below end: Double) -> (x: Double, hits: Double) {
    var best = (x: end, hits: 0.0)
    for x in stride(from: 2, to: end, by: 4) {
      let hits = hits(log2c: x)
      if hits > best.hits { best = (x, hits) }
    }
    return best
  }

  /// The modelled hits for one c.
  func hits(log2c: Double) -> Double {
    let c = PortableMath.exp2(log2c)
    let probabilities = objects.map { PortableMath.exp(-$0.size / c) }
    var admitted = 0.0
    for (object, p) in zip(objects, probabilities) { admitted += object.rate * p * object.size }
    if admitted <= 0 { return 0 }
    let time = characteristicTime(probabilities, start: capacity / admitted)
    var sum = 0.0
    for (object, p) in zip(objects, probabilities) {
      let x = object.rate * time
      // e^x − 1 is about n/d.
      let n = x * (840 + x * (60 + x * (20 + x)))
      let d = 840 + x * (-360 + x * (60 - 4 * x))
      let share = d + p * n == 0 ? 0 : p * n / (d + p * n)
      sum += object.rate * min(max(share, 0), 1)
    }
    return sum
  }

  /// T: how long an object stays that is not requested again.
  private func characteristicTime(_ probabilities: [Double], start: Double) -> Double {
    var time = start
    for _ in 0..<10 where time <= 1e70 {
      var resident = 0.0
      for (object, p) in zip(objects, probabilities) {
        let x = object.rate * time
        // Beyond that it is resident for all that a Double can tell.
        let odds = p * (PortableMath.exp(min(x, 150)) - 1)
        resident += object.size * (x > 150 ? 1 : odds / (1 + odds))
      }
      time = capacity * time / resident
    }
    return time
  }
}

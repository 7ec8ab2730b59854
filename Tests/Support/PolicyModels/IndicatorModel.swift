import Eviction
import Parameters

/// The indicator of Caffeine's simulator, with its summary of the keys in an array in no order.
struct IndicatorModel {
  private var sketch = FrequencySketchModel([:])
  private var frequencies: [Int] = []
  private var summary: [(key: UInt64, count: Int, raised: Int)] = []
  private let period: Int

  init(period: Int) {
    self.period = period
    sketch.note(residents: 5_000)
  }

  mutating func record(_ hash: UInt64) {
    frequencies.append(sketch.frequency(of: hash))
    sketch.record(hash)
    var place = summary.firstIndex { $0.key == hash }
    if place == nil && summary.count < 1_000 {
      place = summary.count
      summary.append((hash, 0, 0))
    }
    let raised =
      place ?? summary.indices.min {
        (summary[$0].count, summary[$0].raised) < (summary[$1].count, summary[$1].raised)
      }!
    summary[raised] = (hash, summary[raised].count + 1, frequencies.count)
  }

  /// What the sample says if it is complete, which begins another.
  mutating func judge() -> Double? {
    if frequencies.count < period { return nil }
    let hint = Double(frequencies.reduce(0, +)) / Double(frequencies.count)
    let skew = skew(summary.map { $0.count }.sorted(by: >).prefix(70))
    frequencies = []
    summary = []
    return skew < 1 ? hint * (1 - skew * skew * skew) / 15 : 0
  }

  private func skew(_ counts: some Collection<Int>) -> Double {
    if counts.count < 2 { return 1 }
    let points = counts.enumerated().map {
      (x: PortableMath.log(Double($0.offset + 1)), y: PortableMath.log(Double($0.element)))
    }
    let number = Double(points.count)
    let x = points.reduce(0) { $0 + $1.x }
    let y = points.reduce(0) { $0 + $1.y }
    let xx = points.reduce(0) { $0 + $1.x * $1.x }
    let xy = points.reduce(0) { $0 + $1.x * $1.y }
    return (x * y - number * xy) / (number * xx - x * x)
  }
}

/// The price of a unit of room for a time, as a price per step that differs between parts of the trace.
struct RoomPrices {
  /// Each part has 2^shift steps.
  let shift: Int
  /// The price of a step in each part.
  private(set) var prices: [Double]
  /// The price of all steps before each part, and of all steps.
  private var sums: [Double]

  /// One price for `steps` steps in at most `parts` parts.
  init(_ price: Double, steps: Int, parts: Int) {
    var shift = 0
    while (steps >> shift) >= parts { shift += 1 }
    self.shift = shift
    prices = Array(repeating: price, count: (steps >> shift) + 1)
    sums = []
    add(steps: steps)
  }

  /// The price of all steps before `step`.
  @inline(__always)
  func sum(before step: UInt32) -> Double {
    let part = Int(step) >> shift
    return sums[part] + prices[part] * Double(Int(step) - part << shift)
  }

  /// The price of a unit of room for the time of a stay.
  @inline(__always)
  func price(of interval: ReuseIntervals.Interval) -> Double {
    max(0, sum(before: interval.end) - sum(before: interval.start))
  }

  /// The price of a unit of room for all the time.
  var total: Double { sums[prices.count] }

  /// Returns the number of steps that a part has.
  func length(of part: Int, steps: Int) -> Int {
    max(0, min(1 << shift, steps - part << shift))
  }

  /// Raises the price where demand exceeds supply, and lowers it where it falls short.
  mutating func adjust(demand: [Double], capacity: Int, steps: Int, exponent: Double) {
    for part in prices.indices {
      let supply = Double(capacity) * Double(length(of: part, steps: steps))
      if supply == 0 { continue }
      let ratio = max(0.05, min(20, demand[part] / supply))
      prices[part] *= RoomPrices.power(ratio, exponent)
    }
    add(steps: steps)
  }

  private mutating func add(steps: Int) {
    sums = [0]
    for part in prices.indices {
      sums.append(sums[part] + prices[part] * Double(length(of: part, steps: steps)))
    }
  }
}

/// The miss ratios of a policy on one trace as its cache grows.
package struct MissRatioCurve: Sendable, Equatable {
  /// The method that found the curve.
  package enum Method: String, Sendable, CaseIterable {
    /// All sizes in one pass, by the stack distances of the requests.
    case stackDistances = "stack-distances"
    /// One simulation for each point.
    case simulations
  }

  /// The miss ratio at one capacity.
  package struct Point: Sendable, Equatable {
    /// The capacity, in the curve's unit.
    package var capacity: Int
    /// The share of the requests that miss.
    package var missRatio: Double
    /// The interval that is to hold the true miss ratio with 95 % confidence; nil where it is exact, and
    /// where there is an estimate alone.
    package var interval: ClosedRange<Double>?

    /// A point; without an interval by default.
    package init(capacity: Int, missRatio: Double, interval: ClosedRange<Double>? = nil) {
      self.capacity = capacity
      self.missRatio = missRatio
      self.interval = interval
    }
  }

  /// The trace's name.
  package var trace: String
  /// The policy's name.
  package var policy: String
  /// The parameters that were given, in the order of their names.
  package var parameters: [JSON.Member] = []
  /// The unit of capacities.
  package var unit = Measurement.Unit.objects
  /// The random seed.
  package var seed = 42
  /// The method that found the curve.
  package var method: Method
  /// The share of the keys that were looked at; 1 makes the curve exact.
  package var rate = 1.0
  /// The requests of the whole trace that count.
  package var requests = 0
  /// The time that it took, in seconds, loading left out.
  package var seconds = 0.0
  /// The points, by rising capacity.
  package var points: [Point]
  /// The cheapest capacity, where prices were given.
  package var cheapest: CheapestCapacity?

  /// A curve through these points.
  package init(
    trace: String, policy: String, parameters: [JSON.Member] = [],
    unit: Measurement.Unit = .objects, seed: Int = 42, method: Method, rate: Double = 1,
    requests: Int = 0, points: [Point]
  ) {
    self.trace = trace
    self.policy = policy
    self.parameters = parameters
    self.unit = unit
    self.seed = seed
    self.method = method
    self.rate = rate
    self.requests = requests
    self.points = points
  }

  /// True if the points are no estimates.
  package var isExact: Bool { rate == 1 }

  /// The policy as it is written on the command line: `slru:protected=0.8`.
  package var policyLabel: String { Measurement.label(of: policy, parameters) }

  /// The miss ratio at a capacity, on a straight line between the points beside it; nil beyond them.
  ///
  /// - Complexity: O(log points).
  package func missRatio(at capacity: Int) -> Double? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].capacity < capacity { low = middle + 1 } else { high = middle }
    }
    guard low < points.count else { return nil }
    let after = points[low]
    if after.capacity == capacity { return after.missRatio }
    guard low > 0 else { return nil }
    let before = points[low - 1]
    let share =
      Double(capacity - before.capacity) / Double(after.capacity - before.capacity)
    return before.missRatio + share * (after.missRatio - before.missRatio)
  }
}

/// The capacity of a curve at which memory and misses cost least together.
package struct CheapestCapacity: Sendable, Equatable {
  /// The price of a GiB of cache for as long as the trace lasts.
  package var pricePerGiB: Double
  /// The price of a miss.
  package var costPerMiss: Double
  /// The memory that an object takes; nil where capacities are bytes.
  package var bytesPerObject: Double?
  /// The capacity, in the curve's unit.
  package var capacity: Int
  /// The cost of its memory.
  package var memory: Double
  /// The cost of its misses.
  package var misses: Double

  /// A capacity and what it costs.
  package init(
    pricePerGiB: Double, costPerMiss: Double, bytesPerObject: Double?, capacity: Int,
    memory: Double = 0, misses: Double = 0
  ) {
    self.pricePerGiB = pricePerGiB
    self.costPerMiss = costPerMiss
    self.bytesPerObject = bytesPerObject
    self.capacity = capacity
    self.memory = memory
    self.misses = misses
  }

  /// The sum of both costs.
  package var total: Double { memory + misses }
}

extension CheapestCapacity {
  /// Returns the cost of the memory of a capacity.
  package func memory(at capacity: Int) -> Double {
    Double(capacity) * (bytesPerObject ?? 1) / 0x1p30 * pricePerGiB
  }

  /// Returns the cost of the misses at a point of the curve.
  package func misses(at point: MissRatioCurve.Point, requests: Int) -> Double {
    point.missRatio * Double(requests) * costPerMiss
  }

  /// Returns the sum of both costs at a point of the curve.
  package func cost(at point: MissRatioCurve.Point, requests: Int) -> Double {
    memory(at: point.capacity) + misses(at: point, requests: requests)
  }
}

/// The miss ratios of a policy on one trace as its cache grows.
package struct MissRatioCurve: Documented {
  /// The method that found the curve.
  package enum Method: String, Sendable, CaseIterable, JSONValue {
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
    /// By how much variations move it; they are curves of their own in a document.
    package var spreads: [VariationSpread] = []

    /// A point; without an interval by default.
    package init(capacity: Int, missRatio: Double, interval: ClosedRange<Double>? = nil) {
      self.capacity = capacity
      self.missRatio = missRatio
      self.interval = interval
    }
  }

  package var trace: String
  package var policy: String
  package var parameters: [JSON.Member] = []
  package var unit = Measurement.Unit.objects
  package var seed = 42
  package var variation: Variation?
  package var method: Method
  package var rate = 1.0
  /// The requests at the start that were not counted.
  package var warmup = 0
  package var requests = 0
  package var seconds = 0.0
  package var points: [Point]
  /// The definition of a miss where caches hold prefixes; nil for others.
  package var definition: PrefixSetup.Definition?
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

  package init() { self.init(trace: "", policy: "", method: .simulations, points: []) }

  /// The name of the ratio that a hit counts in.
  package var hitRatioName: String { definition?.hitRatioName ?? "hit ratio" }

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

  /// The point at any capacity: on a straight line from a cache of nothing to the first point, and as low as the last
  /// one beyond it. Nil without points.
  package func point(at capacity: Int) -> Point? {
    guard let first = points.first, let last = points.last else { return nil }
    let ratio: Double
    if capacity < first.capacity {
      ratio = 1 - (1 - first.missRatio) * Double(capacity) / Double(first.capacity)
    } else {
      ratio = missRatio(at: capacity) ?? last.missRatio
    }
    return Point(capacity: capacity, missRatio: ratio)
  }

  /// The kind of its entry in a results document.
  package static let kind = Measurement.Kind.curve.rawValue

  package static let fields: [Field<MissRatioCurve>] = [
    .constant("kind", kind, "the kind of entry"),
    Field("trace", \.trace, "the trace's name", .exact),
    Field("policy", \.policy, "the policy's name", .exact),
    Field("parameters", \.parameters, "the parameters given, typed, by name", .exact, as: .members),
    Field("unit", \.unit, "what capacities count", .exact),
    Field("seed", \.seed, "the random seed", .exact),
    .omittable(
      "variation", \.variation, "the other order or beginning that the curve is of", .exact),
    Field("method", \.method, "how the curve was computed", .descriptive),
    Field(
      "rate", \.rate, "the fraction of the keys that was looked at; 1 for an exact curve", .exact),
    .omittable(
      "warmup", \.warmup, "requests at the start that were run and not counted", .exact),
    Field("requests", \.requests, "counted requests of the whole trace", .exact, as: .count),
    Field("seconds", \.seconds, "the time it took, in seconds; loading is not counted", .timed),
    Field(
      "points", \.points,
      "the miss ratio at each capacity, with its 95 % interval; `null` where it is exact, or an estimate alone",
      .exact, as: rising),
    .omittable(
      "definition", \.definition,
      "of a cache of prefixes, the definition of its ratio; `requests` are prompts there", .exact),
    .omittable("cheapest", \.cheapest, "the cheapest capacity, where prices were given"),
  ]

  private static let rising = [Point].format.restricted(to: [Point].format.name) { points in
    (points.first?.capacity ?? 0) >= 0
      && zip(points, points.dropFirst()).allSatisfy { $0.capacity < $1.capacity }
  }
}

/// The capacity of a curve at which memory and misses cost least together.
package struct CheapestCapacity: Documented {
  package var pricePerGiB = 0.0
  package var costPerMiss = 0.0
  /// Nil where capacities are bytes.
  package var bytesPerObject: Double?
  package var capacity = 0
  package var memory = 0.0
  package var misses = 0.0
  /// The seconds that costs are for; 0 where the trace has no times.
  package var seconds = 0.0
  /// The capacity of the cache that there is, in the curve's unit; 0 where none is given.
  package var present = 0

  package init() {}

  package static let fields: [Field<CheapestCapacity>] = [
    Field(
      "pricePerGiB", \.pricePerGiB, "the price of a GiB for as long as the counted requests last",
      .exact),
    Field("costPerMiss", \.costPerMiss, "the cost of a miss", .exact),
    Field("bytesPerObject", \.bytesPerObject, "the memory of an object; `null` for bytes", .exact),
    Field("capacity", \.capacity, "the capacity, in the curve's unit", .exact, as: .from(0)),
    Field("memory", \.memory, "the cost of its memory", .exact),
    Field("misses", \.misses, "the cost of its misses", .exact),
    .derived("total", \.total, "the cost of both", .exact),
    .omittable(
      "seconds", \.seconds,
      "the seconds from the first counted request to the last, which costs are for",
      .exact),
    .omittable(
      "present", \.present, "the capacity of the cache that there is, in the curve's unit", .exact),
  ]

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

  /// The seconds of a month.
  package static let month = 30 * 86_400.0

  /// The costs of a month are this many times those of the trace; nil where it has no times.
  package var traceTimesPerMonth: Double? {
    seconds > 0 ? CheapestCapacity.month / seconds : nil
  }

  /// Returns the sum of both costs at a point of the curve.
  package func cost(at point: MissRatioCurve.Point, requests: Int) -> Double {
    memory(at: point.capacity) + misses(at: point, requests: requests)
  }
}

extension MissRatioCurve.Point: JSONValue {
  package static let format = JSONFormat<MissRatioCurve.Point>(
    "a list [capacity, missRatio, low, high]",
    plural: "[capacity, missRatio, low, high] by rising capacity",
    write: { point in
      .array([
        .integer(point.capacity), .number(point.missRatio), .optional(point.interval?.lowerBound),
        .optional(point.interval?.upperBound),
      ])
    }
  ) {
    guard case .array(let values) = $0, values.count == 4, case .integer(let capacity) = values[0],
      let missRatio = values[1].double
    else { return nil }
    var point = MissRatioCurve.Point(capacity: capacity, missRatio: missRatio)
    if let low = values[2].double, let high = values[3].double, low <= high {
      point.interval = low...high
    }
    return point
  }
}

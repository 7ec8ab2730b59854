extension MissRatioCurve.Method: JSONValue {}

extension MissRatioCurve: Documented {
  /// The kind of its entry in a results document.
  package static let kind = Measurement.Kind.curve.rawValue

  package static let blank = MissRatioCurve(trace: "", policy: "", method: .simulations, points: [])
  package static let fields: [Field<MissRatioCurve>] = [
    .constant("kind", kind, "the kind of entry"),
    Field("trace", \.trace, .exact, "the trace's name"),
    Field("policy", \.policy, .exact, "the policy's name"),
    Field("parameters", \.parameters, .members, .exact, "the parameters given, typed, by name"),
    Field("unit", \.unit, .exact, "what capacities count"),
    Field("seed", \.seed, .exact, "the random seed"),
    Field("method", \.method, .descriptive, "how the curve was computed"),
    Field(
      "rate", \.rate, .exact, "the fraction of the keys that was looked at; 1 for an exact curve"),
    Field("requests", \.requests, .count, .exact, "counted requests of the whole trace"),
    Field("seconds", \.seconds, .timed, "the time it took, in seconds; loading is not counted"),
    Field(
      "points", \.points, rising,
      .exact,
      "the miss ratio at each capacity, with its 95 % interval; `null` where it is exact, or an estimate alone"
    ),
    .unless(nil, "cheapest", \.cheapest, "the cheapest capacity, where prices were given"),
  ]

  private static let rising = [Point].format.restricted(to: [Point].format.name) { points in
    (points.first?.capacity ?? 0) >= 0
      && zip(points, points.dropFirst()).allSatisfy { $0.capacity < $1.capacity }
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

extension CheapestCapacity: Documented {
  package static let blank = CheapestCapacity(
    pricePerGiB: 0, costPerMiss: 0, bytesPerObject: nil, capacity: 0)
  package static let fields: [Field<CheapestCapacity>] = [
    Field(
      "pricePerGiB", \.pricePerGiB, .exact, "the price of a GiB for as long as the trace lasts"),
    Field("costPerMiss", \.costPerMiss, .exact, "the cost of a miss"),
    Field("bytesPerObject", \.bytesPerObject, .exact, "the memory of an object; `null` for bytes"),
    Field("capacity", \.capacity, .from(0), .exact, "the capacity, in the curve's unit"),
    Field("memory", \.memory, .exact, "the cost of its memory"),
    Field("misses", \.misses, .exact, "the cost of its misses"),
    .derived("total", \.total, .exact, "the cost of both"),
  ]
}

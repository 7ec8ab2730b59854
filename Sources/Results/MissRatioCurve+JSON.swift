extension MissRatioCurve {
  /// The kind of its entry in a results document.
  package static let kind = Measurement.Kind.curve.rawValue

  var json: JSON {
    let members: [JSON.Member] = [
      JSON.Member("kind", .string(MissRatioCurve.kind)),
      JSON.Member("trace", .string(trace)),
      JSON.Member("policy", .string(policy)),
      JSON.Member("parameters", .object(parameters)),
      JSON.Member("unit", .string(unit.rawValue)),
      JSON.Member("seed", .integer(seed)),
      JSON.Member("method", .string(method.rawValue)),
      JSON.Member("rate", .number(rate)),
      JSON.Member("requests", .integer(requests)),
      JSON.Member("seconds", .number(seconds)),
      JSON.Member("points", .array(points.map(\.json))),
    ]
    return .object(members + (cheapest.map { [JSON.Member("cheapest", $0.json)] } ?? []))
  }

  init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      trace: try object.string("trace"), policy: try object.string("policy"),
      parameters: try object.members("parameters"), unit: try object.choice("unit"),
      seed: try object.integer("seed"), method: try object.choice("method"),
      rate: try object.number("rate"), requests: try object.count("requests"),
      points: try MissRatioCurve.points(object))
    seconds = try object.number("seconds")
    cheapest =
      if let cheapest = try object.optionalObject("cheapest") {
        try CheapestCapacity(cheapest)
      } else {
        nil
      }
  }

  private static func points(_ object: JSONObject) throws(ResultSetError) -> [Point] {
    var points: [Point] = []
    for element in try object.array("points") {
      guard case .array(let values) = element, values.count == 4,
        case .integer(let capacity) = values[0], let missRatio = values[1].double,
        points.last.map({ $0.capacity < capacity }) ?? (capacity >= 0)
      else {
        throw object.wrong(
          "points", "a list of [capacity, missRatio, low, high] by rising capacity")
      }
      var point = Point(capacity: capacity, missRatio: missRatio)
      if let low = values[2].double, let high = values[3].double, low <= high {
        point.interval = low...high
      }
      points.append(point)
    }
    return points
  }
}

extension MissRatioCurve.Point {
  /// `[capacity, missRatio, low, high]`.
  fileprivate var json: JSON {
    .array([
      .integer(capacity), .number(missRatio), .optional(interval?.lowerBound),
      .optional(interval?.upperBound),
    ])
  }
}

extension CheapestCapacity {
  fileprivate var json: JSON {
    [
      "pricePerGiB": .number(pricePerGiB), "costPerMiss": .number(costPerMiss),
      "bytesPerObject": .optional(bytesPerObject), "capacity": .integer(capacity),
      "memory": .number(memory), "misses": .number(misses), "total": .number(total),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    pricePerGiB = try object.number("pricePerGiB")
    costPerMiss = try object.number("costPerMiss")
    bytesPerObject = try object.optionalNumber("bytesPerObject")
    capacity = try object.integer("capacity", from: 0)
    memory = try object.number("memory")
    misses = try object.number("misses")
  }
}

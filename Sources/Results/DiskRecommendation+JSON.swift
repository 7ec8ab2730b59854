extension DiskRecommendation {
  var json: JSON {
    [
      "trace": .string(trace), "pageSize": .integer(pageSize), "durability": .string(durability),
      "rounds": .integer(rounds), "inlineThreshold": .integer(inlineThreshold),
      "interval": .array([.integer(interval.lowerBound), .integer(interval.upperBound)]),
      "coverage": .number(coverage), "crossovers": .array(crossovers.map(\.json)),
      "text": .string(text),
    ]
  }

  init(_ object: JSONObject) throws(ResultSetError) {
    trace = try object.string("trace")
    pageSize = try object.integer("pageSize")
    durability = try object.string("durability")
    rounds = try object.integer("rounds", from: 1)
    inlineThreshold = try object.integer("inlineThreshold")
    let ends = try object.integers("interval")
    guard ends.count == 2, ends[0] <= ends[1] else {
      throw object.wrong("interval", "a pair of rising numbers")
    }
    interval = ends[0]...ends[1]
    crossovers = try object.objects("crossovers").map { object throws(ResultSetError) in
      try Crossover(object)
    }
  }
}

extension DiskRecommendation.Crossover {
  fileprivate var json: JSON {
    [
      "operation": .string(operation), "size": .optional(size), "low": .optional(low),
      "high": .optional(high),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    operation = try object.string("operation")
    size = try object.optionalNumber("size")
    low = try object.optionalNumber("low")
    high = try object.optionalNumber("high")
  }
}

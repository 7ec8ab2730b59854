extension Replay {
  /// Reads what stands in a document only where it was asked for.
  mutating func readMeasured(_ object: JSONObject) throws(ResultSetError) {
    isOversubscribed = object.json["oversubscribed"] == .boolean(true)
    if object.has("reads") { reads = try object.string("reads") }
    if object.has("share") { division = try object.choice("share") }
    if let penalty = try object.optionalObject("missPenalty") {
      missPenalty = MissPenalty(
        nanoseconds: try penalty.integer("ns"), wait: try penalty.choice("wait"))
    }
    if let pace = try object.optionalObject("pace") { self.pace = try PaceReport(pace) }
    if let times = try object.optionalObject("response") { response = try ResponseSummary(times) }
    if let times = try object.optionalObject("service") { service = try ResponseSummary(times) }
    if let times = try object.optionalObject("lateness") { lateness = try LatencySummary(times) }
    if let cold = try object.optionalObject("cold") {
      var cut = CutReport(cold: try CutReport.Part(cold), postFill: nil)
      if let part = try object.optionalObject("postFill") { cut.postFill = try .init(part) }
      self.cut = cut
    }
    if object.has("cpuSeconds") {
      resources = ResourceUse(
        cpuSeconds: try object.number("cpuSeconds"),
        allocations: try object.optionalInteger("allocations"),
        peakMemory: try object.optionalInteger("peakMemory"))
    }
    if object.has("repetitions") {
      repetitions = Repetitions(
        count: try object.integer("repetitions"),
        figures: try Repetitions.figures(object.object("intervals")))
    }
  }
}

extension PaceReport {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      label: try object.string("pace"), arrivals: try object.choice("arrivals"),
      offered: try object.number("offered"), achieved: try object.number("achieved"),
      isOverload: object.json["overload"] == .boolean(true),
      capacity: try object.optionalNumber("capacity"), tick: try object.optionalInteger("tick"),
      requestsPerReading: try object.optionalNumber("requestsPerReading"))
  }
}

extension ResponseSummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    self.init(whole: try LatencySummary(object), quarters: try object.integers("quarters"))
  }
}

extension CutReport.Part {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    var get: LatencySummary?
    if let times = try object.optionalObject("get") { get = try LatencySummary(times) }
    self.init(
      requests: try object.integer("requests"), hits: try object.integer("hits"),
      seconds: try object.number("seconds"), get: get)
  }
}

extension Repetitions {
  fileprivate static func figures(_ object: JSONObject) throws(ResultSetError) -> [Figure] {
    var figures: [Figure] = []
    for name in object.names where name != "confidence" {
      let figure = try object.object(name)
      guard let interval = try figure.optionalInterval("interval") else {
        throw figure.wrong("interval", "a pair of rising numbers")
      }
      let count = try figure.array("values").count
      figures.append(
        Figure(
          name: name, values: try figure.numbers("values", count: count),
          mean: try figure.number("mean"), interval: interval))
    }
    return figures
  }
}

extension Replay {
  /// What stands in the document only where it was asked for.
  var measuredMembers: [JSON.Member] {
    var members: [JSON.Member] = []
    func add(_ key: String, _ value: JSON?) {
      if let value { members.append(JSON.Member(key, value)) }
    }
    add("oversubscribed", isOversubscribed ? .boolean(true) : nil)
    add("reads", reads == "strict" ? nil : .string(reads))
    add("share", division == .interleaved ? nil : .string(division.rawValue))
    add("missPenalty", missPenalty?.json)
    add("pace", pace?.json)
    add("response", response?.json)
    add("service", service?.json)
    add("lateness", lateness?.json)
    add("cold", cut?.cold.json)
    add("postFill", cut.map { $0.postFill?.json ?? .null })
    add("cpuSeconds", (resources?.cpuSeconds).map(JSON.number))
    add("allocations", resources.map { .optional($0.allocations) })
    add("peakMemory", resources.map { .optional($0.peakMemory) })
    add("repetitions", (repetitions?.count).map(JSON.integer))
    add("intervals", repetitions?.json)
    return members
  }
}

extension LatencyReport {
  /// What documents of earlier versions do not have.
  var instrumentMembers: [JSON.Member] {
    var members: [JSON.Member] = []
    if let sample { members.append(JSON.Member("sample", .integer(sample))) }
    if let slowdown { members.append(JSON.Member("slowdown", .number(slowdown))) }
    return members
  }
}

extension MissPenalty {
  fileprivate var json: JSON { ["ns": .integer(nanoseconds), "wait": .string(wait.rawValue)] }
}

extension PaceReport {
  fileprivate var json: JSON {
    [
      "pace": .string(label), "arrivals": .string(arrivals.rawValue), "offered": .number(offered),
      "achieved": .number(achieved), "overload": .boolean(isOverload),
      "capacity": .optional(capacity), "tick": .optional(tick),
      "requestsPerReading": .optional(requestsPerReading),
    ]
  }
}

extension ResponseSummary {
  fileprivate var json: JSON {
    guard case .object(let members) = whole.json else { return .null }
    return .object(members + [JSON.Member("quarters", .array(quarters.map(JSON.integer)))])
  }
}

extension CutReport.Part {
  fileprivate var json: JSON {
    [
      "requests": .integer(requests), "hits": .integer(hits), "hitRatio": .optional(hitRatio),
      "seconds": .number(seconds), "requestsPerSecond": .number(requestsPerSecond),
      "get": get?.json ?? .null,
    ]
  }
}

extension Repetitions {
  fileprivate var json: JSON {
    .object(
      [JSON.Member("confidence", .number(Repetitions.confidence))]
        + figures.map { figure in
          JSON.Member(
            figure.name,
            [
              "mean": .number(figure.mean), "interval": .interval(figure.interval),
              "values": .array(figure.values.map(JSON.number)),
            ])
        })
  }
}

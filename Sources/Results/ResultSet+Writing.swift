extension ResultSet {
  /// The document as JSON, its keys in their fixed order.
  ///
  /// `references`, `explanations`, `recommendations`, `estimates` and `plan` stand in it only where there are
  /// any, and `complete` only where it is false. Estimates follow from the results, and are not read back.
  public var json: JSON {
    var members: [JSON.Member] = [
      JSON.Member("schema", .string(ResultSet.schema)),
      JSON.Member("environment", environment.json),
      JSON.Member("traces", .array(traces.map(\.json))),
      JSON.Member("results", .array(measurements.map(\.json) + curves.map(\.json))),
    ]
    if !references.isEmpty {
      members.append(JSON.Member("references", .array(references.map(\.json))))
    }
    if !explanations.isEmpty {
      members.append(JSON.Member("explanations", .array(explanations.map(\.json))))
    }
    if !recommendations.isEmpty {
      members.append(JSON.Member("recommendations", .array(recommendations.map(\.json))))
    }
    if !estimates.isEmpty {
      members.append(JSON.Member("estimates", .array(estimates.map(\.json))))
    }
    if let plan { members.append(JSON.Member("plan", plan.json)) }
    if !isComplete { members.append(JSON.Member("complete", .boolean(false))) }
    return .object(members)
  }
}

extension Environment {
  package var json: JSON {
    .object(
      [
        JSON.Member("version", .string(version)), JSON.Member("commit", .optional(commit)),
        JSON.Member("toolchain", .string(toolchain)), JSON.Member("os", .string(os)),
        JSON.Member("cpu", .string(cpu)), JSON.Member("cores", .integer(cores)),
        JSON.Member("date", .string(date)), JSON.Member("architecture", .string(architecture)),
      ] + (command.map { [JSON.Member("command", .string($0))] } ?? []))
  }
}

extension TraceSummary {
  package var json: JSON {
    [
      "name": .string(name), "format": .string(format), "requests": .integer(requests),
      "distinct": .integer(distinct), "sha256": .optional(sha256),
    ]
  }
}

extension Explanation {
  package var json: JSON {
    [
      "trace": .string(trace), "capacity": .integer(capacity), "unit": .string(unit.rawValue),
      "compulsoryMissRatio": .number(compulsoryMissRatio),
      "optimumHitRatio": .interval(optimumHitRatio), "bestPolicy": .string(bestPolicy),
      "bestHitRatio": .number(bestHitRatio), "text": .string(text),
    ]
  }
}

extension Measurement {
  package var json: JSON {
    let members: [JSON.Member] = [
      JSON.Member("kind", .string(kind.rawValue)),
      JSON.Member("trace", .string(trace)),
      JSON.Member("policy", .string(policy)),
      JSON.Member("parameters", .object(parameters)),
      JSON.Member("capacity", .integer(capacity)),
      JSON.Member("unit", .string(unit.rawValue)),
      JSON.Member("seed", .integer(seed)),
      JSON.Member("requests", .integer(requests)),
      JSON.Member("hits", .integer(hits)),
      JSON.Member("hitRatio", .optional(hitRatio)),
      JSON.Member("byteHitRatio", .optional(byteHitRatio)),
      JSON.Member("costHitRatio", .optional(costHitRatio)),
      JSON.Member("insertions", .integer(insertions)),
      JSON.Member("evictions", .integer(evictions)),
      JSON.Member("seconds", .number(seconds)),
      JSON.Member("requestsPerSecond", .number(requestsPerSecond)),
      JSON.Member("missRatioReduction", .optional(missRatioReduction)),
      JSON.Member("distanceToOptimum", .optional(distanceToOptimum)),
    ]
    let learned = internals.map { [JSON.Member("internals", $0.json)] } ?? []
    let onDisk = disk.map { [JSON.Member("disk", $0.json)] } ?? []
    let cut = windows.map { [JSON.Member("windows", $0.json)] } ?? []
    let speed = speed.map { [JSON.Member("speed", $0.json)] } ?? []
    return .object(
      members + boundsMembers + (replay?.members ?? []) + onDisk + learned + cut + speed)
  }

  private var boundsMembers: [JSON.Member] {
    if kind != .bounds { return [] }
    return [
      JSON.Member("hitRatioBounds", .interval(hitRatioBounds)),
      JSON.Member("byteHitRatioBounds", .interval(byteHitRatioBounds)),
    ]
  }
}

extension InternalsSeries {
  fileprivate var json: JSON {
    let points = JSON.Member("requests", .array(requests.map(JSON.integer)))
    return .object(
      [points] + series.map { JSON.Member($0.name, .array($0.values.map(JSON.number))) })
  }
}

extension SpeedFigures {
  fileprivate var json: JSON {
    [
      "instructions": .optional(instructions),
      "ratios": .array(ratios.map(JSON.number)),
    ]
  }
}

extension JSON {
  /// `[low, high]`, or `null`.
  package static func interval(_ range: ClosedRange<Double>?) -> JSON {
    range.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null
  }
}

extension Replay {
  fileprivate var members: [JSON.Member] {
    [
      JSON.Member("threads", .integer(threads)),
      JSON.Member("lock", .string(lock)),
      JSON.Member("system", .optional(system)),
      JSON.Member("latency", latency?.json ?? .null),
      JSON.Member("contention", contention?.json ?? .null),
    ] + measuredMembers
  }
}

extension LatencyReport {
  fileprivate var json: JSON {
    let operations: [JSON.Member] = [
      JSON.Member("get", get?.json ?? .null), JSON.Member("hit", hit?.json ?? .null),
      JSON.Member("miss", miss?.json ?? .null), JSON.Member("set", set?.json ?? .null),
    ]
    let members: [JSON.Member] = [
      JSON.Member("unit", "ns"),
      JSON.Member(
        "operation", .object(operations + (fill.map { [JSON.Member("fill", $0.json)] } ?? []))),
      JSON.Member("timerOverhead", .number(timerOverhead)),
    ]
    return .object(members + instrumentMembers)
  }
}

extension LatencySummary {
  package var json: JSON {
    .object(
      [
        JSON.Member("count", .integer(count)), JSON.Member("mean", .number(mean)),
        JSON.Member("p50", .integer(p50)), JSON.Member("p90", .integer(p90)),
        JSON.Member("p99", .integer(p99)), JSON.Member("p999", .integer(p999)),
        JSON.Member("max", .integer(max)),
      ]
        + (percentiles.isEmpty
          ? [] : [JSON.Member("percentiles", .array(percentiles.map(\.json)))]))
  }
}

extension ContentionSummary {
  fileprivate var json: JSON {
    let members: [JSON.Member] = [
      JSON.Member("acquisitions", .integer(acquisitions)),
      JSON.Member("contended", .integer(contended)),
      JSON.Member("contendedRatio", .number(contendedRatio)),
      JSON.Member("wait", wait.json),
      JSON.Member("hold", hold.json),
    ]
    if shards.isEmpty { return .object(members) }
    return .object(
      members + [
        JSON.Member("shards", .array(shards.map(JSON.integer))),
        JSON.Member("shardSkew", .optional(shardSkew)),
      ])
  }
}

extension DurationSummary {
  fileprivate var json: JSON {
    [
      "p50": .integer(p50), "p99": .integer(p99), "max": .integer(max), "total": .integer(total),
    ]
  }
}

extension ResultSet {
  /// Reads a results document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: What messages call it.
  /// - Throws: ``ResultSetError`` when it is not JSON, has another schema, or lacks a value.
  public init(reading bytes: some Sequence<UInt8>, file: String) throws(ResultSetError) {
    let root = try JSONObject(reading: bytes, schema: ResultSet.schema, file: file)
    environment = try Environment(root.object("environment"))
    traces = try root.objects("traces").map { object throws(ResultSetError) in
      try TraceSummary(object)
    }
    measurements = []
    curves = []
    for object in try root.objects("results") {
      if object.json["kind"] == .string(MissRatioCurve.kind) {
        curves.append(try MissRatioCurve(object))
      } else {
        measurements.append(try Measurement(object))
      }
    }
    references =
      root.has("references")
      ? try root.objects("references").map { object throws(ResultSetError) in
        try MissRatioCurve(object)
      } : []
    explanations =
      root.has("explanations")
      ? try root.objects("explanations").map { object throws(ResultSetError) in
        try Explanation(object)
      } : []
    recommendations =
      root.has("recommendations")
      ? try root.objects("recommendations").map { object throws(ResultSetError) in
        try DiskRecommendation(object)
      } : []
    plan = try root.optionalObject("plan").map { object throws(ResultSetError) in
      try PlanSummary(object)
    }
    isComplete = root.json["complete"] != .boolean(false)
  }
}

extension Environment {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    version = try object.string("version")
    commit = try object.optionalString("commit")
    toolchain = try object.string("toolchain")
    os = try object.string("os")
    cpu = try object.string("cpu")
    cores = try object.integer("cores")
    date = try object.string("date")
    architecture = try object.optionalString("architecture") ?? ""
    command = try object.optionalString("command")
  }
}

extension TraceSummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    name = try object.string("name")
    format = try object.string("format")
    requests = try object.count("requests")
    distinct = try object.count("distinct")
    sha256 = try object.optionalString("sha256")
  }
}

extension Measurement {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      kind: try object.choice("kind"), trace: try object.string("trace"),
      policy: try object.string("policy"), parameters: try object.members("parameters"),
      capacity: try object.integer("capacity", from: 0), unit: try object.choice("unit"),
      seed: try object.integer("seed"))
    requests = try object.count("requests")
    hits = try object.count("hits")
    if hits > requests { throw object.wrong("hits", "at most “requests”") }
    byteHitRatio = try object.optionalNumber("byteHitRatio")
    costHitRatio = try object.optionalNumber("costHitRatio")
    insertions = try object.count("insertions")
    evictions = try object.count("evictions")
    seconds = try object.number("seconds")
    requestsPerSecond = try object.number("requestsPerSecond")
    missRatioReduction = try object.optionalNumber("missRatioReduction")
    distanceToOptimum = try object.optionalNumber("distanceToOptimum")
    hitRatioBounds = try object.optionalInterval("hitRatioBounds")
    byteHitRatioBounds = try object.optionalInterval("byteHitRatioBounds")
    replay = object.has("threads") ? try Replay(object) : nil
    if let disk = try object.optionalObject("disk") { self.disk = try DiskMeasures(disk) }
    if let series = try object.optionalObject("internals") {
      internals = try InternalsSeries(series)
    }
    speed = try object.optionalObject("speed").map { object throws(ResultSetError) in
      try SpeedFigures(object)
    }
    if let series = try object.optionalObject("windows") { windows = try RequestWindows(series) }
  }
}

extension InternalsSeries {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    let requests = try object.integers("requests")
    var series: [Series] = []
    for name in object.names where name != "requests" {
      series.append(Series(name: name, values: try object.numbers(name, count: requests.count)))
    }
    self.init(requests: requests, series: series)
  }
}

extension SpeedFigures {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      instructions: object.has("instructions") ? try object.integer("instructions") : nil,
      ratios: try object.numbers("ratios", count: object.array("ratios").count))
  }
}

extension Explanation {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    trace = try object.string("trace")
    capacity = try object.integer("capacity", from: 0)
    unit = try object.choice("unit")
    compulsoryMissRatio = try object.number("compulsoryMissRatio")
    guard let optimum = try object.optionalInterval("optimumHitRatio") else {
      throw object.wrong("optimumHitRatio", "a pair of rising numbers")
    }
    optimumHitRatio = optimum
    bestPolicy = try object.string("bestPolicy")
    bestHitRatio = try object.number("bestHitRatio")
  }
}

extension Replay {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    threads = try object.integer("threads")
    lock = try object.string("lock")
    system = try object.optionalString("system")
    latency =
      if let latency = try object.optionalObject("latency") {
        try LatencyReport(latency)
      } else {
        nil
      }
    contention =
      if let contention = try object.optionalObject("contention") {
        try ContentionSummary(contention)
      } else {
        nil
      }
    try readMeasured(object)
  }
}

extension LatencyReport {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    let operations = try object.object("operation")
    func summary(_ operation: String) throws(ResultSetError) -> LatencySummary? {
      guard let object = try operations.optionalObject(operation) else { return nil }
      return try LatencySummary(object)
    }
    get = try summary("get")
    hit = try summary("hit")
    miss = try summary("miss")
    set = try summary("set")
    fill = try summary("fill")
    timerOverhead = try object.number("timerOverhead")
    sample = try object.optionalInteger("sample")
    slowdown = try object.optionalNumber("slowdown")
  }
}

extension LatencySummary {
  init(_ object: JSONObject) throws(ResultSetError) {
    count = try object.integer("count")
    mean = try object.number("mean")
    p50 = try object.integer("p50")
    p90 = try object.integer("p90")
    p99 = try object.integer("p99")
    p999 = try object.integer("p999")
    max = try object.integer("max")
    if object.has("percentiles") { percentiles = try LatencyPercentile.list(object) }
  }
}

extension ContentionSummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    acquisitions = try object.integer("acquisitions")
    contended = try object.integer("contended")
    wait = try DurationSummary(object.object("wait"))
    hold = try DurationSummary(object.object("hold"))
    if object.has("shards") { shards = try object.integers("shards") }
  }
}

extension DurationSummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    p50 = try object.integer("p50")
    p99 = try object.integer("p99")
    max = try object.integer("max")
    total = try object.integer("total")
  }
}

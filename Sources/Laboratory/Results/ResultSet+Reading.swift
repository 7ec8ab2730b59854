extension ResultSet {
  /// Reads a results document.
  ///
  /// - Parameter file: What messages call it.
  /// - Throws: ``ResultSetError`` when it is not JSON, has another schema, or lacks a value.
  public init(reading bytes: some Sequence<UInt8>, file: String) throws(ResultSetError) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(reading: bytes)
    } catch {
      throw .malformed(file: file, error)
    }
    let root = JSONObject(json, file: file, path: "the document")
    let schema: String? = if case .string(let text) = json["schema"] { text } else { nil }
    guard schema == ResultSet.schema else { throw .schema(file: file, found: schema) }
    environment = try Environment(root.object("environment"))
    traces = try root.objects("traces").map { object throws(ResultSetError) in
      try TraceSummary(object)
    }
    measurements = try root.objects("results").map { object throws(ResultSetError) in
      try Measurement(object)
    }
    explanations =
      root.has("explanations")
      ? try root.objects("explanations").map { object throws(ResultSetError) in
        try Explanation(object)
      } : []
    isComplete = json["complete"] != .boolean(false)
  }
}

/// An object of a document, with its place for messages.
private struct JSONObject {
  let json: JSON
  let file: String
  let path: String

  init(_ json: JSON, file: String, path: String) {
    self.json = json
    self.file = file
    self.path = path
  }

  func has(_ key: String) -> Bool { json[key] != nil }

  func wrong(_ key: String, _ expected: String) -> ResultSetError {
    .value(file: file, path: "“\(key)” of \(path)", expected: expected)
  }

  func string(_ key: String) throws(ResultSetError) -> String {
    guard case .string(let value) = json[key] else { throw wrong(key, "a text") }
    return value
  }

  func optionalString(_ key: String) throws(ResultSetError) -> String? {
    has(key) ? try string(key) : nil
  }

  func integer(_ key: String) throws(ResultSetError) -> Int {
    guard case .integer(let value) = json[key] else { throw wrong(key, "a whole number") }
    return value
  }

  func number(_ key: String) throws(ResultSetError) -> Double {
    guard let value = json[key]?.double else { throw wrong(key, "a number") }
    return value
  }

  func optionalNumber(_ key: String) throws(ResultSetError) -> Double? {
    has(key) ? try number(key) : nil
  }

  /// `[low, high]`.
  func optionalInterval(_ key: String) throws(ResultSetError) -> ClosedRange<Double>? {
    if !has(key) { return nil }
    guard case .array(let ends) = json[key], ends.count == 2,
      let low = ends[0].double, let high = ends[1].double, low <= high
    else { throw wrong(key, "a pair of rising numbers") }
    return low...high
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String
  ) throws(ResultSetError) -> Choice {
    guard let value = Choice(rawValue: try string(key)) else {
      throw wrong(key, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }

  func members(_ key: String) throws(ResultSetError) -> [JSON.Member] {
    guard case .object(let members) = json[key] else { throw wrong(key, "an object") }
    return members
  }

  func object(_ key: String) throws(ResultSetError) -> JSONObject {
    JSONObject(.object(try members(key)), file: file, path: "“\(key)”")
  }

  func optionalObject(_ key: String) throws(ResultSetError) -> JSONObject? {
    has(key) ? try object(key) : nil
  }

  func objects(_ key: String) throws(ResultSetError) -> [JSONObject] {
    guard case .array(let elements) = json[key] else { throw wrong(key, "a list") }
    return elements.enumerated().map { index, element in
      JSONObject(element, file: file, path: "entry \(index + 1) of “\(key)”")
    }
  }
}

extension JSON {
  /// The value of a number, whole or not.
  fileprivate var double: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
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
  }
}

extension TraceSummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    name = try object.string("name")
    format = try object.string("format")
    requests = try object.integer("requests")
    distinct = try object.integer("distinct")
    sha256 = try object.optionalString("sha256")
  }
}

extension Measurement {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      kind: try object.choice("kind"), trace: try object.string("trace"),
      policy: try object.string("policy"), parameters: try object.members("parameters"),
      capacity: try object.integer("capacity"), unit: try object.choice("unit"),
      seed: try object.integer("seed"))
    requests = try object.integer("requests")
    hits = try object.integer("hits")
    byteHitRatio = try object.optionalNumber("byteHitRatio")
    costHitRatio = try object.optionalNumber("costHitRatio")
    insertions = try object.integer("insertions")
    evictions = try object.integer("evictions")
    seconds = try object.number("seconds")
    requestsPerSecond = try object.number("requestsPerSecond")
    missRatioReduction = try object.optionalNumber("missRatioReduction")
    distanceToOptimum = try object.optionalNumber("distanceToOptimum")
    hitRatioBounds = try object.optionalInterval("hitRatioBounds")
    byteHitRatioBounds = try object.optionalInterval("byteHitRatioBounds")
    replay = object.has("threads") ? try Replay(object) : nil
  }
}

extension Explanation {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    trace = try object.string("trace")
    capacity = try object.integer("capacity")
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
    timerOverhead = try object.number("timerOverhead")
  }
}

extension LatencySummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    count = try object.integer("count")
    mean = try object.number("mean")
    p50 = try object.integer("p50")
    p90 = try object.integer("p90")
    p99 = try object.integer("p99")
    p999 = try object.integer("p999")
    max = try object.integer("max")
  }
}

extension ContentionSummary {
  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    acquisitions = try object.integer("acquisitions")
    contended = try object.integer("contended")
    wait = try DurationSummary(object.object("wait"))
    hold = try DurationSummary(object.object("hold"))
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

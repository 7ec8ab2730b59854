import Results

/// A member of the results document, those of nested objects by a path: `latency.operation.get.p50`.
struct ResultField {
  let key: String
  /// The value in full precision; empty where the document has `null`.
  let text: String
}

extension ResultSet {
  /// Every member of a run that is a single value, and the format of its trace.
  func fields(of measurement: Measurement) -> [ResultField] {
    measurement.fields + formatFields(ofTrace: measurement.trace)
  }

  /// The members of a curve for each of its points, and the format of its trace.
  func rows(of curve: MissRatioCurve) -> [[ResultField]] {
    let format = formatFields(ofTrace: curve.trace)
    return curve.rows.map { $0 + format }
  }

  /// The format that a trace was read in, and the reason; none of a trace that the document does not describe.
  private func formatFields(ofTrace name: String) -> [ResultField] {
    guard let summary = traces.first(where: { $0.name == name }) else { return [] }
    return [
      ResultField(key: "format", text: summary.format),
      ResultField(key: "formatReason", text: summary.formatReason ?? ""),
    ]
  }
}

extension Measurement {
  /// Every member that is a single value, in the document's order. Series of values are not among them.
  var fields: [ResultField] {
    guard case .object(let members) = json else { return [] }
    return members.flatMap { member -> [ResultField] in
      if member.key == "parameters" { return [ResultField(parameters: parameters)] }
      let isSeries = ["internals", "windows", "classes"].contains(member.key)
      return isSeries ? [] : Measurement.flattened(member.value, under: member.key)
    }
  }

  fileprivate static func flattened(_ value: JSON, under key: String) -> [ResultField] {
    switch value {
    case .object(let members):
      members.flatMap { flattened($0.value, under: "\(key).\($0.key)") }
    case .array(let elements) where elements.count != 2 || elements.contains(where: \.isSeries): []
    case .null: [ResultField(key: key, text: "")]
    default: [ResultField(key: key, text: value.plainText)]
    }
  }
}

extension ResultField {
  fileprivate init(parameters: [JSON.Member]) {
    let given = parameters.map { "\($0.key)=\($0.value.plainText)" }
    self.init(key: "parameters", text: given.joined(separator: ":"))
  }
}

extension MissRatioCurve {
  /// The curve's members for each of its points.
  var rows: [[ResultField]] {
    var ofAll: [ResultField] = []
    if warmup > 0 { ofAll.append(ResultField(key: "warmup", text: "\(warmup)")) }
    if let variation { ofAll += Measurement.flattened(variation.json, under: "variation") }
    return points.map { point in
      [
        ResultField(key: "kind", text: MissRatioCurve.kind),
        ResultField(key: "trace", text: trace), ResultField(key: "policy", text: policy),
        ResultField(parameters: parameters),
        ResultField(key: "capacity", text: "\(point.capacity)"),
        ResultField(key: "unit", text: unit.rawValue), ResultField(key: "seed", text: "\(seed)"),
        ResultField(key: "method", text: method.rawValue),
        ResultField(key: "rate", text: text(rate)),
        ResultField(key: "missRatio", text: text(point.missRatio)),
        ResultField(key: "low", text: text(point.interval?.lowerBound)),
        ResultField(key: "high", text: text(point.interval?.upperBound)),
      ] + ofAll + costs(at: point)
    }
  }

  /// The costs at a point, where prices were given, and the seconds that they are for: those of a month where the trace
  /// has times.
  private func costs(at point: Point) -> [ResultField] {
    guard let cheapest else { return [] }
    let factor = cheapest.traceTimesPerMonth ?? 1
    let memory = cheapest.memory(at: point.capacity) * factor
    let misses = cheapest.misses(at: point, requests: requests) * factor
    return [
      ResultField(key: "costOfMemory", text: text(memory)),
      ResultField(key: "costOfMisses", text: text(misses)),
      ResultField(key: "cost", text: text(memory + misses)),
      ResultField(
        key: "costSeconds", text: text(cheapest.seconds > 0 ? CheapestCapacity.month : nil)),
    ]
  }

  private func text(_ value: Double?) -> String { value.map { JSON.number($0).text } ?? "" }
}

extension JSON {
  fileprivate var isSeries: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}

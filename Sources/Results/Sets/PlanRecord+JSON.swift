extension PlanRecord: Documented {
  /// The most positions of a sweep that is read: no machine runs more.
  private static let most = 1_000_000_000_000

  package static let blank = PlanRecord(traces: [], capacities: [], policies: [], seeds: [])
  package static let fields: [Field<PlanRecord>] = [
    Field("traces", \.traces, "the traces"),
    Field("capacities", \.capacities, .exact, "the capacities as on the command line"),
    Field(
      "policies", \.policies, .exact, "the policies with their parameters as on the command line"),
    Field("seeds", \.seeds, .exact, "the seeds"),
    Field("options", \.options, .members, .exact, "other options that the results depend on"),
    Field("shares", \.shares, "the partitions that the document contains"),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    for (trace, node) in zip(traces, try object["traces"].elements()) {
      if let here = trace.capacities, here.count != capacities.count {
        throw node["capacities"].wrong("a list of \(capacities.count) numbers")
      }
    }
    let counts = [traces.count, capacities.count, policies.count, seeds.count]
    let size = counts.reduce(1.0) { $0 * Double($1) }
    if size < 1 || size > Double(PlanRecord.most) {
      throw object["traces"].wrong(
        "a list of traces for a sweep of 1 to \(PlanRecord.most) cells")
    }
  }
}

extension PlanRecord.Trace: Documented {
  package static let blank = PlanRecord.Trace(name: "")
  package static let fields: [Field<PlanRecord.Trace>] = [
    Field("name", \.name, .exact, "the trace's name"),
    Field("capacities", \.capacities, .exact, "the capacities on it, in objects or bytes"),
    Field("bytes", \.bytes, .exact, "the size of its files, by which partitions are equal in work"),
  ]
}

extension PlanRecord.Share: Documented {
  package static let blank = PlanRecord.Share(share: .whole, cells: 0)
  package static let fields: [Field<PlanRecord.Share>] = [
    Field("share", \.share, .exact, "the partition"),
    Field("cells", \.cells, .count, .exact, "its cells"),
  ]
}

extension PlanPartition: JSONValue {
  package static let format = JSONFormat<PlanPartition>(
    "a partition such as 2/5", plural: "partitions such as 2/5", write: { .string("\($0)") }
  ) { if case .string(let text) = $0 { PlanPartition(parsing: text) } else { nil } }
}

extension PlanRecord {
  /// Returns the first difference between the two requested sweeps, beside the options' values; nil for parts
  /// of one sweep.
  package func difference(from other: PlanRecord) -> PlanDifference? {
    if traces.map(\.name) != other.traces.map(\.name) { return PlanDifference("traces") }
    if traces.map(\.bytes) != other.traces.map(\.bytes) {
      return PlanDifference("sizes of the traces' files")
    }
    if capacities != other.capacities { return PlanDifference("capacities") }
    if policies != other.policies { return PlanDifference("policies") }
    if seeds != other.seeds { return PlanDifference("seeds") }
    return optionsDifference(from: other)
  }

  /// The option that differs first; nil when none does.
  package func optionsDifference(from other: PlanRecord) -> PlanDifference? {
    let (here, there) = (JSON.object(options), JSON.object(other.options))
    for name in (options + other.options).map(\.key) where here[name] != there[name] {
      let values = [here, there].map { $0[name]?.text ?? "not given" }
      return PlanDifference(name, " (\(values[0]) and \(values[1]))")
    }
    return nil
  }
}

/// A difference between two sweeps.
package struct PlanDifference {
  /// In words: `warmup (0 and 100)`.
  package let text: String

  init(_ name: String, _ values: String = "") { text = name + values }
}

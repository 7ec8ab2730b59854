/// The sweep to which a results document belongs: the requested cells, and the partitions that the document
/// contains.
///
/// A sweep is a list of cells, trace by trace, capacity by capacity, policy by policy, seed by seed; the
/// place of a cell in it is its position. Equal capacities of a trace are run once, and what cannot
/// run is left out, but keeps its position: so a share knows its cells before any trace is read.
package struct PlanRecord: Documented {
  /// A trace of the sweep.
  package struct Trace: Documented {
    package var name = ""
    /// Nil where it was not read.
    package var capacities: [Int]?
    /// Nil where it is not known, or where a limit makes all traces alike.
    package var bytes: Int?

    package init() {}

    package init(name: String, bytes: Int?) {
      self.name = name
      self.bytes = bytes
    }

    package static let fields: [Field<PlanRecord.Trace>] = [
      Field("name", \.name, "the trace's name", .exact),
      Field("capacities", \.capacities, "the capacities on it, in objects or bytes", .exact),
      Field(
        "bytes", \.bytes, "the size of its files, by which partitions are equal in work", .exact),
    ]
  }

  /// A share of the sweep.
  package struct Share: Documented, Hashable {
    package var share = PlanPartition.whole
    package var cells = 0

    package init() {}

    package init(share: PlanPartition, cells: Int) {
      self.share = share
      self.cells = cells
    }

    package static let fields: [Field<PlanRecord.Share>] = [
      Field("share", \.share, "the partition", .exact),
      Field("cells", \.cells, "its cells", .exact, as: .count),
    ]
  }

  /// The library of a policy from a plug-in.
  package struct Plugin: Documented, Hashable {
    package var policy = ""
    package var sha256 = ""

    package init() {}

    package init(policy: String, sha256: String) {
      self.policy = policy
      self.sha256 = sha256
    }

    package static let fields: [Field<PlanRecord.Plugin>] = [
      Field("policy", \.policy, "the policy's name", .exact),
      Field("sha256", \.sha256, "the SHA-256 of its library's file", .exact),
    ]
  }

  package var traces: [Trace] = []
  package var capacities: [String] = []
  package var policies: [String] = []
  package var seeds: [Int] = []
  package var variations: [Variation] = []
  package var options: [JSON.Member] = []
  package var shares: [Share] = []
  package var plugins: [Plugin] = []

  package init() {}

  /// The most positions of a sweep that is read: no machine runs more.
  private static let most = 1_000_000_000_000

  package static let fields: [Field<PlanRecord>] = [
    Field("traces", \.traces, "the traces"),
    Field("capacities", \.capacities, "the capacities as on the command line", .exact),
    Field(
      "policies", \.policies, "the policies with their parameters as on the command line", .exact),
    Field("seeds", \.seeds, "the seeds", .exact),
    .omittable("variations", \.variations, "the variations of each run", .exact),
    Field("options", \.options, "other options that the results depend on", .exact, as: .members),
    Field("shares", \.shares, "the partitions that the document contains"),
    .omittable("plugins", \.plugins, "the libraries of policies from plug-ins", .exact),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    for (trace, node) in zip(traces, try object["traces"].elements()) {
      if let here = trace.capacities, here.count != capacities.count {
        throw node["capacities"].wrong("a list of \(capacities.count) numbers")
      }
    }
    let counts = [
      traces.count, capacities.count, policies.count, seeds.count, 1 + variations.count,
    ]
    let size = counts.reduce(1.0) { $0 * Double($1) }
    if size < 1 || size > Double(PlanRecord.most) {
      throw object["traces"].wrong(
        "a list of traces for a sweep of 1 to \(PlanRecord.most) cells")
    }
  }

  /// The runs of a policy at a capacity, in their order.
  var runs: [Run] {
    seeds.flatMap { seed in
      ([nil] + variations).map { Run(seed: seed, variation: $0) }
    }
  }

  /// A run of a policy at a capacity.
  struct Run: Hashable {
    let seed: Int
    let variation: Variation?
  }

  /// A trace's place among those of the plan.
  package func place(of trace: String) -> Int {
    traces.firstIndex { $0.name == trace } ?? traces.count
  }

  /// The cells in their order.
  package var grid: CellGrid {
    CellGrid(
      traces: traces.count, capacities: capacities.count, policies: policies.count,
      runs: seeds.count * (1 + variations.count))
  }

  /// All positions, those included at which nothing can run.
  package var positions: Int { grid.cells }

  /// Returns the positions of a partition: neighbours, whose work is that of any other partition, give or take a cell with
  /// its variations.
  ///
  /// The work of a cell is the size of its trace's files, which is known before a trace is read; where one is not
  /// known, all cells count the same.
  package func positions(of share: PlanPartition) -> Range<Int> {
    let known = traces.map { max(1, $0.bytes ?? 1) }
    let work = traces.contains { $0.bytes == nil } ? known.map { _ in 1 } : known
    return start(share.index - 1, of: share.count, work)..<start(share.index, of: share.count, work)
  }

  /// The first position behind the first `shares` of `count` partitions.
  private func start(_ shares: Int, of count: Int, _ work: [Int]) -> Int {
    if shares == count { return positions }
    let cells = Double(grid.cellsPerTrace)
    var rest = work.reduce(0) { $0 + Double($1) * cells } * Double(shares) / Double(count)
    for (trace, work) in work.enumerated() {
      let whole = Double(work) * cells
      if rest < whole {
        let place = Int(rest / Double(work))
        return grid.position(trace: trace) + place - place % (1 + variations.count)
      }
      rest -= whole
    }
    return positions
  }

  /// Returns the cells of the sweep that a partition contains.
  package func part(_ share: PlanPartition) -> PartitionRange {
    let positions = positions(of: share)
    let cellsPerTrace = grid.cellsPerTrace
    let traces =
      positions.isEmpty
      ? 0..<0
      : positions.lowerBound / cellsPerTrace..<(positions.upperBound - 1) / cellsPerTrace + 1
    return PartitionRange(traces: traces, positions: positions, isWhole: share.isWhole)
  }
}

/// The positions of measurements in the order of a sweep.
package struct CellPositions {
  private let grid: CellGrid
  private let traces: [String: Int]
  private let capacities: [[Int: Int]]
  private let policies: [String: Int]
  private let runs: [PlanRecord.Run: Int]

  package init(_ plan: PlanRecord) {
    grid = plan.grid
    traces = CellPositions.places(of: plan.traces.map(\.name))
    capacities = plan.traces.map { CellPositions.places(of: $0.capacities ?? []) }
    policies = CellPositions.places(of: plan.policies)
    runs = CellPositions.places(of: plan.runs)
  }

  /// The first place of each.
  private static func places<Value: Hashable>(of values: [Value]) -> [Value: Int] {
    Dictionary(values.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a measurement; nil where it is none of the sweep's.
  package subscript(measurement: Measurement) -> Int? {
    guard measurement.kind == .sweep, let policy = policies[measurement.policyLabel],
      let run = runs[PlanRecord.Run(seed: measurement.seed, variation: measurement.variation)],
      let trace = traces[measurement.trace],
      let capacity = capacities[trace][measurement.capacity]
    else { return nil }
    return grid.position(trace: trace, capacity: capacity, policy: policy, run: run)
  }

  /// The position of the first cell at a capacity of a trace; nil where the sweep has none.
  package subscript(trace trace: String, capacity capacity: Int) -> Int? {
    guard let place = traces[trace], let rank = capacities[place][capacity] else { return nil }
    return grid.position(trace: place, capacity: rank)
  }

  /// A trace's place among the sweep's, those of other names after them.
  package subscript(trace trace: String) -> Int { traces[trace] ?? traces.count }

  /// A policy's place among the sweep's, those of other names after them.
  package subscript(policy policy: String) -> Int { policies[policy] ?? policies.count }
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
    if variations != other.variations { return PlanDifference("variations") }
    if let plugin = plugins.first(where: { !other.plugins.contains($0) }) {
      return PlanDifference("the library of \(plugin.policy)")
    }
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

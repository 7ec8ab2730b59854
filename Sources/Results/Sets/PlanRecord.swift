/// The sweep to which a results document belongs: the requested cells, and the partitions that the document
/// contains.
///
/// A sweep is a list of cells, trace by trace, capacity by capacity, policy by policy, seed by seed; the
/// place of a cell in it is its position. Equal capacities of a trace are run once, and what cannot
/// run is left out, but keeps its position: so a share knows its cells before any trace is read.
package struct PlanRecord: Sendable, Equatable {
  /// A trace of the sweep.
  package struct Trace: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// The requested capacities on it, in objects or bytes; nil where it was not read.
    package var capacities: [Int]?
    /// The size of its files in bytes, which stands for the work of each of its cells; nil where it is not known, or
    /// where a limit makes all traces alike.
    package var bytes: Int?

    package init(name: String, capacities: [Int]? = nil, bytes: Int? = nil) {
      self.name = name
      self.capacities = capacities
      self.bytes = bytes
    }
  }

  /// A share of the sweep.
  package struct Share: Sendable, Hashable {
    /// The partition.
    package var share: PlanPartition
    /// The number of cells that it has to run.
    package var cells: Int

    package init(share: PlanPartition, cells: Int) {
      self.share = share
      self.cells = cells
    }
  }

  /// The traces.
  package var traces: [Trace]
  /// The capacities, as they are written on the command line.
  package var capacities: [String]
  /// The policies with their parameters, as they are written on the command line.
  package var policies: [String]
  /// The seeds.
  package var seeds: [Int]
  /// Whatever else the results depend on, by the names of options.
  package var options: [JSON.Member]
  /// The shares that the document holds, or a part of them when it is not complete.
  package var shares: [Share]

  package init(
    traces: [Trace], capacities: [String], policies: [String], seeds: [Int],
    options: [JSON.Member] = []
  ) {
    self.traces = traces
    self.capacities = capacities
    self.policies = policies
    self.seeds = seeds
    self.options = options
    shares = []
  }

  /// A trace's place among those of the plan.
  package func place(of trace: String) -> Int {
    traces.firstIndex { $0.name == trace } ?? traces.count
  }

  /// The cells in their order.
  package var grid: CellGrid {
    CellGrid(
      traces: traces.count, capacities: capacities.count, policies: policies.count,
      seeds: seeds.count)
  }

  /// All positions, those included at which nothing can run.
  package var positions: Int { grid.cells }

  /// Returns the positions of a partition: neighbours, whose work is that of any other partition, give or take a cell.
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
      if rest < whole { return grid.position(trace: trace) + Int(rest / Double(work)) }
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
  private let seeds: [Int: Int]

  package init(_ plan: PlanRecord) {
    grid = plan.grid
    traces = CellPositions.places(of: plan.traces.map(\.name))
    capacities = plan.traces.map { CellPositions.places(of: $0.capacities ?? []) }
    policies = CellPositions.places(of: plan.policies)
    seeds = CellPositions.places(of: plan.seeds)
  }

  /// The first place of each.
  private static func places<Value: Hashable>(of values: [Value]) -> [Value: Int] {
    Dictionary(values.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a measurement; nil where it is none of the sweep's.
  package subscript(measurement: Measurement) -> Int? {
    guard measurement.kind == .sweep, let policy = policies[measurement.policyLabel],
      let seed = seeds[measurement.seed], let trace = traces[measurement.trace],
      let capacity = capacities[trace][measurement.capacity]
    else { return nil }
    return grid.position(trace: trace, capacity: capacity, policy: policy, seed: seed)
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

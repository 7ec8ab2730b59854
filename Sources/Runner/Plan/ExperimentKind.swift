import Results
import Traces

/// A kind of experiment: it makes the plan that its command runs.
package protocol ExperimentKind: Sendable {
  /// True where traces are read, run and released one after the other.
  var takesTracesInTurn: Bool { get }
  /// True where policies may have prefetchers.
  var takesPrefetchers: Bool { get }
  /// Plans the experiment on traces that are read.
  ///
  /// - Parameters:
  ///   - request: The flags of the command.
  ///   - traces: The traces; of a partition, those of its part.
  ///   - part: The part of a partition; nil for the whole experiment.
  func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan
  /// The wishes for each run, as a results document says it.
  var members: [JSON.Member] { get }
}

extension ExperimentKind {
  package var takesTracesInTurn: Bool { false }
  package var takesPrefetchers: Bool { false }
  package var members: [JSON.Member] { SweepExperiment().members }
}

/// Simulates each row.
package struct SweepExperiment: ExperimentKind {
  /// The points of each run at which the policy is looked at; 0 for none.
  package let internalsPoints: Int
  /// The windows of each run that are counted one by one; nil for none.
  package let windows: WindowCut?
  /// True if the hits of each class are counted.
  package let countsClasses: Bool
  /// Checks that policies keep the contract with their host.
  package let checksContract: Bool
  /// Takes everything that a cell counted, of which its measurement keeps a part, on the thread that ran it.
  package var counted: @Sendable (CellKey, RequestCounts) -> Void = { _, _ in }

  /// A sweep; by default one that looks at nothing but counts.
  package init(
    internalsPoints: Int = 0, windows: WindowCut? = nil, countsClasses: Bool = false,
    checksContract: Bool = false
  ) {
    self.internalsPoints = internalsPoints
    self.windows = windows
    self.countsClasses = countsClasses
    self.checksContract = checksContract
  }

  package var takesPrefetchers: Bool { true }

  package var members: [JSON.Member] {
    [
      JSON.Member("traceInternals", .integer(internalsPoints)),
      JSON.Member("windows", windows?.json ?? .null),
    ] + (countsClasses ? [JSON.Member("byClass", .boolean(true))] : [])
  }

  /// Plans the simulation of each row.
  ///
  /// - Throws: ``PlanError`` where no request of a trace is counted.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    let plan = try ExperimentPlan(request, on: traces, part: part) {
      try cells(of: $0, on: traces, request)
    }
    // The operations of a stream are not known yet.
    if request.stream != nil { return plan }
    for trace in traces {
      guard let operations = trace.operations else { continue }
      let isCounted = operations.contains {
        $0.role == .reference || request.settings.countsSets && $0.role == .update
      }
      if isCounted { continue }
      let hasSets = operations.contains { $0.role == .update }
      throw PlanError.nothingCounted(
        trace: trace.name, requests: trace.requests,
        remedy: hasSets ? "count the sets by --count-sets" : "deletes and touches use no cache")
    }
    return plan
  }

  /// A cell for each row.
  package func cells(
    of rows: [Row], on traces: [Trace], _ request: ExperimentRequest
  ) throws(PlanError) -> [Cell] {
    let engines = try traces.map { trace throws(PlanError) in
      if countsClasses && trace.classes == nil { throw .classesMissing(trace: trace.name) }
      return SimulationEngine(
        self,
        windowEnds: try windows?.ends(
          of: trace, warmup: request.settings.warmup, requests: request.stream?.requests))
    }
    return rows.map { $0.cell(engine: engines[$0.trace]) }
  }
}

/// Everything that the flags of a command ask of an experiment.
package struct ExperimentRequest: Sendable {
  /// The kind of experiment.
  package var kind: any ExperimentKind
  /// The policies with their parameters.
  package var policies: [PolicyChoice]
  /// The capacities.
  package var capacities: [Capacity]
  /// The random seeds.
  package var seeds: [Int]
  /// The variations in which each cell is run once more.
  package var variations = Variations.none
  /// The settings that all cells have in common.
  package var settings: ExperimentPlan.Settings
  /// The columns that are read of the traces.
  package var columns: TraceColumns
  /// The trace that is read block by block; nil for traces in memory.
  package var stream: StreamedTrace?
  /// Adds FIFO and, without delays, the optimum as baselines, and for explanations more; nil for none.
  package var baselines: Baselines?
  /// Adds the curve of exact LRU of each trace.
  package var hasReferences = false

  /// A request without baselines.
  package init(
    _ kind: any ExperimentKind, policies: [PolicyChoice], capacities: [Capacity],
    seeds: [Int] = [42], settings: ExperimentPlan.Settings
  ) {
    self.kind = kind
    self.policies = policies
    self.capacities = capacities
    self.seeds = seeds
    self.settings = settings
    columns = ExperimentPlan.columns(
      for: policies, isSized: settings.isSized, expires: settings.expires)
  }

  /// The settings as a results document says them.
  package var members: [JSON.Member] {
    [
      JSON.Member("sized", .boolean(settings.isSized)),
      JSON.Member("warmup", .integer(settings.warmup)),
      JSON.Member("countSets", .boolean(settings.countsSets)),
    ] + kind.members + (settings.expires ? [JSON.Member("expire", .boolean(true))] : [])
      + (settings.delay.map { [JSON.Member("delay", $0.json)] } ?? [])
      + (settings.charge?.members ?? [])
  }

  /// The bytes that a run takes for each request beside its trace: the next uses, and for each cell that
  /// knows them the order of the residents' next uses. The optimum of objects that count one takes a bit.
  package func bytesPerRequest(jobs: Int) -> Int {
    let knowing = policies.filter { $0.needs.contains(.nextUse) }
    // A copy of the trace, the order of its requests, and next uses of it; of keys as many as there may be.
    let widths: [(TraceColumns, Int)] = [
      (.sizes, 8), (.times, 8), (.ttls, 8), (.costs, 8), (.operations, 1), (.classes, 4),
    ]
    let copied =
      variations.kinds.contains(where: \.changesTrace)
      ? 32 + widths.reduce(0) { $0 + (columns.contains($1.0) ? $1.1 : 0) } : 0
    if knowing.isEmpty && baselines == nil { return copied }
    let orders = knowing.count { settings.isSized || !$0.isOptimum }
    return copied + 4 + 4 * min(jobs, orders * capacities.count * seeds.count)
  }

  /// The plan with the baselines of the request.
  ///
  /// - Parameters:
  ///   - plan: The rows.
  ///   - held: Curves that are there already.
  package func addingBaselines(
    to plan: ExperimentPlan, besides held: [MissRatioCurve] = []
  ) -> ExperimentPlan {
    let measured = baselines?.added(to: plan) ?? plan
    return hasReferences ? measured.withReferences(besides: held) : measured
  }
}

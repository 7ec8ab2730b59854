import Results
import Traces

extension PlanRecord {
  /// The sweep of these policies at these capacities on traces of these names, of which nothing is
  /// read yet.
  public init(
    traces: [String], capacities: [Capacity], policies: [PolicyChoice], seeds: [Int],
    options: [JSON.Member] = []
  ) {
    self.init(
      traces: traces.map { Trace(name: $0) }, capacities: capacities.map(\.description),
      policies: policies.map(\.label), seeds: seeds, options: options)
  }

  /// Takes over what was planned for a share, now that its traces are read.
  public mutating func record(_ plan: ExperimentPlan, as share: PlanPartition) {
    shares = [Share(share: share, cells: plan.rows.count)]
    for (place, capacities) in zip(plan.part.traces, plan.capacities) {
      traces[place].capacities = capacities
    }
  }
}

extension ExperimentPlan.Settings {
  /// The settings as a results document says them.
  public var members: [JSON.Member] {
    [
      JSON.Member("sized", .boolean(isSized)), JSON.Member("warmup", .integer(warmup)),
      JSON.Member("countSets", .boolean(countsSets)),
      JSON.Member("traceInternals", .integer(internalsPoints)),
      JSON.Member("windows", windows?.json ?? .null),
    ]
  }
}

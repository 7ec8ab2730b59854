import Results
import Traces

extension PlanRecord {
  /// Records the plan of a partition, now that its traces are read and its libraries open.
  package mutating func record(_ plan: ExperimentPlan, as partition: PlanPartition) {
    plugins = plan.policies.compactMap(\.entry.plugin?.name).unique.map { name in
      let sum = try? TraceLoader.sha256(ofFile: PluginLibrary.path(of: name))
      return Plugin(policy: name, sha256: sum ?? "")
    }
    shares = [Share(share: partition, cells: plan.rows.count)]
    for (place, capacities) in zip(plan.part.traces, plan.capacities) {
      traces[place].capacities = capacities
    }
  }
}

extension PlanRecord {
  /// Runs of this sweep in its order.
  package func inOrder(_ measurements: [Measurement]) -> [Measurement] {
    let positions = CellPositions(self)
    return measurements.map { ($0, positions[$0] ?? .max) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Explanations of this sweep in its order, one for each capacity of each trace.
  package func inOrder(_ explanations: [Explanation]) -> [Explanation] {
    explanations.best(by: CellPositions(self))
  }
}

extension [Explanation] {
  /// One for each capacity of each trace, in a sweep's order: that of the best policy of all parts.
  package func best(by positions: CellPositions) -> [Explanation] {
    grouped { CellKey.Place($0) }.map { group in
      group.dropFirst().reduce(group[0]) { best, next in
        if next.bestHitRatio != best.bestHitRatio {
          return next.bestHitRatio > best.bestHitRatio ? next : best
        }
        return positions[policy: next.bestPolicy] < positions[policy: best.bestPolicy]
          ? next : best
      }
    }.sorted {
      let places = [$0, $1].map {
        positions[trace: $0.trace, capacity: $0.capacity] ?? .max
      }
      return places[0] < places[1]
    }
  }
}

/// The order of a whole sweep's cells: by trace, capacity, policy and seed, those included at which nothing can run.
package struct CellGrid: Sendable {
  /// The numbers of each.
  package let traces: Int, capacities: Int, policies: Int, seeds: Int

  package init(traces: Int, capacities: Int, policies: Int, seeds: Int) {
    (self.traces, self.capacities) = (traces, capacities)
    (self.policies, self.seeds) = (policies, seeds)
  }

  /// The cells of each trace.
  package var cellsPerTrace: Int { capacities * policies * seeds }

  /// All cells.
  package var cells: Int { traces * cellsPerTrace }

  /// The position of a cell.
  package func position(trace: Int, capacity: Int = 0, policy: Int = 0, seed: Int = 0) -> Int {
    ((trace * capacities + capacity) * policies + policy) * seeds + seed
  }
}

/// The order of a whole sweep's cells: by trace, capacity, policy and run (seed by seed, each as planned and in its variations), those included at which nothing can run.
package struct CellGrid: Sendable {
  /// The numbers of each.
  package let traces: Int, capacities: Int, policies: Int, runs: Int

  package init(traces: Int, capacities: Int, policies: Int, runs: Int) {
    (self.traces, self.capacities) = (traces, capacities)
    (self.policies, self.runs) = (policies, runs)
  }

  /// The cells of each trace.
  package var cellsPerTrace: Int { capacities * policies * runs }

  /// All cells.
  package var cells: Int { traces * cellsPerTrace }

  /// The position of a cell.
  package func position(trace: Int, capacity: Int = 0, policy: Int = 0, run: Int = 0) -> Int {
    ((trace * capacities + capacity) * policies + policy) * runs + run
  }
}

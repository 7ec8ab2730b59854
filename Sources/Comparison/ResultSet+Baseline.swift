import Results

extension ResultSet {
  /// Returns these results with the runs of an earlier baseline in place of those that do not differ from them, so that a
  /// diff of two baselines shows what changed.
  ///
  /// A run is kept where both baselines are of one machine and compiler, everything exact is equal, no other metric
  /// differs by more than its tolerance, none was left out of the comparison, and there were as many rounds. The times of
  /// replays and of disks are not compared, and always the new ones.
  package func keepingRuns(
    of baseline: ResultSet, tolerances: ResultComparison.Tolerances
  ) -> ResultSet {
    let rules = SpeedRules(baseline, self, tolerances)
    let differing = ResultComparison.differingTraces(baseline, self)
    if rules.timeObstacle != nil { return self }
    var earlier = Dictionary(grouping: baseline.measurements) { CellKey($0) }
      .mapValues { $0[...] }
    var results = self
    for (index, run) in measurements.enumerated() {
      let cell = CellKey(run)
      guard let before = earlier[cell]?.popFirst(), differing[cell.trace] == nil else { continue }
      var comparison = CellComparison(cell)
      comparison.compareCounts(before, run)
      comparison.compareSpeed(before, run, rules)
      let isSettled =
        comparison.differences.isEmpty && comparison.gaps.isEmpty && run.replay == nil
        && run.disk == nil
      if isSettled, before.speed?.ratios.count == run.speed?.ratios.count {
        results.measurements[index] = before
      }
    }
    return results
  }
}

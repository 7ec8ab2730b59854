import Results

extension ResultSet {
  /// Estimates with intervals: policies in future windows of the trace, where runs were counted window by
  /// window, and over all seeds, where there are several.
  ///
  /// At each capacity of each trace policies are compared with LRU, or without it with the first one; in
  /// future windows the best is also compared with the next best.
  ///
  /// - Complexity: O(windows + 4000 × blocks) for each policy at each capacity, with at most 400 blocks.
  ///
  /// - Parameter bounds: The names of policies that no cache could run, of which nothing is estimated.
  public func estimated(bounds: Set<String>) -> [Estimate] {
    let runs = measurements.filter {
      ($0.kind == .sweep || $0.kind == .replay) && $0.isDeterministic && !bounds.contains($0.policy)
        && $0.requests > 0
    }
    return runs.grouped(by: \.place).flatMap { runs in
      let baseline = runs.first { $0.contender == "lru" } ?? runs[0]
      let trace = traces.first { $0.name == baseline.trace }
      return FutureWindowEstimates.estimates(of: runs, baseline: baseline.contender, trace: trace)
        + SeedEstimates.estimates(of: runs, baseline: baseline.contender)
    }
  }
}

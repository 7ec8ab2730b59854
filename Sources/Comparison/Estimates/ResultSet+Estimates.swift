import Results

extension ResultSet {
  /// Estimates with intervals: policies in a stationary process like the trace, where runs were counted window
  /// by window, and over all seeds and orders, where there are several.
  ///
  /// At each capacity of each trace policies are compared with LRU, or without it with the first one; from the
  /// windows the best is also compared with all others. Intervals of comparisons of one kind are valid
  /// together, at all capacities of a trace.
  ///
  /// - Complexity: O(n √n) for each pair of policies at each capacity, with n windows, at most 400.
  ///
  /// - Parameter bounds: The names of policies that no cache could run, of which nothing is estimated.
  package func estimated(bounds: Set<String>) -> [Estimate] {
    let runs = measurements.filter {
      ($0.kind == .sweep || $0.kind == .replay) && $0.isDeterministic && !bounds.contains($0.policy)
        && $0.requests > 0
    }
    return runs.grouped(by: \.trace).flatMap { runs in
      let places = runs.grouped(by: \.place).map { runs in
        (runs: runs, baseline: (runs.first { $0.contender == "lru" } ?? runs[0]).contender)
      }
      let asRecorded = places.map { place in
        (runs: place.runs.filter { $0.variation == nil }, baseline: place.baseline)
      }
      let overWindows = StationaryEstimates.estimates(of: asRecorded)
      let overSeeds = ReplicateEstimates.ofSeeds.estimates(of: places)
      // Of several models or reaches the first.
      let overOrders = runs.compactMap(\.variation).first { $0.kind == .order }.map {
        ReplicateEstimates.ofOrders(like: $0).estimates(of: places)
      }
      return places.indices.flatMap {
        overWindows[$0] + overSeeds[$0] + (overOrders?[$0] ?? [])
      }
    }
  }
}

import Results
import Runner

extension DiskRecommendation {
  /// Recommends thresholds from measurements of kind `disk`, by trace, page size and durability.
  ///
  /// The time of a trace at a threshold is the sum over sizes of how many reads, writes and overwrites there
  /// were, times what one took in the place that the threshold gives to that size: the median of reads,
  /// the mean of the others. Only sizes count that were seen in both places, so at least two thresholds
  /// must have been run. A round that saw none chooses nothing, and is left out.
  package static func recommendations(from measurements: [Measurement]) -> [DiskRecommendation] {
    struct Group: Hashable {
      var trace: String
      var pageSize: Int
      var durability: String
    }
    var groups: [Group: [Int: [DiskMeasures]]] = [:]
    for measurement in measurements {
      guard let disk = measurement.disk else { continue }
      let group = Group(
        trace: measurement.trace, pageSize: disk.setup.pageSize, durability: disk.setup.durability)
      groups[group, default: [:]][disk.setup.round, default: []].append(disk)
    }
    let sorted = groups.sorted {
      ($0.key.trace, $0.key.pageSize, $0.key.durability)
        < ($1.key.trace, $1.key.pageSize, $1.key.durability)
    }
    return sorted.compactMap { group, rounds in
      let rounds = rounds.values.map { SizeComparison($0) }.filter { $0.bestThreshold != nil }
      let thresholds = rounds.compactMap(\.bestThreshold).sorted()
      guard let low = thresholds.first, let high = thresholds.last,
        let best = SizeComparison.bestThreshold(of: rounds)
      else { return nil }
      return DiskRecommendation {
        $0.trace = group.trace
        $0.pageSize = group.pageSize
        $0.durability = group.durability
        $0.rounds = rounds.count
        $0.inlineThreshold = best
        $0.interval = min(low, best)...max(high, best)
        $0.crossovers = SizeComparison.operations.compactMap { crossover($0, rounds) }
      }
    }
  }

  private static func crossover(
    _ operation: SizeComparison.Operation, _ rounds: [SizeComparison]
  ) -> Crossover? {
    let sizes = rounds.compactMap { $0.crossover(operation.time) }.sorted()
    if sizes.isEmpty { return nil }
    func finite(_ size: Double) -> Double? { size.isFinite ? size : nil }
    return Crossover {
      $0.operation = operation.name
      $0.size = finite(sizes[sizes.count / 2])
      $0.low = finite(sizes[0])
      $0.high = finite(sizes[sizes.count - 1])
    }
  }
}

import Parameters
import Results

/// The partitions of a sweep that are there, given its cells.
package struct PartitionCoverage {
  /// True where together they are all of it.
  package let isWhole: Bool
  /// The gaps, in a line each.
  package let gaps: [String]

  /// - Parameters:
  ///   - plan: The sweep, and the partitions that its documents hold.
  ///   - cells: The positions of the cells that are there.
  package init(_ plan: PlanRecord, cells: [Int]) {
    var whole = RangeSet<Int>()
    var gaps: [String] = []
    for share in plan.shares {
      let range = plan.positions(of: share.share)
      if range.isEmpty { continue }
      let lacking = share.cells - cells.count(where: range.contains)
      if lacking > 0 {
        gaps.append("partition \(share.share) lacks \(lacking) of its \(share.cells) cells")
      } else {
        whole.insert(contentsOf: range)
      }
    }
    isWhole = whole.isSuperset(of: RangeSet(0..<plan.positions))
    let finest = plan.shares.map(\.share.count).max() ?? 1
    let begun = Set(plan.shares.map(\.share))
    let missing = PlanPartition.all(of: finest).filter {
      let range = plan.positions(of: $0)
      return !range.isEmpty && !begun.contains($0) && !whole.isSuperset(of: RangeSet(range))
    }
    self.gaps = isWhole ? [] : gaps + PartitionCoverage.list(missing)
  }

  /// Missing partitions, neighbours together: `partitions 2, 5–9 of 10 are missing`.
  private static func list(_ missing: [PlanPartition]) -> [String] {
    guard let count = missing.first?.count else { return [] }
    let runs = RangeSet(missing.map { $0.index..<$0.index + 1 }).ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound - 1)"
    }
    return missing.count == 1
      ? ["partition \(missing[0]) is missing"]
      : ["partitions \(runs.joined(separator: ", ")) of \(count) are missing"]
  }
}

import Foundation
import Results

/// The partitions of a sweep that are there, given its cells.
struct PartitionCoverage {
  /// True where together they are all of it.
  let isWhole: Bool
  /// The gaps, in a line each.
  let gaps: [String]

  /// - Parameters:
  ///   - plan: The sweep, and the partitions that its documents hold.
  ///   - cells: The positions of the cells that are there.
  init(_ plan: PlanRecord, cells: [Int]) {
    let cells = IndexSet(cells.sorted())
    var whole = IndexSet()
    var gaps: [String] = []
    for share in plan.shares {
      let range = plan.positions(of: share.share)
      if range.isEmpty { continue }
      let lacking = share.cells - cells.count(in: range)
      if lacking > 0 {
        gaps.append("partition \(share.share) lacks \(lacking) of its \(share.cells) cells")
      } else {
        whole.insert(integersIn: range)
      }
    }
    isWhole = whole.contains(integersIn: 0..<plan.positions)
    let finest = plan.shares.map(\.share.count).max() ?? 1
    let begun = Set(plan.shares.map(\.share))
    let missing = PlanPartition.all(of: finest).filter {
      let range = plan.positions(of: $0)
      return !range.isEmpty && !begun.contains($0) && !whole.contains(integersIn: range)
    }
    self.gaps = isWhole ? [] : gaps + PartitionCoverage.list(missing)
  }

  /// Missing partitions, neighbours together: `partitions 2, 5–9 of 10 are missing`.
  private static func list(_ missing: [PlanPartition]) -> [String] {
    guard let count = missing.first?.count else { return [] }
    let runs = IndexSet(missing.map(\.index)).rangeView.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound - 1)"
    }
    return missing.count == 1
      ? ["partition \(missing[0]) is missing"]
      : ["partitions \(runs.joined(separator: ", ")) of \(count) are missing"]
  }
}

import Foundation
import Results

/// Which shares of a sweep are there, given its cells.
struct PartitionCoverage {
  /// Whether together they are all of it.
  let isWhole: Bool
  /// What is missing, in a line each.
  let gaps: [String]

  /// - Parameters:
  ///   - plan: The sweep, and the shares that documents of it hold.
  ///   - cells: The positions of the cells that are there.
  init(_ plan: PlanRecord, cells: [Int]) {
    let cells = IndexSet(cells.sorted())
    var whole = IndexSet()
    var gaps: [String] = []
    for share in plan.shares {
      let range = share.share.positions(of: plan.positions)
      if range.isEmpty { continue }
      let lacking = share.cells - cells.count(in: range)
      if lacking > 0 {
        gaps.append("share \(share.share) lacks \(lacking) of its \(share.cells) cells")
      } else {
        whole.insert(integersIn: range)
      }
    }
    isWhole = whole.contains(integersIn: 0..<plan.positions)
    let finest = plan.shares.map(\.share.count).max() ?? 1
    let begun = Set(plan.shares.map(\.share))
    let missing = PlanPartition.all(of: finest).filter {
      let range = $0.positions(of: plan.positions)
      return !range.isEmpty && !begun.contains($0) && !whole.contains(integersIn: range)
    }
    self.gaps = isWhole ? [] : gaps + PartitionCoverage.list(missing)
  }

  /// Missing shares, neighbours together: `shares 2, 5–9 of 10 are missing`.
  private static func list(_ missing: [PlanPartition]) -> [String] {
    guard let count = missing.first?.count else { return [] }
    let runs = IndexSet(missing.map(\.index)).rangeView.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound - 1)"
    }
    return missing.count == 1
      ? ["share \(missing[0]) is missing"]
      : ["shares \(runs.joined(separator: ", ")) of \(count) are missing"]
  }
}

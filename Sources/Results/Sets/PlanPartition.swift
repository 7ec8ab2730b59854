/// One of several equal shares of a sweep, written `2/5`: the second of five.
///
///     let share = PlanPartition(parsing: "2/5")
///     share.map(plan.positions)  // 9..<19
///
/// The cells of a sweep stand in one order, all of a trace together. A share is a run of neighbours in
/// it, so that it reads no more traces than a share of that size must. Shares are equal in work, not in cells: see
/// ``PlanRecord/positions(of:)``.
package struct PlanPartition: Sendable, Hashable {
  /// The number of the partition, from 1.
  package let index: Int
  /// The number of partitions.
  package let count: Int

  /// The most shares of a sweep.
  package static let most = 1_000_000

  /// All cells.
  package static let whole = PlanPartition(index: 1, count: 1)

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Parses `i/n`; nil unless 1 ≤ i ≤ n ≤ ``most``.
  package init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], index >= 1, index <= count,
      count <= PlanPartition.most
    else { return nil }
    self.init(index: index, count: count)
  }

  /// True if this is the only share.
  package var isWhole: Bool { count == 1 }

  /// The shares of that number, the first to the last.
  package static func all(of count: Int) -> [PlanPartition] {
    (1...count).map { PlanPartition(index: $0, count: count) }
  }
}

extension PlanPartition: CustomStringConvertible {
  /// As it is parsed: `2/5`.
  package var description: String { "\(index)/\(count)" }
}

/// The cells of a plan that a partition contains.
package struct PartitionRange: Sendable, Equatable {
  /// The traces that it reads: places among those of the sweep.
  package let traces: Range<Int>
  /// The cells that it runs: places in the order of the whole sweep.
  package let positions: Range<Int>
  /// True if this is the whole sweep.
  package let isWhole: Bool

  package init(traces: Range<Int>, positions: Range<Int>, isWhole: Bool) {
    self.traces = traces
    self.positions = positions
    self.isWhole = isWhole
  }
}

extension PlanPartition: JSONValue {
  package static let format = JSONFormat<PlanPartition>(
    "a partition such as 2/5", plural: "partitions such as 2/5", write: { .string("\($0)") }
  ) { if case .string(let text) = $0 { PlanPartition(parsing: text) } else { nil } }
}

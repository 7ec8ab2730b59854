/// The sums of each value of one list with each of another, in order, without a list of them all.
///
/// - Complexity: O(values) memory, and O(values × 60) or so for a value of a given rank.
struct PairwiseSums {
  private let rows: [Double]
  private let columns: [Double]

  /// All sums of one list's values with another's.
  init(_ rows: [Double], _ columns: [Double]) {
    self.rows = rows.sorted()
    self.columns = columns.sorted()
  }

  /// Sums.
  var count: Int { rows.count * columns.count }

  /// The middle of the sums.
  var median: Double {
    let upper = value(ofRank: count / 2 + 1)
    return count % 2 == 1 ? upper : (value(ofRank: count / 2) + upper) / 2
  }

  /// The sum of a rank, from 1 for the smallest.
  func value(ofRank rank: Int) -> Double {
    precondition(rank >= 1 && rank <= count, "a rank is one of the sums'")
    var low = rows[0] + columns[0]
    var high = rows[rows.count - 1] + columns[columns.count - 1]
    if sums(upTo: low) >= rank { return low }
    // Fewer sums than `rank` reach `low`, at least as many reach `high`.
    while true {
      let middle = low / 2 + high / 2
      guard low < middle && middle < high else { return high }
      if sums(upTo: middle) >= rank { high = middle } else { low = middle }
    }
  }

  private func sums(upTo limit: Double) -> Int {
    var (sums, column) = (0, columns.count)
    for row in rows {
      while column > 0 && row + columns[column - 1] > limit { column -= 1 }
      sums += column
    }
    return sums
  }
}

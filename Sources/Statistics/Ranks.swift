/// Ranks of values among each other.
enum Ranks {
  /// The rank of each value, from 1; equal values share the mean of theirs. Doubled, so that they are whole.
  ///
  /// - Complexity: O(n log n).
  static func doubled(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Int](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count && values[order[end]] == values[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = start + 1 + end }
      start = end
    }
    return ranks
  }

  /// The sum of t³ − t over the groups of t equal ranks: what ties take from the variance of rank sums.
  static func tieTerm(_ ranks: [Int]) -> Double {
    Dictionary(grouping: ranks) { $0 }.values.reduce(0) { sum, tied in
      let size = Double(tied.count)
      return sum + size * size * size - size
    }
  }
}

/// The distribution of a sum of ranks when chance alone decides which ranks are added: exactly, by counting.
struct RankSumDistribution {
  /// The probability of each multiple of `unit`.
  private let probabilities: [Double]
  /// Two where all ranks are even, as doubled ones without ties are.
  private let unit: Int

  /// A number of ranks is drawn without putting back: Mann and Whitney.
  ///
  /// - Complexity: O(ranks × chosen × their sum).
  init(draws chosen: Int, from ranks: [Int]) {
    let unit = RankSumDistribution.unit(ranks)
    let sums = ranks.reduce(0, +) / unit + 1
    // Rows: after a number of ranks was looked at, the probability that a row's number of them was drawn and
    // adds up to a column's sum.
    var table = [Double](repeating: 0, count: (chosen + 1) * sums)
    table[0] = 1
    table.withUnsafeMutableBufferPointer { table in
      var largest = 0
      for (seen, rank) in ranks.enumerated() {
        let (rank, left) = (rank / unit, Double(ranks.count - seen))
        largest += rank
        var taken = min(seen + 1, chosen)
        while taken >= 0 {
          let stay = max(0, left - Double(chosen - taken)) / left
          let draw = taken > 0 ? Double(chosen - taken + 1) / left : 0
          let (row, before) = (taken * sums, (taken - 1) * sums - rank)
          var sum = 0
          while sum <= largest {
            let drawn = taken > 0 && sum >= rank ? table[before + sum] * draw : 0
            table[row + sum] = table[row + sum] * stay + drawn
            sum += 1
          }
          taken -= 1
        }
      }
    }
    self.unit = unit
    probabilities = Array(table[(chosen * sums)...])
  }

  /// The probability of a sum that lies as far out, on either side.
  func twoSided(_ sum: Int) -> Double {
    let below = probabilities[...(sum / unit)].reduce(0, +)
    let above = probabilities[(sum / unit)...].reduce(0, +)
    return min(1, 2 * min(below, above))
  }

  /// The largest sum with at most `tail` of probability below it.
  func lowestSum(withBelow tail: Double) -> Int {
    var below = 0.0
    for (sum, probability) in probabilities.enumerated() {
      below += probability
      if below > tail { return sum * unit }
    }
    return probabilities.count * unit
  }

  private static func unit(_ ranks: [Int]) -> Int {
    ranks.allSatisfy { $0.isMultiple(of: 2) } ? 2 : 1
  }
}

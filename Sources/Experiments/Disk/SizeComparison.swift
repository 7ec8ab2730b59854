import Foundation
import Results
import Runner

/// The times of one round by size, in the database and in files.
struct SizeComparison {
  struct Operation: Sendable {
    let name: String
    let time: @Sendable (SizeTimes) -> Double?
  }

  static let operations = [
    Operation(name: "read") { $0.read }, Operation(name: "coldRead") { $0.coldRead },
    Operation(name: "write") { $0.write }, Operation(name: "replace") { $0.replace },
  ]

  /// By the smallest size, ascending.
  private let sizes: [(from: Int, inline: [SizeTimes], file: [SizeTimes])]

  init(_ measures: [DiskMeasures]) {
    let all = Dictionary(grouping: measures.flatMap(\.sizes), by: \.from)
    sizes = all.sorted { $0.key < $1.key }.map { from, times in
      (from, times.filter(\.isInline), times.filter { !$0.isInline })
    }
  }

  /// The time of the trace's operations with every candidate threshold, in nanoseconds.
  ///
  /// A threshold is the largest size in the database, so the candidates lie just below the sizes.
  private var costs: [Int: Double] {
    var costs: [Int: Double] = [:]
    let known = sizes.compactMap { size -> (from: Int, inline: Double, file: Double)? in
      let weights = size.inline + size.file
      func cost(_ times: [SizeTimes]) -> Double? {
        var sum: Double? = nil
        let counted: [((SizeTimes) -> Int, (SizeTimes) -> Double?)] = [
          ({ $0.reads }, { $0.read }), ({ $0.writes }, { $0.write }),
          ({ $0.replaces }, { $0.replace }),
        ]
        for (count, time) in counted {
          let number = weights.reduce(0) { $0 + count($1) }
          if number == 0 { continue }
          guard let mean = SizeComparison.mean(times.compactMap(time)) else { return nil }
          sum = (sum ?? 0) + Double(number) * mean
        }
        return sum
      }
      guard let inline = cost(size.inline), let file = cost(size.file) else { return nil }
      return (size.from, inline, file)
    }
    guard let last = known.last else { return [:] }
    for threshold in known.map({ max($0.from - 1, 0) }) + [2 * max(last.from, 1) - 1] {
      costs[threshold] = known.reduce(0) { $0 + ($1.from <= threshold ? $1.inline : $1.file) }
    }
    return costs
  }

  /// The threshold with the least time; nil if no size was seen in both places.
  var bestThreshold: Int? { SizeComparison.least(costs) }

  /// The threshold with the least time in all rounds together.
  static func bestThreshold(of rounds: [SizeComparison]) -> Int? {
    var sums: [Int: Double] = [:]
    let costs = rounds.map(\.costs)
    for cost in costs {
      for (threshold, time) in cost { sums[threshold, default: 0] += time }
    }
    return least(sums.filter { sum in costs.allSatisfy { $0[sum.key] != nil } })
  }

  private static func least(_ costs: [Int: Double]) -> Int? {
    costs.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  /// The size from which on files are faster: 0 if always, infinite if never; nil if it was not seen in
  /// both places.
  ///
  /// Where the sign of the difference changes more than once, the split that errs least, interpolated.
  func crossover(_ time: (SizeTimes) -> Double?) -> Double? {
    let ratios = sizes.compactMap { size -> (size: Double, ratio: Double)? in
      guard let inline = SizeComparison.mean(size.inline.compactMap(time)),
        let file = SizeComparison.mean(size.file.compactMap(time)), inline > 0, file > 0
      else { return nil }
      return (Double(max(size.from, 1)) * 2.0.squareRoot(), log(file / inline))
    }
    if ratios.isEmpty { return nil }
    func error(splitting place: Int) -> Double {
      ratios.enumerated().reduce(0) { sum, entry in
        sum + max(0, entry.offset < place ? -entry.element.ratio : entry.element.ratio)
      }
    }
    let place = (0...ratios.count).min { error(splitting: $0) < error(splitting: $1) } ?? 0
    if place == 0 { return 0 }
    if place == ratios.count { return .infinity }
    let (below, above) = (ratios[place - 1], ratios[place])
    let span = below.ratio - above.ratio
    let fraction = span > 0 ? min(max(below.ratio / span, 0), 1) : 0.5
    return below.size * pow(above.size / below.size, fraction)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}

import Foundation

/// The inline threshold that experiments on disk speak for, and where files become faster.
public struct DiskRecommendation: Sendable, Equatable {
  /// From which size on files are faster for an operation.
  public struct Crossover: Sendable, Equatable {
    /// `read`, `coldRead`, `write` or `replace`.
    public var operation: String
    /// The median over the rounds, in bytes: 0 if files are always faster, nil if never, among the sizes seen.
    public var size: Double?
    /// The smallest and the largest of the rounds'.
    public var low: Double?
    /// See ``low``.
    public var high: Double?
  }

  /// The trace.
  public var trace: String
  /// The bytes of a database page.
  public var pageSize: Int
  /// What the store promised, by name.
  public var durability: String
  /// How many rounds chose a threshold.
  public var rounds: Int
  /// The threshold with the smallest time for the trace's reads and writes, in bytes.
  public var inlineThreshold: Int
  /// The smallest and the largest that single rounds chose.
  public var interval: ClosedRange<Int>
  /// Where files become faster, for each operation that was seen in both places.
  public var crossovers: [Crossover]

  /// How probable it is that such an interval contains the median of all rounds that could be run.
  public var coverage: Double { 1 - pow(2, 1 - Double(rounds)) }

  /// What the measurements of kind `disk` recommend, by trace, page size and durability.
  ///
  /// The time of a trace at a threshold is the sum over sizes of how many reads, writes and overwrites there
  /// were, times what one took in the place that the threshold gives to that size: the median of reads,
  /// the mean of the others. Only sizes count that were seen in both places, so at least two thresholds
  /// must have been run. A round that saw none chooses nothing, and is left out.
  public static func recommendations(from measurements: [Measurement]) -> [DiskRecommendation] {
    struct Group: Hashable {
      var trace: String
      var pageSize: Int
      var durability: String
    }
    var groups: [Group: [Int: [DiskMeasures]]] = [:]
    for measurement in measurements {
      guard let disk = measurement.disk else { continue }
      let group = Group(
        trace: measurement.trace, pageSize: disk.pageSize, durability: disk.durability)
      groups[group, default: [:]][disk.round, default: []].append(disk)
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
      return DiskRecommendation(
        trace: group.trace, pageSize: group.pageSize, durability: group.durability,
        rounds: rounds.count, inlineThreshold: best, interval: min(low, best)...max(high, best),
        crossovers: SizeComparison.operations.compactMap { crossover($0, rounds) })
    }
  }

  private static func crossover(
    _ operation: SizeComparison.Operation, _ rounds: [SizeComparison]
  ) -> Crossover? {
    let sizes = rounds.compactMap { $0.crossover(operation.time) }.sorted()
    if sizes.isEmpty { return nil }
    func finite(_ size: Double) -> Double? { size.isFinite ? size : nil }
    return Crossover(
      operation: operation.name, size: finite(sizes[sizes.count / 2]), low: finite(sizes[0]),
      high: finite(sizes[sizes.count - 1]))
  }
}

extension DiskRecommendation {
  /// The recommendation in words.
  public var text: String {
    let percent = Int((coverage * 100).rounded(.down))
    let places = crossovers.map { crossover in
      let name = crossover.operation == "coldRead" ? "cold read" : crossover.operation
      return "\(name) \(Self.text(crossover.size)) "
        + "(\(Self.text(crossover.low)) to \(Self.text(crossover.high)))"
    }
    return "An inline threshold of \(inlineThreshold) bytes is the fastest here "
      + "(\(interval.lowerBound) to \(interval.upperBound), \(rounds) rounds, \(percent) %), with "
      + "pages of \(pageSize) bytes and durability \(durability). Files are faster from: "
      + places.joined(separator: ", ") + "."
  }

  private static func text(_ size: Double?) -> String {
    size.map { String(format: "%.1f KiB", $0 / 1_024) } ?? "never"
  }
}

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
    let share = span > 0 ? min(max(below.ratio / span, 0), 1) : 0.5
    return below.size * pow(above.size / below.size, share)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}

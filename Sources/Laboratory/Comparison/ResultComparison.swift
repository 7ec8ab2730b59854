/// Two results documents side by side: which runs both have, and in what they differ.
///
///     let comparison = ResultComparison(before: baseline, after: results)
///     for difference in comparison.differences { print(difference.cell.label, difference.figure) }
///
/// Counts of deterministic runs are exact: any difference is real. Instructions differ when they do so
/// by more than ``Tolerances/instructions``. Times are compared through their ratios to the calibration
/// loop, as `evict sweep --speed` measures them; single timings prove nothing and are not compared.
/// Runs that were counted window by window also say what their difference is in future windows.
public struct ResultComparison: Sendable {
  /// What counts as no difference.
  public struct Tolerances: Sendable {
    /// The share by which instructions of one program differ between runs: allocation and
    /// start-up are not quite the same every time.
    public var instructions: Double
    /// The growth of times that a test looks for.
    public var time: Double
    /// How often a test of times may be wrong.
    public var errorRate: Double

    /// Tolerances; by default half a percent of instructions, and 5 % of time at an error rate of 1 %.
    public init(instructions: Double = 0.005, time: Double = 0.05, errorRate: Double = 0.01) {
      self.instructions = instructions
      self.time = time
      self.errorRate = errorRate
    }
  }

  /// Every run of either document, in the order of the differences.
  public let cells: [CellIdentity]
  /// Whether both were measured by programs of one compiler on one kind of processor.
  public let isSameToolchain: Bool
  /// What differs, in the order of the first document; runs that only the second has come last.
  public let differences: [Difference]
  /// Whether no run is in both documents.
  public let isDisjoint: Bool
  /// How far policies are above each other, where no run is in both documents: those of the second are
  /// compared with LRU, or without it with the first policy of the first document.
  public let gains: [Estimate]

  /// Compares two documents.
  ///
  /// - Parameters:
  ///   - before: What was.
  ///   - after: What is.
  ///   - tolerances: What counts as no difference.
  public init(before: ResultSet, after: ResultSet, tolerances: Tolerances = Tolerances()) {
    isSameToolchain =
      before.environment.toolchain == after.environment.toolchain
      && before.environment.architecture == after.environment.architecture
    var differing = ResultComparison.differingTraces(before, after)
    let later = Dictionary(
      after.measurements.map { (CellIdentity($0), $0) }, uniquingKeysWith: { first, _ in first })
    var differences: [Difference] = []
    var cells: [CellIdentity] = []
    var known = Set<CellIdentity>()
    for measurement in before.measurements {
      let cell = CellIdentity(measurement)
      if !known.insert(cell).inserted { continue }
      cells.append(cell)
      if let isReported = differing[cell.trace] {
        if !isReported {
          differences.append(Difference(cell, "trace", .changed, reason: "other content"))
        }
        differing[cell.trace] = true
      } else if let other = later[cell] {
        differences += ResultComparison.counts(
          cell, measurement, other, trace: after.traces.first { $0.name == cell.trace })
        if let speed = measurement.speed, let otherSpeed = other.speed {
          differences += ResultComparison.speed(
            cell, speed, otherSpeed, tolerances: tolerances, isSameToolchain: isSameToolchain,
            tests: before.measurements.count)
        }
      } else {
        differences.append(Difference(cell, "run", .missing))
      }
    }
    for measurement in after.measurements {
      let cell = CellIdentity(measurement)
      if differing[cell.trace] != nil { continue }
      if known.insert(cell).inserted {
        cells.append(cell)
        differences.append(Difference(cell, "run", .added))
      }
    }
    self.cells = cells
    self.differences = differences
    let isDisjoint =
      !cells.isEmpty && differences.count == cells.count
      && differences.allSatisfy { $0.verdict == .missing || $0.verdict == .added }
    self.isDisjoint = isDisjoint
    gains =
      isDisjoint
      ? ResultSet(joining: [before, after]).estimates.filter { $0.against != nil } : []
  }

  /// Traces that have the same name and other bytes or requests, none of them reported yet.
  private static func differingTraces(_ before: ResultSet, _ after: ResultSet) -> [String: Bool] {
    var differing: [String: Bool] = [:]
    for trace in before.traces {
      guard let other = after.traces.first(where: { $0.name == trace.name }) else { continue }
      let isSame =
        trace.requests == other.requests && trace.distinct == other.distinct
        && (trace.sha256 == nil || other.sha256 == nil || trace.sha256 == other.sha256)
      if !isSame { differing[trace.name] = false }
    }
    return differing
  }

  private static let hits = "hits"

  /// What differs of what was counted.
  private static func counts(
    _ cell: CellIdentity, _ before: Measurement, _ after: Measurement, trace: TraceSummary?
  ) -> [Difference] {
    guard before.isDeterministic else { return [] }
    func difference(_ figure: String, _ value: (Measurement) -> Double?) -> Difference? {
      let (old, new) = (value(before), value(after))
      if old == new { return nil }
      let hasWindows = figure == hits && before.windows != nil && after.windows != nil
      let estimate =
        hasWindows
        ? FutureWindowEstimates.estimate(
          of: after, against: before, traceRequests: trace?.requests) : nil
      return Difference(
        cell, figure, before: old, after: new, .changed, reason: estimate?.intervalText ?? "")
    }
    return [
      difference("requests") { Double($0.requests) }, difference(hits) { Double($0.hits) },
      difference("byte hit ratio") { $0.byteHitRatio },
      difference("cost hit ratio") { $0.costHitRatio },
      difference("insertions") { Double($0.insertions) },
      difference("evictions") { Double($0.evictions) },
      difference("hit ratio ≥") { $0.hitRatioBounds?.lowerBound },
      difference("hit ratio ≤") { $0.hitRatioBounds?.upperBound },
    ].compactMap(\.self)
  }
}

import Parameters
import Results
import Statistics

/// The mean hit ratio of policies in a stationary process like a trace, their gains over the baseline, and the
/// gain of the best one over all others, from the windows of their runs.
///
/// A hit ratio's interval holds alone. Those of the gains hold together, at all capacities of the trace: each has
/// the confidence that Bonferroni's inequality asks of it. The best one is chosen by the same data, and so is
/// the next best; there the comparisons with all others, of all capacities, hold together.
enum StationaryEstimates {
  /// More windows than this are put together first: a 400th of a trace is fine enough.
  private static let mostWindows = 400

  /// Returns the estimates of the runs on a trace.
  ///
  /// - Parameter places: The runs at each capacity, with the name of the baseline.
  static func estimates(of places: [(runs: [Measurement], baseline: String)]) -> [[Estimate]] {
    // One run of each policy: what further seeds say is not of the traffic.
    let fields = places.map { place in
      Field(
        place.runs.filter { $0.windows != nil }.grouped(by: \.contender).map { $0[0] },
        baseline: place.baseline)
    }
    let comparisons = fields.reduce(0) { $0 + max($1.policies.count - 1, 0) }
    // What the choice of the best can get wrong, on either side: see `best`.
    let choices = fields.reduce(0) { $0 + ($1.policies.count > 2 ? $1.policies.count : 0) }
    return fields.map { field in
      field.policies.map { policy in
        policy.contender == field.baseline?.contender
          ? estimate(of: policy)
          : estimate(of: policy, against: field.baseline, comparisons: comparisons)
      } + [best(of: field.policies, choices: choices)].compactMap(\.self)
    }
  }

  /// The policies at a capacity.
  private struct Field {
    let policies: [Measurement]
    let baseline: Measurement?

    init(_ policies: [Measurement], baseline: String) {
      self.policies = policies
      self.baseline = policies.first { $0.contender == baseline } ?? policies.first
    }
  }

  /// Returns the estimate for a run's hit ratio, or for its distance to another run's on the same trace.
  ///
  /// - Parameters:
  ///   - run: A run that was counted window by window.
  ///   - other: The run that it is compared with, counted in the same windows; nil for none.
  ///   - comparisons: The comparisons whose intervals hold together.
  static func estimate(
    of run: Measurement, against other: Measurement? = nil, comparisons: Int = 1
  ) -> Estimate {
    var estimate = Estimate(run, against: other, of: .stationaryMean)
    estimate.comparisons = comparisons > 1 ? comparisons : nil
    let error = (1 - Estimate.confidence) / Double(comparisons)
    do {
      let mean = try mean(of: run, against: other)
      estimate.interval = mean.interval(confidence: 1 - error)
      estimate.nextTrace = mean.nextTrace(confidence: 1 - error)
      estimate.record(mean)
    } catch {
      estimate.reason = reason(error)
    }
    return estimate
  }

  /// The policy with the most hits, above the one with the next most: the least of its gains over all others.
  ///
  /// The policy that is chosen is above the best of the others by its gain over the process's best, or, where it
  /// is that itself, over the process's next best. So the interval fails only where the process's best is
  /// underestimated beside one of the others, or overestimated beside its next best: as many one-sided errors
  /// as there are policies, whichever of them is chosen (as in J. C. Hsu, “Constrained simultaneous confidence
  /// intervals for multiple comparisons with the best”, Annals of Statistics 12(3), 1984).
  ///
  /// - Parameter choices: Policies at all capacities of the trace.
  private static func best(of policies: [Measurement], choices: Int) -> Estimate? {
    let ranked = policies.sorted { $0.hits > $1.hits }
    guard ranked.count > 2 else { return nil }
    var estimate = Estimate(ranked[0], against: ranked[1], of: .stationaryMean)
    estimate.isBest = true
    let confidence = 1 - 2 * (1 - Estimate.confidence) / Double(choices)
    do {
      let gains = try ranked.dropFirst().map { try mean(of: ranked[0], against: $0) }
      let intervals = gains.map { $0.interval(confidence: confidence) }
      if let low = intervals.map(\.lowerBound).min(), let high = intervals.map(\.upperBound).min() {
        estimate.interval = low...high
      }
      estimate.record(gains[0])
    } catch {
      estimate.reason = reason(error)
    }
    return estimate
  }

  /// The reason why there is no estimate.
  private struct Obstacle: Error, CustomStringConvertible {
    let description: String
  }

  private static func reason(_ error: any Error) -> String {
    if case StatisticsError.tooFew(let what, _, let needed, let remedy) = error {
      // Without the count, which differs from run to run, alike runs share one reason.
      return "fewer than \(needed) \(what); \(remedy)"
    }
    return "\(error)"
  }

  private static func mean(
    of run: Measurement, against other: Measurement?
  ) throws -> StationaryMean {
    let windows = run.windows ?? RequestWindows(ends: [], requests: [], hits: [])
    if let other, other.windows?.requests != windows.requests || other.windows?.ends != windows.ends
    {
      throw Obstacle(description: "\(other.contender) was counted in other windows")
    }
    let hits = parts(of: windows.hits, in: windows)
    let requests = parts(of: windows.requests, in: windows)
    let mean =
      if let others = other?.windows?.hits {
        try StationaryMean(
          comparing: hits, with: parts(of: others, in: windows), requests: requests)
      } else {
        try StationaryMean(hits: hits, requests: requests)
      }
    if mean.standardError == 0 {
      throw Obstacle(description: "the figure is the same in every window")
    }
    return mean
  }

  /// Returns the counts of the windows with requests, joined into at most `most` parts.
  private static func parts(of counts: [Int], in windows: RequestWindows) -> [Int] {
    let filled = windows.requests.indices.filter { windows.requests[$0] > 0 }
    let width = max(1, (filled.count + mostWindows - 1) / mostWindows)
    return stride(from: 0, to: filled.count, by: width).map { start in
      filled[start..<min(start + width, filled.count)].reduce(0) { $0 + counts[$1] }
    }
  }
}

extension Estimate {
  /// Takes over what a mean's intervals come from.
  fileprivate mutating func record(_ mean: StationaryMean) {
    samples = mean.windows
    blockLength = mean.blockLength
    stationarity = mean.stationarity.pValue
  }
}

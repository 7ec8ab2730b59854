import Parameters
import Results

/// The policies of a document over all of its traces, the best first.
///
/// A policy's value on a trace is the mean over the trace's capacities of the reduction of FIFO's mean latency where misses
/// take time, else of its miss ratio, or of the hit ratio where nothing was compared with FIFO; its rank is by the
/// mean over the traces. With one trace, its capacities take their place.
struct Ranking {
  /// The number by which policies are ranked.
  enum Metric {
    case hitRatio
    case missReduction
    case latencyReduction
  }

  /// A trace, or a capacity of the only one.
  struct Column {
    /// The trace's name, or the capacity.
    let title: String
    /// The comparisons that are averaged.
    let standings: [Standing]
  }

  /// A policy.
  struct Place {
    let policy: String
    /// The policy with those that have the same hits.
    let title: String
    /// The value in each column; nil where the policy lacks a run.
    let values: [Double?]

    /// The mean of the known values.
    var mean: Double { values.compactMap(\.self).mean ?? 0 }
    /// True for a policy that ran everywhere.
    var isComplete: Bool { !values.contains(nil) }
    /// The higher, the better the place: policies that ran everywhere come first, then the mean counts.
    var rank: (Int, Double) { (isComplete ? 1 : 0, mean) }
  }

  let columns: [Column]
  /// The policies that ran everywhere, the best first, then the others.
  let places: [Place]
  let metric: Metric
  /// The name of the hit ratio.
  let ratioName: String
  /// True for columns that are traces.
  let isOfTraces: Bool

  /// - Parameter byHits: True for a ranking by hits also where misses take time.
  init(_ standings: [Standing], byHits: Bool = false) {
    let traces = standings.byTrace
    isOfTraces = traces.count > 1
    columns =
      isOfTraces
      ? traces.map { Column(title: $0[0].trace, standings: $0) }
      : standings.map {
        Column(title: Headline.amount($0.capacity, $0.unit), standings: [$0])
      }
    let contenders = standings.flatMap(\.contenders)
    let metric: Metric =
      if !byHits && contenders.contains(where: { $0.latencyReduction != nil }) {
        .latencyReduction
      } else if contenders.contains(where: { $0.missRatioReduction != nil }) {
        .missReduction
      } else {
        .hitRatio
      }
    self.metric = metric
    ratioName = standings.first?.ratioName ?? "hit ratio"
    let columns = columns
    places = contenders.map(\.policy).unique.map { policy in
      Place(
        policy: policy, title: policy,
        values: columns.map { $0.value(of: policy, by: metric) })
    }.sorted { $0.rank > $1.rank }
  }

  /// The policies of a suite over its recorded traces, else over those that were generated.
  ///
  /// nil for a suite without a group of traces.
  init?(_ suite: SuiteRecord, _ standings: [Standing]) {
    let wholes = suite.groups.filter { $0.basis == .recorded || $0.basis == .generated }
    guard let group = wholes.first else { return nil }
    columns = group.traces.map { trace in
      Column(title: trace, standings: standings.filter { $0.trace == trace })
    }
    places = group.policies.map {
      Place(policy: $0.policy, title: $0.title, values: $0.values)
    }
    metric = suite.metric == .latency ? .latencyReduction : .missReduction
    ratioName = "hit ratio"
    isOfTraces = true
  }

  /// The name of a reduction of FIFO's misses, in charts and sections.
  static let reductionName = "miss reduction against fifo, %"

  /// True for reductions, false for hit ratios.
  var isReduction: Bool { metric != .hitRatio }

  /// The name of the values.
  var valueName: String {
    switch metric {
    case .hitRatio: "\(ratioName), %"
    case .missReduction: Ranking.reductionName
    case .latencyReduction: "latency reduction against fifo, %"
    }
  }

  /// The noun of a column.
  var noun: String { isOfTraces ? "trace" : "size" }

  /// The policies behind the best that have its values in every column.
  var tied: ArraySlice<Place> {
    places.dropFirst().prefix { $0.isComplete && $0.values == places[0].values }
  }

  /// The number of columns where one policy's value is above another's.
  func leads(of policy: Place, over other: Place) -> Int {
    zip(policy.values, other.values).count { ($0 ?? 0) > ($1 ?? 0) }
  }

  /// The columns in which no policy has a better value than this one.
  func firsts(of place: Place) -> Int {
    columns.indices.count { column in
      place.values[column].map { $0 == leaders(of: column).first?.value } ?? false
    }
  }

  /// The best policies of a column, the best first.
  func leaders(of column: Int) -> [(policy: String, value: Double)] {
    places.compactMap { place in
      place.values[column].map { (policy: place.policy, value: $0) }
    }.sorted { $0.value > $1.value }
  }
}

extension Ranking.Column {
  /// The mean of a policy's values; nil where it lacks one.
  fileprivate func value(of policy: String, by metric: Ranking.Metric) -> Double? {
    let values = standings.compactMap { standing -> Double? in
      let score = standing.contenders.first { $0.policy == policy }
      return switch metric {
      case .hitRatio: score?.hitRatio
      case .missReduction: score?.missRatioReduction
      case .latencyReduction: score?.latencyReduction
      }
    }
    return values.count == standings.count ? values.mean : nil
  }
}

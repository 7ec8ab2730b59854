import Parameters
import Results

/// The policies of a document over all of its traces, the best first.
///
/// A policy's value on a trace is the mean over the trace's capacities of the reduction of FIFO's miss
/// ratio, or of the hit ratio where nothing was compared with FIFO; its rank is by the mean over the traces.
/// With one trace, its capacities take their place.
struct Ranking {
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
  /// True for reductions of the miss ratio, false for hit ratios.
  let isReduction: Bool
  /// The name of the hit ratio.
  let ratioName: String
  /// True for columns that are traces.
  let isOfTraces: Bool

  init(_ standings: [Standing]) {
    let traces = standings.byTrace
    isOfTraces = traces.count > 1
    columns =
      isOfTraces
      ? traces.map { Column(title: $0[0].trace, standings: $0) }
      : standings.map {
        Column(title: Headline.amount($0.capacity, $0.unit), standings: [$0])
      }
    let contenders = standings.flatMap(\.contenders)
    let isReduction = contenders.contains { $0.missRatioReduction != nil }
    self.isReduction = isReduction
    ratioName = standings.first?.ratioName ?? "hit ratio"
    let columns = columns
    places = contenders.map(\.policy).unique.map { policy in
      Place(
        policy: policy, title: policy,
        values: columns.map { $0.value(of: policy, isReduction: isReduction) })
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
    isReduction = true
    ratioName = "hit ratio"
    isOfTraces = true
  }

  /// The name of a reduction of FIFO's misses, in charts and sections.
  static let reductionName = "miss reduction against fifo, %"

  /// The name of the values.
  var valueName: String { isReduction ? Ranking.reductionName : "\(ratioName), %" }

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
  fileprivate func value(of policy: String, isReduction: Bool) -> Double? {
    let values = standings.compactMap { standing -> Double? in
      let score = standing.contenders.first { $0.policy == policy }
      return isReduction ? score?.missRatioReduction : score?.hitRatio
    }
    return values.count == standings.count ? values.mean : nil
  }
}

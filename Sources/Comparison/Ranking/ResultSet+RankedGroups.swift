import Parameters
import Results
import Statistics

extension ResultSet {
  /// The policies of a suite in each group of its traces: all that were recorded, those of each kind of cache,
  /// those of each class of workload, of stability and of order, and apart from them those that were generated.
  ///
  /// A trace counts once, in however many formats it was run. A policy belongs to a group if it ran at
  /// every capacity of each of its traces. Policies with the same hits in every run are one, under the shortest
  /// of their names.
  ///
  /// - Parameter bounds: The names of policies that no cache could run.
  /// - Complexity: O(runs + 20 000 × policies × traces) for each group.
  package func rankedGroups(bounds: Set<String>) -> [RankedGroup] {
    guard let suite else { return [] }
    let runs = measurements.filter {
      $0.kind == .sweep && $0.variation == nil && !bounds.contains($0.policy)
    }
    let twins = ResultSet.twins(among: runs)
    let same = Dictionary(uniqueKeysWithValues: twins.map { ($0[0], Array($0.dropFirst())) })
    let values = ResultSet.traceValues(
      of: runs.filter { same[$0.contender] != nil }, by: rankingMetric)
    // What was stopped before its end may lack all runs of a trace.
    let ran = suite.originals.filter { values[$0.name] != nil }
    func group(_ basis: RankedGroup.Basis, _ name: String, _ traces: [SuiteTrace]) -> RankedGroup {
      RankedGroup(
        basis: basis, name: name, values: traces.map { ($0.name, values[$0.name] ?? [:]) },
        collections: traces.map { $0.collection ?? $0.name }, same: same)
    }
    func groups(
      _ basis: RankedGroup.Basis, _ traces: [SuiteTrace], by name: (SuiteTrace) -> String?
    ) -> [RankedGroup] {
      traces.grouped(by: name).compactMap { alike in
        name(alike[0]).map { group(basis, $0, alike) }
      }
    }
    let recorded = ran.filter { !$0.isGenerated }
    let generated = ran.filter(\.isGenerated)
    return (recorded.isEmpty ? [] : [group(.recorded, "recorded", recorded)])
      + groups(.group, recorded) { $0.group?.rawValue }
      + groups(.workload, recorded, by: \.pattern)
      + groups(.stability, recorded, by: \.stability)
      + groups(.order, recorded, by: \.order)
      + (generated.isEmpty ? [] : [group(.generated, "generated", generated)])
      + groups(.generatedWorkload, generated, by: \.pattern)
  }

  /// The names of policies with the same hits, and latencies, in every run, those of a policy together and the shortest first.
  private static func twins(among runs: [Measurement]) -> [[String]] {
    struct Run: Hashable {
      let place: CellKey.Place
      let seed: Int
      let hits: Int
      let latency: Int?
    }
    return runs.grouped(by: \.contender).grouped { runs in
      Set(
        runs.map {
          Run(place: $0.place, seed: $0.seed, hits: $0.hits, latency: $0.latency?.total)
        })
    }.map { alike in
      alike.map { $0[0].contender }.sorted { ($0.count, $0) < ($1.count, $1) }
    }
  }

  /// The value of each policy on each trace, of policies that ran at all of its capacities.
  private static func traceValues(
    of runs: [Measurement], by metric: SuiteRecord.Metric
  ) -> [String: [String: Double]] {
    Dictionary(
      uniqueKeysWithValues: runs.grouped(by: \.trace).map { runs in
        let places = Set(runs.map(\.place)).count
        let values = runs.grouped(by: \.contender).compactMap { runs -> (String, Double)? in
          let reductions = runs.grouped(by: \.place).compactMap { alike in
            alike.compactMap {
              metric == .latency ? $0.boundedLatencyReduction : $0.boundedReduction
            }.mean
          }
          return reductions.count == places ? (runs[0].contender, reductions.mean ?? 0) : nil
        }
        return (runs[0].trace, Dictionary(uniqueKeysWithValues: values))
      })
  }
}

extension Measurement {
  /// By how much of FIFO's the miss ratio is smaller, or, as a negative number, by how much of the miss ratio
  /// FIFO's is: from −1 to 1; nil where no request was counted.
  ///
  /// Every run of a suite is compared with FIFO, but where that misses nothing.
  package var boundedReduction: Double? {
    hitRatio.map { Measurement.bounded(missRatioReduction, isBest: $0 == 1) }
  }

  /// The same of the mean latency and FIFO's; nil where a miss takes no time.
  package var boundedLatencyReduction: Double? {
    latency?.mean.map { Measurement.bounded(latencyReduction, isBest: $0 == 0) }
  }

  /// - Parameter isBest: True for a run that no other can be better than.
  private static func bounded(_ reduction: Double?, isBest: Bool) -> Double {
    guard let reduction else { return isBest ? 0 : -1 }
    return reduction < 0 ? reduction / (1 - reduction) : reduction
  }
}

extension RankedGroup {
  /// The policies that have a value on every trace.
  fileprivate init(
    basis: Basis, name: String, values: [(trace: String, values: [String: Double])],
    collections: [String], same: [String: [String]]
  ) {
    let policies = values[0].values.keys.sorted().compactMap { policy -> RankedPolicy? in
      let own = values.compactMap { $0.values[policy] }
      guard own.count == values.count else { return nil }
      return RankedPolicy {
        $0.policy = policy
        $0.same = same[policy] ?? []
        $0.values = own
        $0.mean = own.mean ?? 0
      }
    }.sorted { ($0.mean, $1.policy) > ($1.mean, $0.policy) }
    self.init()
    self.basis = basis
    self.name = name
    traces = values.map(\.trace)
    self.policies = policies
    for trace in traces.indices {
      let best = policies.map { $0.values[trace] }.max()
      for index in policies.indices where policies[index].values[trace] == best {
        self.policies[index].firsts += 1
      }
    }
    if isRanked { rank(collections) }
  }

  /// Gives every policy its place.
  ///
  /// - Parameter collections: The collection of each trace.
  private mutating func rank(_ collections: [String]) {
    guard let first = policies.first else { return }
    // All comparisons with the first are together wrong as rarely as one.
    let confidence = 1 - (1 - RankedGroup.confidence) / Double(max(1, policies.count - 1))
    for index in policies.indices {
      let policy = policies[index]
      let lead = zip(first.values, policy.values).map { $0 - $1 }
      guard let mean = RankedGroup.interval(policy.values, RankedGroup.confidence),
        let distance = RankedGroup.interval(lead, confidence)
      else { continue }
      policies[index].standing = RankedPolicy.Place {
        $0.rank = 1 + policies.count { $0.mean > policy.mean }
        $0.interval = mean
        $0.p10 = policy.values.quantile(0.1)
        $0.p50 = policy.values.quantile(0.5)
        $0.p90 = policy.values.quantile(0.9)
        $0.withoutOne = RankedGroup.meansWithoutOne(of: collections, policy.values)
        $0.isTied = distance.contains(0)
      }
    }
  }

  private static let confidence = 0.95

  /// The lowest and the highest mean of values without those of one collection; nil for fewer than three.
  private static func meansWithoutOne(
    of collections: [String], _ values: [Double]
  ) -> ClosedRange<Double>? {
    let names = collections.unique
    if names.count < 3 { return nil }
    let means = names.compactMap { left in
      zip(collections, values).filter { $0.0 != left }.map(\.1).mean
    }
    guard let least = means.min(), let most = means.max() else { return nil }
    return least...most
  }

  /// The bootstrap interval of a mean over traces; nil without values.
  private static func interval(_ values: [Double], _ confidence: Double) -> ClosedRange<Double>? {
    (try? PairedBootstrap(values, seed: 42))?.interval(confidence: confidence)
  }
}

extension [Double] {
  /// The value below which that fraction of the others lies, between neighbours in proportion.
  fileprivate func quantile(_ fraction: Double) -> Double {
    let sorted = sorted()
    let place = fraction * Double(count - 1)
    let below = Int(place)
    let above = Swift.min(below + 1, count - 1)
    return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
  }
}

/// The kinds of caches whose requests a trace holds.
package enum TraceGroup: String, Sendable, CaseIterable, JSONValue {
  /// Blocks of a disk or pages of a database.
  case block
  /// Files that programs open.
  case file
  /// Objects of a program or of a key-value store.
  case keyValue = "key-value"
  /// Objects of a content-delivery network.
  case cdn
  /// Addresses of memory.
  case memory
  /// Blocks of prompts.
  case prefix
}

/// The ranking of policies over a list of traces: the part of a document that only `evict suite` writes.
package struct SuiteRecord: Sendable, Equatable {
  /// The definition of the metric.
  package static let metric =
    "(mf - m) / mf where m <= mf, else -(m - mf) / m, of the miss ratio m and FIFO's mf; from -1 to 1; "
    + "a trace's value is the mean over its capacities"
  /// The least number of traces of a group that is ranked; smaller ones are shown trace by trace.
  package static let leastTraces = 8
  /// The least number of traces of a group from which a policy is advised.
  package static let leastAdvised = 3

  /// The SHA-256 of the list.
  package var list: String
  /// The traces that were run, in the list's order.
  package var traces: [SuiteTrace]
  /// The traces of the list that were not there.
  package var missing: [String]
  /// The policies in each group of traces; they follow from the runs.
  package var groups: [RankedGroup] = []
  /// The requested policies without a place among the recorded traces; they follow from the runs.
  package var omissions: [UnrankedPolicy] = []

  /// A policy that is not ranked.
  package struct UnrankedPolicy: Sendable, Equatable {
    /// The policy with its parameters.
    package var policy: String
    /// The reason, as a predicate: `needs times to live, which 17 of 18 traces lack`.
    package var reason: String

    package init(policy: String, reason: String) {
      self.policy = policy
      self.reason = reason
    }
  }

  package init(list: String, traces: [SuiteTrace], missing: [String]) {
    self.list = list
    self.traces = traces
    self.missing = missing
  }

  /// The parts of one suite as one, in their order; nil for none, and for parts of different lists.
  package init?(joining parts: [SuiteRecord]) {
    guard let first = parts.first, parts.allSatisfy({ $0.list == first.list }) else { return nil }
    let traces = parts.flatMap(\.traces).grouped(by: \.name).map { $0[0] }
    let names = Set(traces.map(\.name))
    self.init(
      list: first.list, traces: traces,
      missing: parts.flatMap(\.missing).unique.filter { !names.contains($0) })
  }

  /// Sets what follows from the runs.
  package mutating func rank(_ groups: [RankedGroup], omissions: [UnrankedPolicy]) {
    self.groups = groups
    self.omissions = omissions
  }

  /// The policies over all traces that were recorded, the best mean first.
  package var ranking: [RankingRow] {
    groups.first { $0.basis == .recorded }?.policies.map(RankingRow.init) ?? []
  }

  /// The traces that count: each stream of requests once, the first of the list that has it.
  package var originals: [SuiteTrace] { traces.grouped(by: \.requests).map { $0[0] } }

  /// The trace whose requests a trace repeats in another file; nil for one that counts.
  package func original(of trace: SuiteTrace) -> String? {
    let first = traces.first { $0.requests == trace.requests }
    return first?.name == trace.name ? nil : first?.name
  }
}

/// A trace of a suite.
package struct SuiteTrace: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// The kind of cache.
  package var group: TraceGroup
  /// True for a trace that no program's use of a cache was recorded for.
  package var isGenerated: Bool
  /// The class of the workload, as `evict trace info` finds it; nil where it finds none.
  package var pattern: String?
  /// The change of popularity along the trace, as `evict trace info` finds it; nil where it is neither small
  /// nor large.
  package var stability: String?
  /// `repeating` where the same keys come in the same order again and again, as `evict trace info` finds it; nil
  /// elsewhere.
  package var order: String?
  /// The SHA-256 of the stream of requests, which is the same in every format.
  package var requests: String

  package init(
    name: String, group: TraceGroup, isGenerated: Bool, pattern: String?,
    stability: String? = nil, order: String? = nil, requests: String
  ) {
    self.name = name
    self.group = group
    self.isGenerated = isGenerated
    self.pattern = pattern
    self.stability = stability
    self.order = order
    self.requests = requests
  }
}

/// Policies over some traces of a suite.
package struct RankedGroup: Sendable, Equatable {
  /// The common property of the traces.
  package enum Basis: String, Sendable, CaseIterable, JSONValue {
    /// They were recorded.
    case recorded
    /// They were recorded at one kind of cache.
    case group
    /// They were recorded, and their workloads are of one class.
    case workload
    /// They were recorded, and their popular keys stay popular or change.
    case stability
    /// They were recorded, and the same keys come in the same order again and again.
    case order
    /// They were generated.
    case generated
    /// They were generated, and their workloads are of one class.
    case generatedWorkload = "generated-workload"
  }

  /// The common property of the traces.
  package var basis: Basis
  /// The kind of cache or the class; for others the basis.
  package var name: String
  /// The traces.
  package var traces: [String]
  /// The policies that ran at every capacity of each trace, the best mean first.
  package var policies: [RankedPolicy]

  package init(basis: Basis, name: String, traces: [String], policies: [RankedPolicy]) {
    self.basis = basis
    self.name = name
    self.traces = traces
    self.policies = policies
  }

  /// True for a group of traces enough to say something of others like them.
  package var isRanked: Bool { traces.count >= SuiteRecord.leastTraces }
  /// True for a group of traces enough to advise a policy.
  package var isAdvised: Bool { traces.count >= SuiteRecord.leastAdvised }
}

/// A policy over some traces.
package struct RankedPolicy: Sendable, Equatable {
  /// The policy with its parameters.
  package var policy: String
  /// The policies with the same hits in every run of the suite, which have no place of their own.
  package var same: [String]
  /// The value on each trace.
  package var values: [Double]
  /// Their mean.
  package var mean: Double
  /// The traces on which no policy has a higher value.
  package var firsts: Int
  /// The figures of a group that is ranked; nil for others.
  package var standing: Place?

  /// A policy's place among the others of a group.
  package struct Place: Sendable, Equatable {
    /// One more than the policies of a higher mean: equal means share a rank.
    package var rank: Int
    /// The interval of the mean over traces like these.
    package var interval: ClosedRange<Double>
    /// The 10th percentile over the traces.
    package var p10: Double
    /// The median over the traces.
    package var p50: Double
    /// The 90th percentile over the traces.
    package var p90: Double
    /// True where the mean may be as high as the first one's.
    package var isTied: Bool

    package init(
      rank: Int, interval: ClosedRange<Double>, p10: Double, p50: Double, p90: Double,
      isTied: Bool
    ) {
      self.rank = rank
      self.interval = interval
      self.p10 = p10
      self.p50 = p50
      self.p90 = p90
      self.isTied = isTied
    }
  }

  package init(
    policy: String, same: [String] = [], values: [Double], mean: Double, firsts: Int,
    standing: Place? = nil
  ) {
    self.policy = policy
    self.same = same
    self.values = values
    self.mean = mean
    self.firsts = firsts
    self.standing = standing
  }
}

/// The line of a policy in the ranking over all traces that were recorded.
package struct RankingRow: Sendable, Equatable {
  private var policy: String
  private var same: [String]
  private var mean: Double
  private var interval: ClosedRange<Double>?
  private var p10: Double?
  private var p50: Double?
  private var p90: Double?
  private var wins: Int

  init(_ policy: RankedPolicy) {
    (self.policy, same, mean) = (policy.policy, policy.same, policy.mean)
    interval = policy.standing?.interval
    p10 = policy.standing?.p10
    p50 = policy.standing?.p50
    p90 = policy.standing?.p90
    wins = policy.firsts
  }
}

extension RankingRow: Documented {
  package static let blank = RankingRow(.blank)
  package static let fields: [Field<RankingRow>] = [
    Field("policy", \.policy, .exact, "the policy with its parameters"),
    .unless([], "same", \.same, .exact, "policies with the same hits in every run, without a row"),
    Field("mean", \.mean, .exact, "the mean of `metric` over the traces that were recorded"),
    Field("interval", \.interval, .estimated, "its 95 % interval: a bootstrap over the traces"),
    Field("p10", \.p10, .exact, "the 10th percentile over the traces"),
    Field("p50", \.p50, .exact, "the median over the traces"),
    Field("p90", \.p90, .exact, "the 90th percentile over the traces"),
    Field("wins", \.wins, .count, .exact, "the traces on which no policy has a higher value"),
  ]
}

extension SuiteRecord.UnrankedPolicy: Documented {
  package static let blank = SuiteRecord.UnrankedPolicy(policy: "", reason: "")
  package static let fields: [Field<SuiteRecord.UnrankedPolicy>] = [
    Field("policy", \.policy, .exact, "the policy with its parameters"),
    Field("reason", \.reason, .descriptive, "the reason"),
  ]
}

extension SuiteRecord: Documented {
  package static let blank = SuiteRecord(list: "", traces: [], missing: [])
  package static let fields: [Field<SuiteRecord>] = [
    Field("list", \.list, .exact, "the SHA-256 of the list of traces"),
    .constant("metric", metric, "the value of a policy at a capacity of a trace"),
    Field("traces", \.traces, "the traces that were run"),
    Field("missing", \.missing, .exact, "the traces of the list that were not there"),
    Field("groups", \.groups, "the policies in each group of traces"),
    .unless([], "omissions", \.omissions, "policies without a place among the recorded traces"),
  ]
}

extension SuiteTrace: Documented {
  package static let blank = SuiteTrace(
    name: "", group: .block, isGenerated: false, pattern: nil, requests: "")
  package static let fields: [Field<SuiteTrace>] = [
    Field("name", \.name, .exact, "the trace's name"),
    Field("group", \.group, .exact, "the kind of cache"),
    Field("generated", \.isGenerated, .exact, "true where no use of a cache was recorded"),
    Field(
      "pattern", \.pattern, .exact, "the class of the workload, as `evict trace info` finds it"),
    Field("stability", \.stability, .exact, "`stable` or `drifting`, by the drift that it finds"),
    .unless(
      nil, "order", \.order, .exact,
      "`repeating` where it finds at least half of the requests in order"),
    Field(
      "requests", \.requests, .exact, "the SHA-256 of the requests; copies of a trace share it"),
  ]
}

extension RankedGroup: Documented {
  package static let blank = RankedGroup(basis: .recorded, name: "", traces: [], policies: [])
  package static let fields: [Field<RankedGroup>] = [
    Field("basis", \.basis, .exact, "the common property of the traces"),
    Field("name", \.name, .exact, "the kind of cache or the class; for others the basis"),
    Field("traces", \.traces, .exact, "the traces, copies left out"),
    Field("policies", \.policies, "the policies that ran on all of them, the best mean first"),
  ]
}

extension RankedPolicy: Documented {
  package static let blank = RankedPolicy(policy: "", values: [], mean: 0, firsts: 0)
  package static let fields: [Field<RankedPolicy>] = [
    Field("policy", \.policy, .exact, "the policy with its parameters"),
    .unless(
      [], "same", \.same, .exact, "policies with the same hits in every run, without a place"),
    Field("values", \.values, .exact, "the value on each trace"),
    Field("mean", \.mean, .exact, "their mean"),
    Field("firsts", \.firsts, .count, .exact, "the traces on which no policy has a higher value"),
    .unless(
      nil, "standing", \.standing,
      "the place in a group of \(SuiteRecord.leastTraces) traces or more"),
  ]
}

extension RankedPolicy.Place: Documented {
  package static let blank = RankedPolicy.Place(
    rank: 0, interval: 0...0, p10: 0, p50: 0, p90: 0, isTied: false)
  package static let fields: [Field<RankedPolicy.Place>] = [
    Field("rank", \.rank, .count, .exact, "the place; equal means share one"),
    Field(
      "interval", \.interval, .estimated,
      "the 95 % interval of the mean: a bootstrap over the traces"),
    Field("p10", \.p10, .exact, "the 10th percentile over the traces"),
    Field("p50", \.p50, .exact, "the median over the traces"),
    Field("p90", \.p90, .exact, "the 90th percentile over the traces"),
    Field(
      "tied", \.isTied, .estimated,
      "the mean may be as high as the first one's, at 95 % over all policies"),
  ]
}

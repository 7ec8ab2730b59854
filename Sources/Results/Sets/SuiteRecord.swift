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
package struct SuiteRecord: Documented {
  /// The metric by which policies are ranked, by its definition.
  package enum Metric: String, Sendable, JSONValue {
    /// The reduction of the miss ratio.
    case misses =
      "(mf - m) / mf where m <= mf, else -(m - mf) / m, of the miss ratio m and FIFO's mf; from -1 to 1; a trace's value is the mean over its capacities"
    /// The reduction of the mean latency.
    case latency =
      "(lf - l) / lf where l <= lf, else -(l - lf) / l, of the mean latency l and FIFO's lf; from -1 to 1; a trace's value is the mean over its capacities"

    package static let format = JSONFormat<Metric>(
      "a text", plural: "texts", write: { .string($0.rawValue) }
    ) { if case .string(let text) = $0 { Metric(rawValue: text) } else { nil } }

    static let help =
      "the value of a policy at a capacity of a trace: `\"\(misses.rawValue)\"`, or with `--delay` "
      + "`\"\(latency.rawValue)\"`"
  }

  /// The least number of traces of a group that is ranked; smaller ones are shown trace by trace.
  package static let leastTraces = 8
  /// The least number of traces of a group from which a policy is advised.
  package static let leastAdvised = 3

  package var list = ""
  package var metric = Metric.misses
  package var traces: [SuiteTrace] = []
  package var missing: [String] = []
  package var groups: [RankedGroup] = []
  package var omissions: [UnrankedPolicy] = []
  package var published: [OrderOfPolicies] = []

  /// A policy that is not ranked.
  package struct UnrankedPolicy: Documented {
    package var policy = ""
    package var reason = ""

    package init() {}

    package static let fields: [Field<SuiteRecord.UnrankedPolicy>] = [
      Field("policy", \.policy, "the policy with its parameters", .exact),
      Field("reason", \.reason, "the reason", .descriptive),
    ]
  }

  package init() {}

  package static let fields: [Field<SuiteRecord>] = [
    Field("list", \.list, "the SHA-256 of the list of traces; empty for several", .exact),
    Field("metric", \.metric, Metric.help, .descriptive),
    Field("traces", \.traces, "the traces that were run"),
    Field("missing", \.missing, "the traces of the list that were not there", .exact),
    Field("groups", \.groups, "the policies in each group of traces"),
    .omittable("omissions", \.omissions, "policies without a place among the recorded traces"),
    .omittable(
      "published", \.published,
      "orders of two policies that publications found, over the recorded traces"),
  ]

  /// The parts of one suite as one, in their order, or suites of several lists; nil for none.
  package init?(joining parts: [SuiteRecord]) {
    guard let first = parts.first else { return nil }
    list = parts.allSatisfy { $0.list == first.list } ? first.list : ""
    traces = parts.flatMap(\.traces).grouped(by: \.name).map { $0[0] }
    let names = Set(traces.map(\.name))
    missing = parts.flatMap(\.missing).unique.filter { !names.contains($0) }
  }

  /// Sets what follows from the runs.
  package mutating func rank(
    _ groups: [RankedGroup], by metric: Metric, omissions: [UnrankedPolicy],
    published: [OrderOfPolicies]
  ) {
    self.groups = groups
    self.metric = metric
    self.omissions = omissions
    self.published = published
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

/// An order of two policies that a publication found, over the traces of a suite.
package struct OrderOfPolicies: Documented {
  package var better = ""
  package var worse = ""
  package var source = ""
  package var lead = 0.0
  package var ahead = 0
  package var behind = 0
  /// Nil for one trace.
  package var interval: ClosedRange<Double>?

  package init() {}

  package static let fields: [Field<OrderOfPolicies>] = [
    Field("better", \.better, "the policy that misses less by the publication", .exact),
    Field("worse", \.worse, "the policy that misses more by the publication", .exact),
    Field("source", \.source, "the publication", .exact),
    Field("lead", \.lead, "the difference of their means here", .exact),
    Field("ahead", \.ahead, "the traces on which the first is ahead", .exact, as: .count),
    Field("behind", \.behind, "the traces on which it is behind", .exact, as: .count),
    Field(
      "interval", \.interval, "the interval of the difference, at 95 % for all orders together",
      .estimated),
  ]

  /// True where the order holds here, false where the opposite does; nil where neither is known.
  package var holds: Bool? {
    guard let interval else { return nil }
    return interval.lowerBound > 0 ? true : interval.upperBound < 0 ? false : nil
  }
}

/// A trace of a suite.
package struct SuiteTrace: Documented {
  package var name = ""
  /// Nil where it is not known.
  package var group: TraceGroup?
  /// Nil where it is not known.
  package var collection: String?
  package var isGenerated = false
  /// Nil where it finds none.
  package var pattern: String?
  /// Nil where it is neither small nor large.
  package var stability: String?
  /// Nil elsewhere.
  package var order: String?
  package var requests = ""

  package init() {}

  package static let fields: [Field<SuiteTrace>] = [
    Field("name", \.name, "the trace's name", .exact),
    .omittable("group", \.group, "the kind of cache", .exact),
    .omittable(
      "collection", \.collection, "the traces of one source, or of one folder, share it", .exact),
    Field("generated", \.isGenerated, "true where no use of a cache was recorded", .exact),
    Field(
      "pattern", \.pattern, "the class of the workload, as `evict trace info` finds it", .exact),
    Field("stability", \.stability, "`stable` or `drifting`, by the drift that it finds", .exact),
    .omittable(
      "order", \.order, "`repeating` where it finds at least half of the requests in order", .exact),
    Field(
      "requests", \.requests, "the SHA-256 of the requests; copies of a trace share it", .exact),
  ]
}

/// Policies over some traces of a suite.
package struct RankedGroup: Documented {
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

  package var basis = Basis.recorded
  package var name = ""
  package var traces: [String] = []
  package var policies: [RankedPolicy] = []

  package init() {}

  package static let fields: [Field<RankedGroup>] = [
    Field("basis", \.basis, "the common property of the traces", .exact),
    Field("name", \.name, "the kind of cache or the class; for others the basis", .exact),
    Field("traces", \.traces, "the traces, copies left out", .exact),
    Field("policies", \.policies, "the policies that ran on all of them, the best mean first"),
  ]

  /// True for a group of traces enough to say something of others like them.
  package var isRanked: Bool { traces.count >= SuiteRecord.leastTraces }
  /// True for a group of traces enough to advise a policy.
  package var isAdvised: Bool { traces.count >= SuiteRecord.leastAdvised }
}

/// A policy over some traces.
package struct RankedPolicy: Documented {
  package var policy = ""
  package var same: [String] = []
  package var values: [Double] = []
  package var mean = 0.0
  package var firsts = 0
  /// Nil for others.
  package var standing: Place?

  /// A policy's place among the others of a group.
  package struct Place: Documented {
    package var rank = 0
    package var interval: ClosedRange<Double> = 0.0...0.0
    package var p10 = 0.0
    package var p50 = 0.0
    package var p90 = 0.0
    /// Nil for fewer than three collections.
    package var withoutOne: ClosedRange<Double>?
    package var isTied = false

    package init() {}

    package static let fields: [Field<RankedPolicy.Place>] = [
      Field("rank", \.rank, "the place; equal means share one", .exact, as: .count),
      Field(
        "interval", \.interval, "the 95 % interval of the mean: a bootstrap over the traces",
        .estimated),
      Field("p10", \.p10, "the 10th percentile over the traces", .exact),
      Field("p50", \.p50, "the median over the traces", .exact),
      Field("p90", \.p90, "the 90th percentile over the traces", .exact),
      .omittable(
        "withoutOne", \.withoutOne,
        "the lowest and the highest mean where one of three collections or more is left out", .exact
      ),
      Field(
        "tied", \.isTied, "the mean may be as high as the first one's, at 95 % over all policies",
        .estimated),
    ]
  }

  package init() {}

  package static let fields: [Field<RankedPolicy>] = [
    Field("policy", \.policy, "the policy with its parameters", .exact),
    .omittable("same", \.same, "policies with the same hits in every run, without a place", .exact),
    Field("values", \.values, "the value on each trace", .exact),
    Field("mean", \.mean, "their mean", .exact),
    Field(
      "firsts", \.firsts, "the traces on which no policy has a higher value", .exact, as: .count),
    .omittable(
      "standing", \.standing, "the place in a group of \(SuiteRecord.leastTraces) traces or more"),
  ]
}

/// The line of a policy in the ranking over all traces that were recorded.
package struct RankingRow: Documented {
  private var ranked = RankedPolicy()

  package init() {}

  init(_ policy: RankedPolicy) { ranked = policy }

  package static let fields: [Field<RankingRow>] = [
    Field("policy", \.ranked.policy, "the policy with its parameters", .exact),
    .omittable(
      "same", \.ranked.same, "policies with the same hits in every run, without a row", .exact),
    Field("mean", \.ranked.mean, "the mean of `metric` over the traces that were recorded", .exact),
    .derived(
      "interval", \.ranked.standing?.interval, "its 95 % interval: a bootstrap over the traces",
      .estimated),
    .derived("p10", \.ranked.standing?.p10, "the 10th percentile over the traces", .exact),
    .derived("p50", \.ranked.standing?.p50, "the median over the traces", .exact),
    .derived("p90", \.ranked.standing?.p90, "the 90th percentile over the traces", .exact),
    Field(
      "wins", \.ranked.firsts, "the traces on which no policy has a higher value", .exact,
      as: .count),
  ]
}

import Foundation
import Parameters
import Rendering
import Results

extension SuiteRecord {
  /// The ranking as tables: the answers, each group with traces enough, the others trace by trace, and the
  /// traces.
  ///
  /// - Parameter leaders: The best over other orders of the requests; nil where none were run.
  func sections(of summaries: [TraceSummary], leaders: OrderLeaders?) -> [ReportSection] {
    let ranked = groups.filter(\.isRanked)
    let small = groups.filter { !$0.isRanked && $0.basis != .generated }
    return [
      ReportSection(
        title: "Which policy to take" + (metric == .latency ? " by mean latency" : ""),
        table: answers(),
        explanations: [answersNote]
          + (leaders.map { ["Other orders, all traces together: \($0.text)."] } ?? []))
    ]
      + ranked.map { group in
        ReportSection(
          title: "\(group.known): \(group.traces.count) traces", table: group.places,
          explanations: [])
      } + bestByTrace(of: small) + publishedOrders
      + [ReportSection(title: "The traces", table: traces(summaries), explanations: notes)]
  }

  private var answersNote: String {
    (metric == .latency
      ? "Values are reductions of the mean latency against FIFO in per cent, from −100 to 100: (lf − l) / lf "
        + "where a policy's is lower, else −(l − lf) / l; "
      : "Values are reductions of the miss ratio against FIFO in per cent, from −100 to 100: (mf − m) / mf "
        + "where a policy misses less, else −(m − mf) / m; ") + Self.rulesNote
  }

  private static let rulesNote =
    "the mean over a trace's capacities, then over traces. A group of \(leastTraces) traces or more has 95 % intervals, by a bootstrap over its traces, and ties: "
    + "policies whose mean may be as high as the first one's. Of smaller groups only the best mean is named; "
    + "it says little of other traces. Below \(leastAdvised) traces, and where no mean is 0.1 or more, no policy "
    + "is advised. Traces that were generated count apart. Policies with the same hits in every run are one, "
    + "joined by =."

  /// The best policy for each thing that may be known of a workload.
  ///
  /// - Parameter isAdvised: True for the groups with traces enough for advice, false for the others; nil for all.
  func answers(isAdvised wanted: Bool? = nil) -> TextTable {
    var table = TextTable([
      .init("you know", isProse: true), .init("traces", .right, rank: 3),
      .init("take", isProse: true),
      .init("mean %", .right), .init("95 %", .right, rank: 1),
      .init("worst trace %", .right, rank: 2), .init("first on", .right, rank: 4),
      .init("evidence", rank: 1, isProse: true),
    ])
    for alike in groups.grouped(by: \.basis) {
      table.beginGroup()
      for group in alike where wanted == nil || group.isAdvised == wanted {
        guard let best = group.policies.first else { continue }
        let isAdvised = group.isAdvised
        table.append([
          .init(group.known), .init("\(group.traces.count)"),
          .init(group.advice),
          isAdvised ? .init(Headline.number(best.mean), exact: "\(best.mean)") : .init("–"),
          .init(best.standing.map { Self.text(of: $0.interval) } ?? "–"),
          .init(isAdvised ? Headline.number(best.values.min() ?? 0) : "–"),
          .init(isAdvised ? "\(best.firsts)" : "–"), .init(group.evidence),
        ])
      }
      if wanted == true { continue }
      for (known, generated) in unrecorded(like: alike[0].basis) {
        let cells = [known, "0", "no recorded trace: no advice", "–", "–", "–", "–"]
        table.append(
          (cells + ["generated: \(generated.listed(most: 3))"]).map { TextTable.Cell($0) })
      }
    }
    return table
  }

  /// The kinds of caches, or the classes of workloads, of which only generated traces are there, and those.
  private func unrecorded(
    like basis: RankedGroup.Basis
  ) -> [(known: String, traces: [String])] {
    let name: (SuiteTrace) -> String? =
      switch basis {
      case .group: { $0.group?.rawValue }
      case .workload: \.pattern
      default: { _ in nil }
      }
    let recorded = Set(groups.filter { $0.basis == basis }.map(\.name))
    return originals.filter { trace in name(trace).map { !recorded.contains($0) } ?? false }
      .grouped(by: name).map { traces in
        let group = RankedGroup {
          $0.basis = basis
          $0.name = name(traces[0]) ?? ""
        }
        return (group.known, traces.map(\.name))
      }
  }

  /// The best policies of each trace of some groups.
  private func bestByTrace(of groups: [RankedGroup]) -> [ReportSection] {
    let ofKinds = groups.filter { $0.basis == .group }
    // Of traces in folders it is not known what cache they are of.
    let kinds = ofKinds.isEmpty ? groups.filter { $0.basis == .recorded } : ofKinds
    let apart = self.groups.filter { $0.basis == .generated && !$0.isRanked }
    if kinds.isEmpty && apart.isEmpty { return [] }
    var table = TextTable([
      .init("kind", rank: 3), .init("trace"), .init("best"), .init("%", .right),
      .init("next", rank: 2), .init("%", .right, rank: 2), .init("lru %", .right, rank: 1),
    ])
    for group in kinds + apart {
      table.beginGroup()
      for (place, trace) in group.traces.enumerated() {
        let ranked = group.policies.sorted { $0.values[place] > $1.values[place] }
          .grouped { $0.values[place] }
        func cells(_ rank: Int) -> [TextTable.Cell] {
          guard let alike = ranked.dropFirst(rank).first else { return [.init("–"), .init("–")] }
          return [
            .init(alike.map(\.title).listed(most: 3)),
            .init(Headline.number(alike[0].values[place]), exact: "\(alike[0].values[place])"),
          ]
        }
        let lru = group.policies.first { $0.names.contains("lru") }?.values[place]
        table.append(
          [.init(group.name), .init(trace)] + cells(0) + cells(1)
            + [.init(lru.map(Headline.number) ?? "–")])
      }
    }
    return [
      ReportSection(
        title: "Groups of fewer than \(Self.leastTraces) traces, trace by trace", table: table,
        explanations: [])
    ]
  }

  /// The orders of two policies that publications found.
  private var publishedOrders: [ReportSection] {
    if published.isEmpty { return [] }
    var table = TextTable([
      .init("published", isProse: true), .init("source", rank: 1, isProse: true),
      .init("lead here %", .right), .init("95 %", .right, rank: 1),
      .init("ahead on", .right, rank: 2), .init("behind on", .right, rank: 2), .init("here"),
    ])
    for order in published {
      table.append([
        .init("\(order.better) before \(order.worse)"), .init(order.source),
        .init(Headline.number(order.lead), exact: "\(order.lead)"),
        .init(order.interval.map(Self.text) ?? "–"), .init("\(order.ahead)"),
        .init("\(order.behind)"),
        .init(order.holds.map { $0 ? "holds" : "the opposite" } ?? "not told apart"),
      ])
    }
    return [
      ReportSection(
        title: "Orders that publications found", table: table,
        explanations: [
          "A lead is the difference of two means over the recorded traces; its interval is a bootstrap over them, at 95 % "
            + "for all orders together. The publications had other traces and sizes."
        ])
    ]
  }

  private func traces(_ summaries: [TraceSummary]) -> TextTable {
    var table = TextTable([
      .init("trace"), .init("collection", rank: 2), .init("kind", rank: 1), .init("class", rank: 2),
      .init("requests", .right, rank: 1), .init("distinct keys", .right, rank: 3), .init("counts"),
    ])
    for trace in traces {
      let summary = summaries.first { $0.name == trace.name }
      table.append([
        .init(trace.name), .init(trace.collection ?? "–"), .init(trace.group?.rawValue ?? "–"),
        .init(trace.pattern ?? "–"),
        .init(summary.map { "\($0.requests)" } ?? "–"),
        .init(summary.map { "\($0.distinct)" } ?? "–"),
        .init(
          original(of: trace).map { "no: a copy of \($0)" }
            ?? (trace.isGenerated ? "apart: generated" : "yes")),
      ])
    }
    return table
  }

  private var notes: [String] {
    let omitted = omissions.grouped(by: \.reason).map { alike in
      "Not ranked: \(alike.map(\.policy).joined(separator: ", ")) (\(alike[0].reason))."
    }
    return omitted
      + (missing.isEmpty
        ? [] : ["Not run, as they were not there: \(missing.joined(separator: ", "))."])
  }

  /// `1.5 to 20.3`.
  static func text(of interval: ClosedRange<Double>) -> String {
    "\(Headline.number(interval.lowerBound)) to \(Headline.number(interval.upperBound))"
  }
}

extension RankedGroup {
  /// The knowledge of a workload that leads to the group.
  var known: String {
    switch basis {
    case .recorded: "nothing"
    case .generated: "nothing, but generated"
    case .group: TraceGroup(rawValue: name)?.known ?? name
    case .workload, .stability, .order: Self.classes[name] ?? name
    case .generatedWorkload: "\(Self.classes[name] ?? name), but generated"
    }
  }

  private static let classes = [
    "once": "no key comes twice", "loop": "it is one loop", "scan": "it has scans",
    "one-hit": "most keys come once", "uniform": "all keys are equally popular",
    "zipf": "its popularity follows Zipf's law", "mixed": "it is mixed",
    "stable": "its popular keys stay popular", "drifting": "its popular keys change",
    "repeating": "it loops: keys come in the same order",
  ]

  /// The first policies, several where their means are equal; else the reason why none is advised.
  fileprivate var advice: String {
    if !isAdvised { return "\(traces.count == 1 ? "one trace" : "two traces"): no advice" }
    if !Headline.isGain(policies[0].mean) { return "no gain over fifo: no advice" }
    return policies.prefix { $0.mean == policies[0].mean }.map(\.title).listed(most: 3)
  }

  /// The policies that may be as good as the first ones; of a smaller group its traces.
  fileprivate var evidence: String {
    if !isAdvised { return "only \(traces.joined(separator: ", "))" }
    if !isRanked { return "too few traces for intervals: \(traces.listed(most: 4))" }
    let tied = policies.filter { $0.standing?.isTied == true && $0.mean < policies[0].mean }
    return tied.isEmpty ? "no tie" : "tied: \(tied.map(\.policy).listed(most: 6))"
  }

  /// Every policy with its place.
  fileprivate var places: TextTable {
    var table = TextTable([
      .init("rank", .right), .init("policy", isProse: true), .init("mean %", .right),
      .init("95 %", .right, rank: 1), .init("without one collection %", .right, rank: 2),
      .init("p10 %", .right, rank: 3),
      .init("p50 %", .right, rank: 3), .init("p90 %", .right, rank: 3),
      .init("worst %", .right, rank: 2), .init("first on", .right, rank: 2), .init("tied", rank: 1),
    ])
    let isOneAlone = policies.count { $0.standing?.isTied == true } == 1
    for policy in policies {
      guard let standing = policy.standing else { continue }
      table.append(
        [
          "\(standing.rank)", policy.title, Headline.number(policy.mean),
          SuiteRecord.text(of: standing.interval),
          standing.withoutOne.map(SuiteRecord.text) ?? "–", Headline.number(standing.p10),
          Headline.number(standing.p50), Headline.number(standing.p90),
          Headline.number(policy.values.min() ?? 0), "\(policy.firsts)",
          standing.isTied && !isOneAlone ? "yes" : "",
        ].map { TextTable.Cell($0) })
    }
    return table
  }
}

extension RankedPolicy {
  /// Its names, and those of the policies with the same hits.
  fileprivate var names: [String] { [policy] + same }

  /// The names, as one.
  var title: String { names.joined(separator: " = ") }
}

extension TraceGroup {
  /// The knowledge of a cache that leads to the group.
  fileprivate var known: String {
    switch self {
    case .block: "it caches blocks or pages"
    case .file: "it caches files"
    case .keyValue: "it caches objects by key"
    case .cdn: "it is a content-delivery network"
    case .memory: "it caches memory"
    case .prefix: "it caches prompts"
    }
  }
}

extension [String] {
  /// The texts with commas between, of many the first and the number of the others.
  func listed(most: Int) -> String {
    count <= most
      ? joined(separator: ", ")
      : prefix(most).joined(separator: ", ") + " and \(count - most) more"
  }
}

import Parameters
import Rendering
import Results

/// The last lines of a table: the best policy, its lead, and how sure that is.
struct Verdict {
  /// The sentences; empty where no policy was measured.
  let lines: [String]

  /// The verdict on a document's runs; on curves, the headline.
  init(_ results: ResultSet, style: ReportStyle) {
    let standings = Standing.all(of: results, bounds: style.bounds)
    let ranking = Verdict.ranking(of: standings)
    guard results.suite == nil, let best = ranking.first else {
      let isShort = results.suite == nil && results.curves.isEmpty
      let view = ResultsView(results, style: style)
      lines =
        isShort
        ? [] : [Headline(view).text, Headline.hits(beside: view.ranking)].compactMap(\.self)
      return
    }
    let lead = standings.count == 1 ? Verdict.place(standings[0]) : Verdict.scope(of: standings)
    let equal = ranking.prefix { $0.values == best.values }
    let areAllEqual = ranking.count > 1 && equal.count == ranking.count
    let policy = areAllEqual ? "each of \(equal.count) policies" : best.policy
    var sentence = "Verdict: \(lead) \(policy) \(best.text)"
    sentence += Headline.name(standings[0].ratioName)
    if equal.count > 1 && !areAllEqual {
      let others = equal.dropFirst().map(\.policy).joined(separator: ", ")
      sentence += ", as \(equal.count > 2 ? "do" : "does") \(others)"
    }
    if let second = ranking.dropFirst(equal.count).first {
      let wins = zip(best.values, second.values).count { $0 > $1 }
      sentence += ", next \(second.policy): \(second.number)"
      if standings.count > 1 {
        sentence +=
          "; \(best.policy) \(best.latency == nil ? "hits more" : "is ahead") in \(wins) of "
          + "\(standings.count)"
      }
    }
    let lines =
      [
        sentence + ".", Headline.hits(beside: Ranking(standings)) ?? "",
        Verdict.bytes(of: standings) ?? "",
        Verdict.order(of: best.policy, results.leaders),
        Verdict.certainty(of: best, results),
        Verdict.exclusion(from: results) ?? "",
      ] + Headline.reach(of: standings, in: results)
      + Headline.costs(of: results, bounds: style.bounds)
      + PrefixAnswer.all(of: results, bounds: style.bounds).sentences(most: 3)
    self.lines = lines.filter { !$0.isEmpty }
  }

  /// The verdict of other orders of the requests on the best; empty where none were run.
  private static func order(of best: String, _ leaders: OrderLeaders?) -> String {
    guard let leaders else { return "" }
    return leaders.needed != nil || leaders.policies.contains(best)
      ? "\(leaders.text)." : "That holds in the recorded order only: \(leaders.text)."
  }

  /// The sentence that names the policy with the best byte hit ratio, where it is another than the best by hits; nil where
  /// capacities do not count bytes.
  static func bytes(of standings: [Standing]) -> String? {
    let ranking = Verdict.ranking(of: standings)
    let ratios = ranking.compactMap { contender -> (policy: String, text: String, ratio: Double)? in
      guard contender.byteHitRatios.count == standings.count,
        let ratio = contender.byteHitRatios.mean
      else { return nil }
      return (contender.policy, ratio.percent, ratio)
    }
    guard standings.allSatisfy({ $0.unit == .bytes }),
      let own = ratios.first, own.policy == ranking[0].policy,
      let best = ratios.max(by: { $0.ratio < $1.ratio }), best.text != own.text
    else { return nil }
    return "By bytes \(best.policy) hits most: \(best.text)"
      + (standings.count > 1 ? " on average" : "") + "; \(own.policy) \(own.text)."
  }

  /// The sentence that names the systems without a rank; nil where all have one.
  static func exclusion(from results: ResultSet) -> String? {
    let unranked = results.unranked
    return unranked.isEmpty
      ? nil
      : "Not ranked, as they hold more than the capacity: \(unranked.joined(separator: ", "))."
  }

  /// A policy in all comparisons.
  private struct Contender {
    let policy: String
    let hitRatios: [Double]
    /// Those that are known.
    let byteHitRatios: [Double]
    /// By how much of FIFO's its miss ratios are smaller; empty where that is not known of all.
    let reductions: [Double]
    /// The mean latency at the first place with its unit; nil where policies are ranked by hits, else reductions are of it.
    let latency: String?
    let isExact: Bool

    /// The numbers by which it is ahead of others.
    var values: [Double] { latency == nil ? hitRatios : reductions }

    /// The number by which it is ranked.
    var merit: Double { (reductions.isEmpty ? hitRatios : reductions).mean ?? 0 }

    /// `12.30 % less`, or without FIFO `38.95 %`.
    var number: String {
      reductions.isEmpty ? merit.percent : Contender.change(merit)
    }

    var text: String {
      if let latency {
        return reductions.count == 1
          ? "has a mean latency of \(latency), \(number) than FIFO"
          : "has a mean latency \(number) than FIFO on average (\(spread))"
      }
      if reductions.isEmpty { return "hits \(number)" + (hitRatios.count > 1 ? " on average" : "") }
      if reductions.count == 1 { return "hits \(hitRatios[0].percent), misses \(number) than FIFO" }
      return "misses \(number) than FIFO on average (\(spread))"
    }

    private var spread: String {
      let (least, most) = (reductions.min() ?? 0, reductions.max() ?? 0)
      return "\(Contender.change(least)) to \(Contender.change(most))"
    }

    private static func change(_ reduction: Double) -> String {
      "\(abs(reduction).percent) \(reduction < 0 ? "more" : "less")"
    }
  }

  /// The policies that a cache can run and that are in all comparisons, the best first.
  private static func ranking(of standings: [Standing]) -> [Contender] {
    let scores = standings.map(\.contenders)
    let whole = Ranking(standings)
    let names = whole.places.map(\.policy)
    let isOfLatency = whole.metric == .latencyReduction
    let isReduced = scores.joined().allSatisfy { $0.missRatioReduction != nil }
    return names.compactMap { name -> Contender? in
      let own = scores.compactMap { $0.first { $0.policy == name } }
      guard own.count == standings.count else { return nil }
      return Contender(
        policy: name, hitRatios: own.map(\.hitRatio),
        byteHitRatios: own.compactMap(\.byteHitRatio),
        reductions: isOfLatency
          ? own.compactMap(\.latencyReduction)
          : isReduced ? own.compactMap(\.missRatioReduction) : [],
        latency: isOfLatency
          ? own[0].meanLatency.flatMap { standings[0].latencyUnit?.text($0) } : nil,
        isExact: own.allSatisfy(\.isExact))
    }
  }

  private static func place(_ standing: Standing) -> String {
    "on \(standing.trace) at \(Headline.amount(standing.capacity, standing.unit))"
  }

  /// `on 6 traces at 12 sizes`.
  private static func scope(of standings: [Standing]) -> String {
    let traces = Set(standings.map(\.trace)).count
    let sizes = "at \(standings.count) sizes"
    return traces == 1 ? "on \(standings[0].trace) \(sizes)" : "on \(traces) traces \(sizes)"
  }

  /// The sentence that says what the numbers hold for.
  private static func certainty(of best: Contender, _ results: ResultSet) -> String {
    if !best.isExact {
      return "Hits of several threads, of systems and of policies that train beside the requests "
        + "differ from run to run."
    }
    if best.latency != nil { return "Latencies are exact for these requests." }
    let estimates = results.estimates.filter { $0.policy == best.policy && $0.interval != nil }
    if let estimate = estimates.first(where: { $0.against != nil }) ?? estimates.first {
      return estimate.sentence
    }
    return results.measurements.allSatisfy { $0.kind == .sweep && $0.windows == nil }
      ? "Hits are exact for these requests; --windows 100 estimates traffic like it." : ""
  }
}

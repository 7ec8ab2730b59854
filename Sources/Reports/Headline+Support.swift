import Parameters
import Results

extension Headline {
  /// The sentences behind a headline: how sure it is, and what it is worth in memory and under load.
  struct Support {
    let sentences: [String]

    init(_ view: ResultsView) {
      // What other orders say of the best is not what the recorded one does.
      let isOfRecorded = Headline.indistinct(view) == nil
      let ofBest =
        isOfRecorded
        ? [Support.lead(view.ranking), Support.intervals(view), Support.memory(view)] : []
      sentences =
        (ofBest + [
          Headline.hits(beside: view.ranking), Verdict.bytes(of: view.comparisons),
          Support.threads(view.results),
          Support.speed(view.results), Headline.load(view.results.measurements),
          Verdict.exclusion(from: view.results), Support.limit(view.results),
        ]).compactMap(\.self)
    }

    /// The columns on which the best is ahead of the next, and those on which it loses to FIFO.
    private static func lead(_ ranking: Ranking) -> String? {
      let others = ranking.places.dropFirst(1 + ranking.tied.count)
      guard ranking.columns.count > 1, let best = ranking.places.first, let next = others.first,
        next.isComplete
      else { return nil }
      let ahead = ranking.leads(of: best, over: next)
      let isClear = 2 * ahead > ranking.columns.count
      var text =
        (isClear ? "Next is" : "No clear lead: next is")
        + " \(next.policy) with \(percent(next.mean)); \(best.policy) is ahead of it on "
        + "\(ahead) of \(ranking.columns.count) \(ranking.noun)s"
      if ranking.isReduction {
        let worse = zip(ranking.columns, best.values).filter { ($0.1 ?? 0) < 0 }.map(\.0.title)
        text +=
          worse.isEmpty
          ? ", and never behind fifo" : ", and behind fifo on \(worse.joined(separator: ", "))"
      }
      return text + "."
    }

    /// The capacities where the best is above LRU beyond doubt.
    private static func intervals(_ view: ResultsView) -> String? {
      // The intervals are of hits.
      guard view.comparisons.count > 1, view.ranking.metric != .latencyReduction,
        let best = view.ranking.places.first?.policy, best != "lru"
      else { return nil }
      let gains = view.estimates.filter {
        $0.policy == best && $0.against == "lru" && !$0.isBest && $0.estimand != .orders
      }
      let known = gains.compactMap(\.interval)
      if known.isEmpty { return nil }
      let sure = known.count { $0.lowerBound > 0 }
      return
        "The 95\u{A0}% interval of \(best) for \(gains[0].estimandText) is above lru at \(sure) of "
        + "\(gains.count) sizes."
    }

    /// The number of requests that was read of each trace, where the command line limits it.
    private static func limit(_ results: ResultSet) -> String? {
      let commands = (results.environment.command ?? "").split(separator: "\n")
      let limits = commands.map { command in
        command.firstMatch(of: /--limit[= ](\S+)/).map { String($0.1) }
      }
      guard Set(limits).count == 1, let limit = limits[0] else { return nil }
      let number = Double(limit).flatMap { Int(exactly: $0) }.map { "\($0)" } ?? limit
      return "Only the first \(number) requests of each trace count (--limit)."
    }

    /// The memory that LRU needs for the best policy's hits.
    private static func memory(_ view: ResultsView) -> String? {
      guard let best = view.ranking.places.first?.policy, best != "lru" else { return nil }
      let multiples = view.comparisons.compactMap { $0.memoryOfLRU(for: best, in: view.results) }
      guard let median = multiples.median, median.isFinite, median > 1 else { return nil }
      let scope = multiples.count > 1 ? " (median of \(multiples.count) sizes)" : ""
      return "For as many hits lru needs \(median.digits(2)) times the memory\(scope)."
    }
  }
}

extension Standing {
  /// The memory that LRU needs for a policy's hits, as a multiple; nil where LRU's curve is not known.
  func memoryOfLRU(for policy: String, in results: ResultSet) -> Double? {
    guard let score = scores.first(where: { $0.policy == policy }) else { return nil }
    return LRUEquivalent(self, in: results)?.memory(for: score.hitRatio, at: capacity)
  }
}

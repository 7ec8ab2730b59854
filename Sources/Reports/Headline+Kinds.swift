import Parameters
import Rendering
import Results

/// The headlines of pages that compare no policies.
extension Headline {
  /// The hits of the only policy at several sizes or on several traces.
  static func single(_ view: ResultsView) -> String? {
    let ranking = view.ranking
    guard ranking.places.count == 1, view.comparisons.count > 1 else { return nil }
    let policy = ranking.places[0].policy
    let ratios = view.comparisons.compactMap { $0.best?.hitRatio }
    let gains = view.comparisons.compactMap { Gain($0, view.results)?.points }
    let scope =
      ranking.isOfTraces
      ? "Over \(ranking.columns.count) traces" : "On \(view.comparisons[0].trace)"
    let lead =
      policy == "lru" || gains.isEmpty
      ? "" : ", and more than lru at \(gains.count { $0 > 0 }) of \(gains.count) sizes"
    return "\(scope) \(policy) hits \(number(ratios.min() ?? 0)) to \(percent(ratios.max() ?? 0))"
      + "\(name(ranking.ratioName)) at \(view.comparisons.count) sizes\(lead)."
  }

  /// The median times of an experiment on disk with one policy.
  static func disk(_ view: ResultsView) -> String? {
    let runs = view.results.measurements.filter { $0.kind == .disk }
    guard let first = runs.first, Set(runs.map(\.contender)).count == 1 else { return nil }
    func time(_ summary: (DiskMeasures) -> LatencySummary?) -> String? {
      runs.compactMap(\.disk).compactMap { summary($0).map { Double($0.p50) } }.median
        .map { duration(Int($0)) }
    }
    let times = [("read", time(\.read)), ("write", time(\.write))].compactMap { name, time in
      time.map { "a \(name) takes \($0)" }
    }
    guard !times.isEmpty else { return nil }
    let hits = first.hitRatio.map { ", and \(first.contender) hits \(percent($0))" } ?? ""
    return "On \(first.place) \(times.joined(separator: ", ")) (medians)\(hits)."
  }

  /// The lock under which a cache serves most with the most threads, and the one under which it serves least.
  static func lock(_ results: ResultSet) -> String? {
    let runs = results.measurements.filter { run in run.replay.map { $0.system == nil } ?? false }
    guard let threads = runs.compactMap(\.replay?.threads).max(), threads > 1 else { return nil }
    let locks = runs.filter { $0.replay?.threads == threads }.grouped { $0.replay?.lock ?? "" }
    let ranked = locks.map { runs in
      (
        lock: runs[0].replay?.lock ?? "", cells: runs.count,
        throughput: runs.map(\.requestsPerSecond).median ?? 0
      )
    }.sorted { $0.throughput > $1.throughput }
    guard ranked.count > 1, let best = ranked.first, let least = ranked.last else { return nil }
    func rate(_ value: Double) -> String { "\((value / 1e6).digits(2)) M requests/s" }
    return
      "With \(threads) threads the lock \(best.lock) serves most, \(rate(best.throughput)) (median of "
      + "\(best.cells) \(best.cells == 1 ? "cell" : "cells")), and \(least.lock) least, \(rate(least.throughput))."
  }
}

extension Headline.Support {
  /// The fastest and the slowest of systems.
  static func speed(_ results: ResultSet) -> String? {
    let runs = results.measurements.filter { $0.replay != nil }
    guard runs.contains(where: { $0.replay?.system != nil }),
      let fewest = runs.compactMap(\.replay?.threads).min()
    else { return nil }
    let ranked = runs.filter { $0.replay?.threads == fewest }.grouped(by: \.contender).map { runs in
      (name: runs[0].contender, throughput: runs.map(\.requestsPerSecond).median ?? 0)
    }.sorted { $0.throughput > $1.throughput }
    guard ranked.count > 1, let fastest = ranked.first, let slowest = ranked.last else {
      return nil
    }
    return
      "With \(fewest) \(fewest == 1 ? "thread" : "threads") \(fastest.name) is fastest, "
      + "\((fastest.throughput / 1e6).digits(2)) M requests/s, and \(slowest.name) slowest, "
      + "\((slowest.throughput / 1e6).digits(2))."
  }
}

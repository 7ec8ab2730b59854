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

  /// The median times of an experiment on disk with one policy; of several setups at one place, those of the quickest
  /// reads.
  static func disk(_ view: ResultsView) -> String? {
    let all = view.results.measurements.filter { $0.kind == .disk }
    guard let first = all.first, Set(all.map(\.contender)).count == 1 else { return nil }
    func median(
      _ runs: [Measurement], _ summary: (DiskMeasures) -> LatencySummary?
    ) -> Double? {
      runs.compactMap(\.disk).compactMap { summary($0).map { Double($0.p50) } }.median
    }
    let setups = all.filter { $0.place == first.place }.grouped { run in
      var setup = run.disk?.setup ?? DiskSetup()
      setup.round = 0
      return setup
    }
    let best = setups.min {
      median($0, \.read) ?? .infinity < median($1, \.read) ?? .infinity
    }
    guard let runs = best, let setup = runs[0].disk?.setup else { return nil }
    let times = [("read", median(runs, \.read)), ("write", median(runs, \.write))]
      .compactMap { name, time in time.map { "a \(name) takes \(duration(Int($0)))" } }
    guard !times.isEmpty else { return nil }
    let choice =
      setups.count == 1
      ? ""
      : ", where reads are quickest of \(setups.count) setups: inline ≤ \(setup.inlineThreshold), "
        + "page \(setup.pageSize), \(setup.durability)"
    let hits = first.hitRatio.map { "; \(first.contender) hits \(percent($0))" } ?? ""
    return "On \(first.place) \(times.joined(separator: ", ")) (medians)\(choice)\(hits)."
  }

  /// The prompt tokens that prefix caches of one trace need not compute, at the least and the largest size.
  static func prefix(_ view: ResultsView) -> String? {
    let standings = view.comparisons.sorted { $0.capacity < $1.capacity }
    guard let first = standings.first, let last = standings.last,
      view.results.measurements.allSatisfy({ $0.kind == .prefix }),
      standings.allSatisfy({ $0.ratioName == "token hit ratio" }),
      Set(standings.map(\.trace)).count == 1, let policy = view.ranking.places.first?.policy
    else { return nil }
    func saved(_ standing: Standing, _ policy: String) -> Double? {
      standing.scores.first { $0.policy == policy }?.hitRatio
    }
    guard let least = saved(first, policy), let most = saved(last, policy) else { return nil }
    let places = view.ranking.places
    let isOne = places.count == 1
    let tied = places.filter { number($0.mean) == number(places[0].mean) }.map(\.policy)
    let average = standings.count > 1 ? " on average" : ""
    var text = "On \(first.trace) "
    if isOne {
      text += "\(policy) saves \(percent(least)) of the prompt tokens"
    } else if tied.count == 1 {
      text += "\(policy) saves most prompt tokens\(average): \(percent(least))"
    } else {
      text +=
        "\(tied.listed(most: 3)) tie, alike to a tenth of a point: they save "
        + (tied.count == places.count
          ? "\(percent(least)) of the prompt tokens"
          : "most prompt tokens\(average), \(percent(least))")
    }
    text += " with " + amount(first.capacity, first.unit)
    if standings.count > 1 {
      text += ", \(percent(most)) with \(amount(last.capacity, last.unit))"
    }
    if let lru = saved(last, "lru"), !tied.contains("lru") {
      text += ", where lru saves \(percent(lru))"
    }
    return ([text + "."] + reach(of: view.comparisons, in: view.results)).joined(separator: " ")
  }

  /// On each trace, the sizes from which on more memory saves little under LRU as a cache of prefixes; none where its hits
  /// at every size are not known.
  static func reach(of standings: [Standing], in results: ResultSet) -> [String] {
    standings.grouped(by: \.trace).compactMap { standings in
      let first = standings[0]
      guard first.unit == .blocks, let lru = LRUEquivalent(first, in: results),
        let enough = lru.enough, let knee = lru.knee
      else { return nil }
      let hits = first.ratioName.replacing(" ratio", with: "s")
      return "The curve of lru on \(first.trace) bends most at "
        + "\(amount(knee.capacity, first.unit)) (\(percent(1 - knee.missRatio)) \(hits)), and has "
        + "nine tenths of its hits from \(amount(enough, first.unit)) on."
    }
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

  /// The throughput and the latency of closed loops with the most threads and with the fewest; nil for several locks,
  /// which the headline compares.
  static func threads(_ results: ResultSet) -> String? {
    let runs = results.measurements.filter { $0.replay != nil && $0.replay?.pace == nil }
    let counts = runs.compactMap(\.replay?.threads)
    guard let fewest = counts.min(), let most = counts.max(), fewest < most,
      Set(runs.compactMap(\.replay?.setup.driver)).count == 1
    else { return nil }
    let cells = runs.grouped {
      "\($0.unit.rawValue) \($0.capacity) \($0.seed) \($0.contender) \($0.trace)"
    }.compactMap { alike -> (few: Measurement, many: Measurement)? in
      guard let few = alike.first(where: { $0.replay?.threads == fewest }),
        let many = alike.first(where: { $0.replay?.threads == most }), few.requestsPerSecond > 0
      else { return nil }
      return (few, many)
    }
    let ratios = cells.map { $0.many.requestsPerSecond / $0.few.requestsPerSecond }
    guard let ratio = ratios.median,
      let few = cells.map({ $0.few.requestsPerSecond / 1e6 }).median,
      let many = cells.map({ $0.many.requestsPerSecond / 1e6 }).median
    else { return nil }
    let medians = cells.count == 1 ? "" : " (medians of \(cells.count) cells)"
    var text =
      "With \(most) threads a cache serves \(ratio.digits(2)) times as many requests as with "
      + "\(fewest), \(many.digits(2)) M requests/s instead of \(few.digits(2))\(medians)"
    if let before = latency(of: cells.map(\.few)), let after = latency(of: cells.map(\.many)) {
      text += ", and the 99th percentile of a get is \(after) instead of \(before)"
    }
    return text + "."
  }

  /// The median of the 99th percentiles of gets; nil where the clock does not tell it from nothing.
  private static func latency(of runs: [Measurement]) -> String? {
    let replays = runs.compactMap(\.replay)
    let times = replays.compactMap { $0.median("get.p99") ?? $0.latency?.get?.p99 }
    let floor = replays.compactMap { $0.latency?.floor }.max() ?? 0
    guard let time = times.map({ Double($0) }).median, time >= max(floor, 1) else { return nil }
    return Headline.duration(Int(time))
  }
}

import Foundation
import Statistics

extension CoverageCase {
  /// Intervals of samples: seeds, trials of claims, keys, popularity.
  static let samples =
    seeds + orders + ahead + claims + together + ranks + proportions + keys + popularity

  private typealias Draw = @Sendable (inout Draws) -> Double

  /// Distributions whose mean is 0.
  private static let distributions: [(name: String, draw: Draw)] = [
    ("normal", { $0.normal() }),
    ("skewed (exponential)", { -log(1 - $0.uniform()) - 1 }),
    ("one value in ten far off", { $0.uniform() < 0.1 ? 9 : -1 }),
  ]

  private static let seeds = [5, 10, 30].flatMap { count in
    distributions.map { name, draw in
      CoverageCase("mean over seeds", "\(name), \(count) seeds") { draws in
        let sample = (0..<count).map { _ in draw(&draws) }
        return try MeanInterval(sample, of: .seeds).interval().contains(0)
      }
    }
  }

  /// Distributions of hit ratios over orders, with their medians.
  private static let ordered: [(name: String, median: Double, draw: Draw)] = [
    ("normal", 0, { $0.normal() }),
    ("skewed (exponential)", log(2) - 1, { -log(1 - $0.uniform()) - 1 }),
    ("one value in ten far off", -1, { $0.uniform() < 0.1 ? 9 : -1 }),
    // 0.35 of 0.85 of the normal ones lie below.
    ("alike but for one in seven", -0.223, { $0.uniform() < 0.15 ? -100 : $0.normal() }),
  ]

  private static let orders = [10, 17, 30].flatMap { count in
    ordered.map { name, median, draw in
      CoverageCase("median over orders", "\(name), \(count) orders") { draws in
        let sample = (0..<count).map { _ in draw(&draws) }
        return try QuantileInterval(sample, 0.5, of: .orders).interval(confidence: 0.95)?
          .contains(median)
      }
    }
  }

  /// Four policies that hit alike over orders, in pairs: true if none is called ahead of another.
  private static let ahead = [10, 17, 30].flatMap { count in
    ordered.map { name, _, draw in
      CoverageCase("ahead over orders, none wrong", "\(name), 4 policies, \(count) orders") {
        draws in
        let policies = (0..<4).map { _ in (0..<count).map { _ in draw(&draws) } }
        for (place, left) in policies.enumerated() {
          for right in policies[(place + 1)...] {
            let leads = zip(left, right).map { $0 - $1 }
            let interval = try QuantileInterval(leads, 0.5, of: .orders)
              .interval(confidence: 1 - 0.05 / 6)
            guard let interval else { return nil }
            if !interval.contains(0) { return false }
          }
        }
        return true
      }
    }
  }

  /// As the trials of a claim: six at least, eight at most in a quick run.
  private static let claims = [6, 8, 10, 30].flatMap { count in
    distributions.map { name, draw in
      CoverageCase("effect of a claim", "\(name), \(count) paired trials") { draws in
        let sample = (0..<count).map { _ in draw(&draws) }
        return try PairedBootstrap(sample, replicates: 2_000, seed: 1).interval().contains(0)
      }
    }
  }

  /// The verdicts on four conditions of a claim, of which one lies on its limit, and others near and far off:
  /// true if none is wrong.
  private static let together = [6, 8, 30].flatMap { count in
    distributions.map { name, draw in
      CoverageCase(
        "verdicts of a claim, none wrong", "\(name), 4 conditions, \(count) paired trials"
      ) { draws in
        let limits = [0, 0.3, -1, 4]
        let effects = try limits.map { _ in
          try PairedBootstrap((0..<count).map { _ in draw(&draws) }, replicates: 1_000, seed: 1)
        }
        let confidences = HolmIntervals.confidences(
          of: zip(effects, limits).map { effect, limit in
            HolmIntervals.Comparison(limit: limit, interval: effect.interval)
          })
        return limits.indices.allSatisfy { index in
          let interval = effects[index].interval(confidence: confidences[index])
          let isAboveLimit = limits[index] >= 0 && interval.lowerBound > limits[index]
          let isBelowLimit = limits[index] <= 0 && interval.upperBound < limits[index]
          return !isAboveLimit && !isBelowLimit
        }
      }
    }
  }

  /// The mean over traces in a ranking.
  private static let ranks = [9, 17, 60].flatMap { count in
    distributions.map { name, draw in
      CoverageCase("mean over traces", "\(name), \(count) traces") { draws in
        let values = (0..<count).map { _ in draw(&draws) }
        return try PairedBootstrap(values, replicates: 2_000, seed: 42).interval().contains(0)
      }
    }
  }

  /// Attempts in groups that have a probability of their own, drawn evenly from up to twice the mean.
  private static func proportion(_ mean: Double, groups: Int, of size: Int) -> CoverageCase {
    CoverageCase(
      "proportion of a claim",
      size == 1
        ? "\(groups) independent attempts at \(mean)"
        : "\(groups) groups of \(size) dependent attempts at \(mean)"
    ) { draws in
      var events = 0
      for _ in 0..<groups {
        let probability = size == 1 ? mean : 2 * mean * draws.uniform()
        for _ in 0..<size where draws.uniform() < probability { events += 1 }
      }
      return ProportionInterval(events: events, attempts: groups * size).interval().contains(mean)
    }
  }

  private static let proportions = [
    proportion(0.5, groups: 20, of: 1), proportion(0.01, groups: 200, of: 1),
    proportion(0.3, groups: 20, of: 20),
  ]

  /// A trace of 5 000 keys, of which one in twenty is drawn; one of them may have a part of all misses.
  private static func keySample(_ name: String, hottest: Double) -> CoverageCase {
    var draws = Draws(seed: 11)
    var misses = (0..<5_000).map { _ in
      1 + UInt32(-40 * log(1 - draws.uniform()) * draws.uniform())
    }
    let total = misses.reduce(0) { $0 + Double($1) }
    if hottest > 0 { misses[0] = UInt32(hottest * total / (1 - hottest)) }
    let counts = misses
    let requests = counts.reduce(0) { $0 + Int($1) } * 2
    return CoverageCase("key-sampling part of `curve` (whole: curve-coverage.md)", name) { draws in
      let sample = counts.filter { _ in draws.uniform() < 0.05 }
      let ratio = KeySampleRatio(counts: sample, ofKeys: counts.count, requests: requests)
      return ratio.interval().contains(0.5)
    }
  }

  private static let keys = [
    keySample("250 of 5 000 keys, misses skewed", hottest: 0),
    keySample("250 of 5 000 keys, one has 2 % of the misses", hottest: 0.02),
    keySample("250 of 5 000 keys, one has 20 % of the misses", hottest: 0.2),
  ]

  /// Requests by a law, each by itself or as several in a row.
  private static func zipf(_ alpha: Double, requests: Int, run: Int = 1) -> CoverageCase {
    let keys = 60
    let shares = (1...keys).map { pow(Double($0), -alpha) }
    let sums = shares.indices.map { shares[...$0].reduce(0, +) }
    let runs = run == 1 ? "independent" : "runs of \(run) alike"
    return CoverageCase(
      "Zipf exponent", "α = \(alpha), \(keys) keys, \(requests) requests, \(runs)"
    ) { draws in
      var counts = [UInt32](repeating: 0, count: keys)
      for _ in 0..<requests / run {
        let place = draws.uniform() * sums[keys - 1]
        counts[sums.firstIndex { $0 > place } ?? keys - 1] += UInt32(run)
      }
      // Keys are ranked by what was drawn, as those of a trace are.
      counts.sort(by: >)
      return ZipfFit(descendingCounts: counts)?.interval()?.contains(alpha)
    }
  }

  private static let popularity = [
    zipf(0.5, requests: 10_000), zipf(1, requests: 2_400), zipf(1, requests: 10_000),
    zipf(1, requests: 10_000, run: 5),
  ]
}

import Parameters
import Results
import Statistics

/// The mean hit ratio over all seeds of a policy that draws random numbers, and how far it is above another
/// policy's, seed by seed: Student's intervals.
///
/// A policy that hits the same under every seed draws none, and has no interval.
enum SeedEstimates {
  static func estimates(of runs: [Measurement], baseline: String) -> [Estimate] {
    let policies = runs.grouped(by: \.contender).map { runs in
      runs.grouped(by: \.seed).map { $0[0] }
    }
    let others = policies.first { $0[0].contender == baseline } ?? []
    return policies.filter { Set($0.map(\.hits)).count > 1 }.flatMap { runs in
      [mean(of: runs)] + (runs[0].contender == baseline ? [] : [gain(of: runs, over: others)])
    }.compactMap(\.self)
  }

  private static func mean(of runs: [Measurement]) -> Estimate? {
    let mean = try? MeanInterval(runs.compactMap(\.hitRatio), of: .seeds)
    return mean.map { estimate($0, Estimate(runs[0], of: .seeds)) }
  }

  private static func gain(of runs: [Measurement], over others: [Measurement]) -> Estimate? {
    let pairs = runs.compactMap { run in
      others.first { $0.seed == run.seed }.map { (run, $0) }
    }
    let comparison = try? PairedComparison(
      pairs.compactMap(\.0.hitRatio), pairs.compactMap(\.1.hitRatio), of: .seeds)
    return comparison.map {
      estimate($0.mean, Estimate(runs[0], against: others[0], of: .seeds))
    }
  }

  private static func estimate(_ mean: MeanInterval, _ start: Estimate) -> Estimate {
    var estimate = start
    estimate.value = mean.mean
    estimate.interval = mean.interval(confidence: Estimate.confidence)
    estimate.samples = mean.count
    return estimate
  }
}

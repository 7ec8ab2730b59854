import Comparison
import Foundation
import Results

/// Policies at some capacities whose windows have a part in common, and one of their own.
private struct PolicyField: Sendable {
  var policies = 8
  var capacities = 3
  var windows = 100
  /// The correlation of a window with the one before.
  var correlation = 0.0
  /// By how much the first policy's hit ratio is above the others'.
  var lead = 0.0

  private static let environment = Environment { $0.cores = 1 }

  private static func name(_ policy: Int) -> String { policy == 0 ? "lru" : "p\(policy)" }

  /// The hit ratio that a policy has in the long run.
  private func truth(_ policy: String) -> Double { policy == "lru" ? 0.5 + lead : 0.5 }

  /// The estimates of runs on one trace.
  private func estimates(_ draws: inout Draws) -> [Estimate] {
    var runs: [Results.Measurement] = []
    for capacity in 1...capacities {
      let common = draws.correlated(windows, by: correlation)
      for policy in 0..<policies {
        let own = draws.correlated(windows, by: correlation)
        let hits = zip(common, own).map {
          Int(1e6 * truth(PolicyField.name(policy)) + 20_000 * $0 + 10_000 * $1)
        }
        var run = Measurement(
          kind: .sweep, trace: "t", policy: PolicyField.name(policy), capacity: capacity)
        run.requests = windows * 1_000_000
        run.hits = hits.reduce(0, +)
        run.windows = RequestWindows(
          ends: hits.indices.map { ($0 + 1) * 1_000_000 }, requests: hits.map { _ in 1_000_000 },
          hits: hits)
        runs.append(run)
      }
    }
    return ResultSet(environment: PolicyField.environment, measurements: runs).estimated(bounds: [])
  }

  /// True if every interval that the field's comparisons with LRU have holds.
  func gainsHold(_ draws: inout Draws) -> Bool? {
    estimates(&draws).filter { $0.against == "lru" && !$0.isBest }.allSatisfy {
      $0.interval?.contains(truth($0.policy) - truth("lru")) == true
    }
  }

  /// True if at each capacity the interval of the best above the best of the others holds.
  func bestHolds(_ draws: inout Draws) -> Bool? {
    estimates(&draws).filter(\.isBest).allSatisfy {
      let rivals: Double = $0.policy == "lru" ? truth("p1") : truth("lru")
      return $0.interval?.contains(truth($0.policy) - rivals) == true
    }
  }
}

/// Policies that draw random numbers, at some capacities, with LRU, which draws none.
private struct SeedField: Sendable {
  let seeds: Int
  var policies = 4
  var capacities = 3

  private static let environment = Environment { $0.cores = 1 }

  /// True if every interval of a policy's gain over LRU holds.
  func gainsHold(_ draws: inout Draws) -> Bool? {
    var runs: [Results.Measurement] = []
    for capacity in 1...capacities {
      for policy in 0...policies {
        for seed in 0..<seeds {
          var run = Measurement(
            kind: .sweep, trace: "t", policy: policy == 0 ? "lru" : "p\(policy)",
            capacity: capacity,
            seed: seed)
          run.requests = 1_000_000
          run.hits = policy == 0 ? 500_000 : Int(500_000 + 5_000 * draws.normal())
          runs.append(run)
        }
      }
    }
    let estimates = ResultSet(environment: SeedField.environment, measurements: runs)
      .estimated(bounds: []).filter { $0.against == "lru" }
    return estimates.isEmpty ? nil : estimates.allSatisfy { $0.interval?.contains(0) == true }
  }
}

extension CoverageCase {
  /// The comparisons of a trace's policies, by their windows.
  static let comparisons = gains + bests + seedGains

  private static let seedGains = [5, 10, 30].map { seeds in
    CoverageCase(
      "gains over lru over seeds, all together",
      "normal, 4 policies × 3 capacities, \(seeds) seeds",
      trial: SeedField(seeds: seeds).gainsHold)
  }

  private static let gains = fields.map { name, field in
    CoverageCase("gains over lru, all together", name, trial: field.gainsHold)
  }

  private static let bests =
    fields.map { name, field in
      CoverageCase("best above next best", "\(name), all alike", trial: field.bestHolds)
    }
    + [0.1, 1].map { points in
      CoverageCase(
        "best above next best",
        "independent, 8 policies × 3 capacities, 100 windows, one \(points) points ahead",
        trial: PolicyField(lead: points / 100).bestHolds)
    }

  private static let fields = [
    ("independent", PolicyField()), ("independent", PolicyField(windows: 400)),
    ("AR(1), φ = 0.6", PolicyField(correlation: 0.6)),
    ("AR(1), φ = 0.6", PolicyField(windows: 400, correlation: 0.6)),
  ].map { name, field in
    ("\(name), 8 policies × 3 capacities, \(field.windows) windows", field)
  }
}

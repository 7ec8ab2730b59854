import Experiments
import Foundation
import Runner

/// A trace of keys that miss each so often, of which a tenth is sampled and dealt to four parts, and what small
/// caches of some of the keys add to the miss ratio.
private struct SampledCurve: Sendable {
  let name: String
  /// The part of all misses that one key has.
  var hottest = 0.0
  /// The error of a cache of a tenth of the size.
  var error = 0.0
  /// That of a cache of a fortieth, as a multiple of it.
  var growth = 1.0
  /// The error that the policy declares.
  var declared = 0.0

  private static let keys = 50_000
  private static let rate = 0.1

  static let all = [
    SampledCurve(name: "no error of small caches"),
    SampledCurve(name: "one key has 5 % of the misses", hottest: 0.05),
    SampledCurve(name: "an error of 2 points at rate^−0.3", error: 0.02, growth: pow(4, 0.3)),
    SampledCurve(name: "an error of 5 points at rate^−0.3", error: 0.05, growth: pow(4, 0.3)),
    SampledCurve(
      name: "an error of 5 points that does not grow, declared", error: 0.05, declared: 0.05),
    SampledCurve(name: "an error of 5 points that does not grow, not declared", error: 0.05),
  ]

  /// Returns a trial: true if the interval that a curve prints holds the miss ratio of all keys, one half.
  func trial() -> @Sendable (inout Draws) -> Bool? {
    var draws = Draws(seed: 11)
    var misses = (0..<SampledCurve.keys).map { _ in
      1 + UInt32(-40 * log(1 - draws.uniform()) * draws.uniform())
    }
    let total = misses.reduce(0) { $0 + Double($1) }
    if hottest > 0 { misses[0] = UInt32(hottest * total / (1 - hottest)) }
    let counts = misses
    let requests = counts.reduce(0) { $0 + Int($1) } * 2
    return { draws in
      var sample: [UInt32] = []
      var parts = [(keys: Int, misses: Int)](repeating: (0, 0), count: 4)
      for count in counts where draws.uniform() < SampledCurve.rate {
        sample.append(count)
        let part = Int(draws.uniform() * 4)
        parts[part].keys += 1
        parts[part].misses += Int(count)
      }
      let estimate = KeySampleEstimate(
        keys: SampledCurve.keys, sampled: sample.count, requests: requests)
      let value = estimate.value(
        capacity: 10_000, misses: sample,
        parts: parts.map { estimate.missRatio(misses: $0.misses, ofKeys: $0.keys) }
      ).shifted(by: error, parts: error * growth)
      return estimate.points([value], modelError: declared)[0].interval?.contains(0.5)
    }
  }
}

extension CoverageCase {
  /// The intervals of a curve from a sample of the keys, as they are printed.
  static let curves = SampledCurve.all.map { curve in
    CoverageCase(
      "`curve` from a sample (on traces: curve-coverage.md)", "5 000 of 50 000 keys, \(curve.name)",
      trial: curve.trial())
  }
}

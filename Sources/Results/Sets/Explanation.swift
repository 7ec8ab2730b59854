import Parameters

/// The causes of misses at one capacity of one trace: they are the first for their object, or no policy could
/// have kept the object at this size, or another policy could have.
package struct Explanation: Sendable, Equatable {
  /// The trace's name.
  package var trace: String
  /// The capacity, in ``unit``.
  package var capacity: Int
  /// The unit of the capacity.
  package var unit: Measurement.Unit
  /// The share of the requests that misses in a cache without limit.
  package var compulsoryMissRatio: Double
  /// The range that contains the optimum's hit ratio; both ends are equal where it is known.
  package var optimumHitRatio: ClosedRange<Double>
  /// The policy that hit most, with its parameters.
  package var bestPolicy: String
  /// Its hit ratio.
  package var bestHitRatio: Double

  /// An explanation from these figures.
  package init(
    trace: String, capacity: Int, unit: Measurement.Unit, compulsoryMissRatio: Double,
    optimumHitRatio: ClosedRange<Double>, bestPolicy: String, bestHitRatio: Double
  ) {
    self.trace = trace
    self.capacity = capacity
    self.unit = unit
    self.compulsoryMissRatio = compulsoryMissRatio
    self.optimumHitRatio = optimumHitRatio
    self.bestPolicy = bestPolicy
    self.bestHitRatio = bestHitRatio
  }

  /// The explanation in one sentence.
  package var text: String {
    let most = optimumHitRatio.upperBound
    let isExact = optimumHitRatio.lowerBound == most
    return "\(trace) at \(Measurement.text(of: capacity, unit)): the best policy, "
      + "\(bestPolicy), hits \(percent(bestHitRatio)); no policy could hit more than \(percent(most)) at this size, "
      + "an unlimited cache \(percent(1 - compulsoryMissRatio)); of the "
      + "\(percent(1 - bestHitRatio)) that miss, \(percent(compulsoryMissRatio)) are first requests, "
      + "\(percent(sizeShare)) the size's and \(isExact ? "" : "at most ")"
      + "\(percent(policyShare)) the policy's: \(verdict)."
  }

  /// The share of the requests that misses because the cache is not larger.
  private var sizeShare: Double {
    max(0, 1 - compulsoryMissRatio - optimumHitRatio.upperBound)
  }

  /// The share of the requests that another policy could have made hits, at most.
  private var policyShare: Double { max(0, optimumHitRatio.upperBound - bestHitRatio) }

  private var verdict: String {
    if compulsoryMissRatio >= sizeShare + policyShare {
      return "mostly the workload's fault, as most of them are first requests"
    }
    return sizeShare >= policyShare
      ? "more the working set's fault than the policy's, a larger cache helps most"
      : "more the policy's fault than the working set's, a better policy helps most"
  }

  private func percent(_ ratio: Double) -> String { String(printing: "%.2f %%", ratio * 100) }
}

extension CellKey.Place {
  /// The place of an explanation.
  package init(_ explanation: Explanation) {
    self.init(
      trace: explanation.trace, capacity: explanation.capacity, unit: explanation.unit)
  }
}

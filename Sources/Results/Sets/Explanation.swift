import Parameters

/// The causes of misses at one capacity of one trace: they are the first for their object, or no policy could
/// have kept the object at this size, or another policy could have.
package struct Explanation: Documented {
  package var trace = ""
  package var capacity = 0
  package var unit = Measurement.Unit.objects
  package var compulsoryMissRatio = 0.0
  package var optimumHitRatio: ClosedRange<Double> = 0.0...0.0
  package var bestPolicy = ""
  package var bestHitRatio = 0.0

  package init() {}

  package static let fields: [Field<Explanation>] = [
    Field("trace", \.trace, "the trace's name", .exact),
    Field("capacity", \.capacity, "the capacity, in `unit`", .exact, as: .from(0)),
    Field("unit", \.unit, "what the capacity counts", .exact),
    Field(
      "compulsoryMissRatio", \.compulsoryMissRatio, "the miss ratio of a cache without limit",
      .exact),
    Field("optimumHitRatio", \.optimumHitRatio, "bounds of the optimum's hit ratio", .exact),
    Field("bestPolicy", \.bestPolicy, "the policy with most hits, with its parameters", .exact),
    Field("bestHitRatio", \.bestHitRatio, "its hit ratio", .exact),
    .derived("text", \.text, "the explanation in a sentence", .descriptive),
  ]

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

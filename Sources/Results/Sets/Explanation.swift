import Parameters

/// The causes of misses at one capacity of one trace: they are the first for their object, or of an object that had
/// expired or whose size was not known, or no policy could have kept the object at this size, or another policy could
/// have.
package struct Explanation: Documented {
  package var trace = ""
  package var capacity = 0
  package var unit = Measurement.Unit.objects
  package var compulsoryMissRatio = 0.0
  package var unknownSizeMissRatio = 0.0
  /// Nil where nothing expires.
  package var expiredMissRatio: Double?
  package var optimumHitRatio: ClosedRange<Double> = 0.0...0.0
  package var bestPolicy = ""
  package var bestHitRatio = 0.0

  package init() {}

  package static let fields: [Field<Explanation>] = [
    Field("trace", \.trace, "the trace's name", .exact),
    Field("capacity", \.capacity, "the capacity, in `unit`", .exact, as: .from(0)),
    Field("unit", \.unit, "what the capacity counts", .exact),
    Field(
      "compulsoryMissRatio", \.compulsoryMissRatio,
      "the miss ratio of a cache without limit in which nothing expires and each object counts one",
      .exact),
    .omittable(
      "unknownSizeMissRatio", \.unknownSizeMissRatio,
      "by how much it is higher where objects count their bytes, as requests come before any that tells the size",
      .exact),
    .omittable(
      "expiredMissRatio", \.expiredMissRatio,
      "by how much it is still higher where objects expire (`--expire`)", .exact),
    Field(
      "optimumHitRatio", \.optimumHitRatio, "bounds of the optimum's hit ratio; nothing expires",
      .exact),
    Field("bestPolicy", \.bestPolicy, "the policy with most hits, with its parameters", .exact),
    Field("bestHitRatio", \.bestHitRatio, "its hit ratio", .exact),
    .derived("text", \.text, "the explanation in a sentence", .descriptive),
  ]

  /// The explanation in one sentence.
  package var text: String {
    let place = "\(trace) at \(Measurement.text(of: capacity, unit))"
    let limits =
      isBounded
      ? "no policy could hit more than \(percent(mostHitRatio)) at this size, an unlimited cache "
        + percent(unlimitedHitRatio) : "an unlimited cache hits \(percent(unlimitedHitRatio))"
    var causes = ["\(percent(compulsoryMissRatio)) are first requests"]
    if unknownSizeMissRatio > 0 {
      causes.append("\(percent(unknownSizeMissRatio)) later ones of objects of unknown size")
    }
    if expires { causes.append("\(percent(expiredShare)) of expired objects") }
    if isBounded { causes.append("\(percent(sizeShare)) the size's") }
    let last =
      isBounded
      ? "\(isExact ? "" : "at most ")\(percent(policyShare)) the policy's"
      : "\(percent(avoidableShare)) the size's or the policy's"
    return
      "\(place): the best policy, \(bestPolicy), hits \(percent(bestHitRatio)); \(limits); of the "
      + "\(percent(1 - bestHitRatio)) that miss, \(causes.joined(separator: ", ")) and \(last): \(verdict)."
  }

  private var expires: Bool { expiredMissRatio != nil }

  /// The hit ratio of a cache without limit.
  private var unlimitedHitRatio: Double {
    max(0, 1 - compulsoryMissRatio - unknownSizeMissRatio - (expiredMissRatio ?? 0))
  }

  /// True where the optimum bounds the hits. The bound lets nothing expire: it may be above a cache without limit in which
  /// objects do, and then it says nothing of them.
  private var isBounded: Bool { !expires || optimumHitRatio.upperBound < unlimitedHitRatio }

  private var mostHitRatio: Double { min(optimumHitRatio.upperBound, unlimitedHitRatio) }

  private var isExact: Bool {
    !expires && optimumHitRatio.lowerBound == optimumHitRatio.upperBound
  }

  /// The share of the requests that hits in a cache without limit, and not with the best policy.
  ///
  /// A cache may hit more than one without limit where objects expire: one that loads an object again begins its time to
  /// live anew.
  private var avoidableShare: Double { max(0, unlimitedHitRatio - bestHitRatio) }

  /// The share of the requests that misses because objects expire.
  private var expiredShare: Double {
    max(0, 1 - bestHitRatio - compulsoryMissRatio - unknownSizeMissRatio - avoidableShare)
  }

  /// The share of the requests that misses because the cache is not larger.
  private var sizeShare: Double { max(0, unlimitedHitRatio - max(mostHitRatio, bestHitRatio)) }

  /// The share of the requests that another policy could have made hits, at most.
  private var policyShare: Double { max(0, mostHitRatio - bestHitRatio) }

  private var verdict: String {
    let others = unknownSizeMissRatio + (expires ? expiredShare : 0)
    if compulsoryMissRatio >= others + avoidableShare {
      return "mostly the workload's fault, as most of them are first requests"
    }
    if compulsoryMissRatio + others >= avoidableShare {
      return
        "mostly neither the size's fault nor the policy's, as most of them miss in an unlimited "
        + "cache, too"
    }
    if !isBounded {
      return
        "a larger cache or a better policy helps most; which of them is not known where objects "
        + "expire"
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

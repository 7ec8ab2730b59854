import Parameters
import Results

extension Headline {
  /// On each trace, the cheapest size and policy, what it costs beside no cache and the cache that there is, and what it
  /// spares.
  static func price(_ curves: [MissRatioCurve]) -> String? {
    let sentences = curves.grouped { [$0.trace, $0.unit.rawValue] }.compactMap(priceOnOneTrace)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private static func priceOnOneTrace(_ curves: [MissRatioCurve]) -> String? {
    let priced = curves.compactMap { curve in curve.cheapest.map { (curve, $0) } }
    guard let (curve, cheapest) = priced.min(by: { $0.1.total < $1.1.total }) else { return nil }
    let factor = cheapest.traceTimesPerMonth ?? 1
    func money(_ cost: Double) -> String { (cost * factor).digits(4) }
    let period =
      cheapest.seconds > 0
      ? "a month"
      : curve.warmup > 0 ? "for the requests after the warm-up" : "while the trace lasts"
    let size = amount(cheapest.capacity, curve.unit)
    let noCache = Double(curve.requests) * cheapest.costPerMiss
    let least = min(noCache, cheapest.total)
    let here = present(beside: curve, in: curves).map { here in
      ", and what you have, \(here.size), about \(money(here.cost))"
        + (money(here.cost) == money(least)
          ? "" : ": the cheapest saves about \(money(here.cost - least)) \(period)")
    }
    let counts = factor < 2 ? "" : " " + count(of: factor, warmup: curve.warmup)
    if noCache <= cheapest.total {
      return "On \(curve.trace) no cache is cheapest: it costs \(money(noCache)) \(period), "
        + "a cache of \(size) under \(curve.policyLabel) \(money(cheapest.total))\(here ?? "")."
        + counts
    }
    let equal = priced.count { $0.1.total == cheapest.total && $0.1.capacity == cheapest.capacity }
    let policies = equal > 1 ? "any of \(equal) policies" : curve.policyLabel
    return "On \(curve.trace) a cache of \(size) under \(policies) is cheapest: "
      + "\(money(cheapest.total)) \(period), of which memory costs \(money(cheapest.memory)) and "
      + "misses \(money(cheapest.misses)). No cache costs \(money(noCache))\(here ?? ""). "
      + spared(by: curve, at: cheapest) + counts
  }

  /// The sentence on what a month is made of, and which way that errs.
  private static func count(of times: Double, warmup: Int) -> String {
    warmup > 0
      ? "A month counts the requests after the warm-up \(times.digits(2)) times."
      : "A month counts the trace \(times.digits(2)) times, its empty cache too, so misses cost too much and "
        + "the size may be too small: --warmup leaves out the start."
  }

  /// The size of the cache that there is under the first policy of the trace, and its cost while the trace lasts.
  private static func present(
    beside curve: MissRatioCurve, in curves: [MissRatioCurve]
  ) -> (size: String, cost: Double)? {
    let first = curves.first { $0.trace == curve.trace && $0.unit == curve.unit }
    guard let first, let prices = first.cheapest, prices.present > 0,
      let point = first.point(at: prices.present)
    else { return nil }
    return (
      "\(amount(point.capacity, first.unit)) under \(first.policyLabel)",
      prices.cost(at: point, requests: first.requests)
    )
  }

  /// The requests that the cheapest cache answers itself.
  private static func spared(by curve: MissRatioCurve, at cheapest: CheapestCapacity) -> String {
    guard let point = curve.points.first(where: { $0.capacity == cheapest.capacity }) else {
      return ""
    }
    let hitRatio = 1 - point.missRatio
    guard cheapest.seconds > 0 else {
      return "It spares the backend \(percent(hitRatio)) of the requests."
    }
    let rate = hitRatio * Double(curve.requests) / cheapest.seconds
    return "It spares the backend \(rate.digits(3)) requests/s, \(percent(hitRatio)) of all."
  }
}

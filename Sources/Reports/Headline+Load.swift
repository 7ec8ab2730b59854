import Parameters
import Results

extension Headline {
  /// The contender with the lowest response times at the highest pace at which every contender is served, or
  /// the overload; nil without response times.
  static func load(_ measurements: [Measurement]) -> String? {
    let runs = measurements.filter { $0.load != nil && $0.responseP99 != nil }
    let places = runs.grouped {
      "\($0.place) \($0.replay?.setup.labelWithoutPace ?? "") \($0.trace)"
    }
    guard let first = places.first else { return nil }
    let place = places.count > 1 ? "On \(first[0].place): " : ""
    return place + load(ofOnePlace: first)
  }

  private static func load(ofOnePlace runs: [Measurement]) -> String {
    let contenders = Set(runs.map(\.contender))
    // Of a pace in per cent, what one policy is offered is not what another is.
    func offered(_ runs: [Measurement]) -> Double {
      runs.compactMap { $0.replay?.pace?.offered }.min() ?? 0
    }
    let paces = runs.grouped { $0.replay?.pace?.label ?? "" }.filter { runs in
      runs.allSatisfy { $0.replay?.pace?.isOverload == false }
        && Set(runs.map(\.contender)) == contenders
    }
    let compared = paces.max {
      (offered($0), $0[0].load ?? 0) < (offered($1), $1[0].load ?? 0)
    }
    guard let compared else {
      return
        "Overload: at every pace a policy is offered more than it serves, so response times are not "
        + "compared."
    }
    let ranked = compared.sorted { ($0.responseP99 ?? 0) < ($1.responseP99 ?? 0) }
    let (least, pace) = (ranked[0], pace(of: compared[0], isOne: contenders.count == 1))
    func time(_ run: Measurement) -> String { duration(run.responseP99 ?? 0) }
    guard let next = ranked.first(where: { $0.contender != least.contender }) else {
      return
        "At \(pace) the 99th percentile of \(least.contender)'s response time is \(time(least))."
    }
    let found =
      "\(least.contender) has the lowest 99th percentile of the response time, \(time(least)); next is "
      + "\(next.contender) with \(time(next))"
    let scope = contenders.count > 2 ? "all \(contenders.count) policies are" : "both policies are"
    let sentence = "At \(pace), the highest at which \(scope) served, \(found)"
    guard let one = least.responseInterval, let other = next.responseInterval else {
      return sentence + "."
    }
    return sentence
      + (one.overlaps(other) ? ": no clear lead, their 95\u{A0}% intervals overlap." : ".")
  }

  /// `80 % of its own throughput`, `100000 requests/s`, `pace trace:10`.
  private static func pace(of run: Measurement, isOne: Bool) -> String {
    guard let pace = run.replay?.pace else { return "" }
    if pace.label.hasSuffix("%") {
      return "\(pace.label.dropLast())\u{A0}% of \(isOne ? "its" : "each policy's") own throughput"
    }
    return Int(pace.label).map { "\($0) requests/s" } ?? "pace \(pace.label)"
  }
}

extension Measurement {
  /// The 99th percentile of the response times, in nanoseconds: the median of the repetitions.
  var responseP99: Int? { replay?.median("response.p99") ?? replay?.response?.whole.p99 }

  /// The 95 % interval of that median; nil for too few repetitions.
  fileprivate var responseInterval: ClosedRange<Double>? {
    replay?.repetitions?["response.p99"]?.interval
  }
}

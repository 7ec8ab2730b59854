import Rendering

/// The meaning of a trace's metrics, in one line.
///
/// The first of these rules that applies says it:
///
/// 1. *once*: no key is requested twice.
/// 2. *loop*: at least half of the requests are reuses, and nine tenths of these have nearly the same
///    distance (the 90 % quantile is at most 5 % above the 10 % quantile), of two keys or more.
/// 3. *one-hit*: at least half of the keys are requested once, and at least half of the gets are
///    compulsory misses.
/// 4. *scan*: a fifth of the requests are sequential, or a fifth stand in runs of keys that are never
///    requested again.
/// 5. *uniform*: Zipf's exponent is below 0.2.
/// 6. *zipf*: the share of the requests of the most popular keys differs nowhere by more than 0.1 from
///    Zipf's law.
/// 7. *mixed*: anything else.
///
/// A uniform or mixed trace half of whose requests come in the order of the last time says so, be its keys numbers
/// or texts: there a policy matters as in a loop.
package struct TraceReading: Sendable, Equatable {
  /// The kinds of workloads.
  package enum Pattern: String, Sendable, CaseIterable {
    /// Nothing comes twice.
    case once
    /// The same keys in the same order, again and again.
    case loop
    /// Much is read through in order, or never comes back.
    case scan
    /// Most of it comes once.
    case oneHit = "one-hit"
    /// All keys are about equally popular.
    case uniform
    /// A few keys are popular, as Zipf's law says.
    case zipf
    /// None of these.
    case mixed
  }

  /// The kind of workload.
  package let pattern: Pattern
  /// The consequence for a cache.
  package let text: String

  /// The rules, in the order in which they are tried.
  private static let rules: [@Sendable (Evidence) -> TraceReading?] = [
    once, loop, oneHit, scan, uniform, zipf,
  ]

  init(_ figures: [any TraceFigure]) {
    let evidence = Evidence(figures)
    let reading = TraceReading.rules.lazy.compactMap { $0(evidence) }.first
    self = reading ?? TraceReading.mixed(evidence)
  }

  private init(_ pattern: Pattern, _ text: String) {
    self.pattern = pattern
    self.text = text
  }

  /// The evidence for the rules.
  private struct Evidence {
    let volume: Volume
    let popularity: Popularity
    let distances: DistributionSummary?
    let scans: Scans
    let order: RequestOrder?
    let compulsory: CompulsoryMisses?

    init(_ figures: [any TraceFigure]) {
      guard let volume = figures.figure(Volume.self),
        let popularity = figures.figure(Popularity.self),
        let distance = figures.figure(ReuseDistance.self), let scans = figures.figure(Scans.self)
      else { preconditionFailure("every trace has these figures") }
      self.volume = volume
      self.popularity = popularity
      self.scans = scans
      order = figures.figure(RequestOrder.self)
      distances = distance.summary
      compulsory = figures.figure(CompulsoryMisses.self)
    }

    var reuseRatio: Double { 1 - Double(volume.distinct) / Double(volume.requests) }

    /// The share of requests that come as in a loop, as a clause; nil where they are few.
    var repetition: String? {
      guard let order, order.repetition != nil else { return nil }
      return "\(order.inOrderRatio.percent) of the requests come in the order of the last time"
    }
  }

  private static func once(_ evidence: Evidence) -> TraceReading? {
    guard evidence.distances == nil else { return nil }
    return TraceReading(.once, "every key comes once: no cache can hit")
  }

  private static func loop(_ evidence: Evidence) -> TraceReading? {
    guard let distances = evidence.distances, evidence.reuseRatio >= 0.5,
      let low = distances.quantile(0.1), let high = distances.quantile(0.9),
      let middle = distances.quantile(0.5), low >= 1, Double(high) <= 1.05 * Double(low)
    else { return nil }
    return TraceReading(.loop, "loop of \(middle + 1) keys: LRU will fail below that size")
  }

  private static func scan(_ evidence: Evidence) -> TraceReading? {
    let (sequential, never) = (evidence.scans.sequentialRatio, evidence.scans.neverAgainRatio)
    guard sequential ?? 0 >= 0.2 || never >= 0.2 else { return nil }
    let order = sequential.map { "\($0.percent) of the requests are sequential, " } ?? ""
    return TraceReading(
      .scan,
      "scan-heavy: \(order)\(never.percent) are in runs that never come back: LRU lets them flush "
        + "what is popular")
  }

  private static func oneHit(_ evidence: Evidence) -> TraceReading? {
    let keys = evidence.volume.oneHitWonderRatio
    guard let compulsory = evidence.compulsory, let misses = compulsory.ratio, keys >= 0.5,
      misses >= 0.5
    else { return nil }
    return TraceReading(
      .oneHit,
      "one-hit wonders: \(keys.percent) of the keys come once, and \(misses.percent) of the "
        + "\(compulsory.noun) miss in every cache: admit what comes twice")
  }

  private static func uniform(_ evidence: Evidence) -> TraceReading? {
    guard let fit = evidence.popularity.fit, fit.alpha < 0.2 else { return nil }
    let end =
      evidence.repetition.map { ", but \($0), as in a loop: LRU may fail below its size" }
      ?? ": the hit ratio follows the capacity, whatever the policy"
    return TraceReading(
      .uniform, "uniform: Zipf \(fit.alpha.digits(2)), all keys about equally popular\(end)")
  }

  private static func zipf(_ evidence: Evidence) -> TraceReading? {
    guard let fit = evidence.popularity.fit, fit.distance <= 0.1 else { return nil }
    return TraceReading(
      .zipf,
      "\(evidence.popularity.isRejected ? "roughly " : "")Zipf \(fit.alpha.digits(2)): 1 % of the keys get "
        + "\(evidence.popularity.topHundredthShare.percent) of the requests: a small cache that keeps "
        + "them hits as many")
  }

  private static func mixed(_ evidence: Evidence) -> TraceReading {
    let distance = evidence.distances?.quantile(0.5).map { ", median reuse distance \($0) keys" }
    let share = evidence.popularity.topHundredthShare
    return TraceReading(
      .mixed,
      "mixed: 1 % of the keys get \(share.percent) of the requests, but not by Zipf's law"
        + (distance ?? "") + (evidence.repetition.map { ", and \($0)" } ?? "")
        + ": let a sweep decide")
  }
}

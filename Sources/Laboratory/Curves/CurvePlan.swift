import Eviction
import Foundation
import Traces

/// Which miss-ratio curves of a trace are made, and how exactly.
public struct CurvePlan: Sendable {
  /// What is asked for.
  public struct Options: Sendable {
    /// The capacities; empty for some between a thousandth and the whole of the distinct keys or bytes,
    /// and for LRU on objects for all.
    public var capacities: [Capacity] = []
    /// How many capacities there are where none are given.
    public var points = 25
    /// The share of the keys that is looked at; nil for all in traces of at most
    /// ``exactRequests`` requests, and about ``sampledKeys`` keys in longer ones.
    public var rate: Double?
    /// Whether objects count their bytes.
    public var isSized = false
    /// Where every random draw starts from.
    public var seed = 42
    /// Traces of at most so many requests are not sampled unless asked for.
    public var exactRequests = 1_000_000
    /// About so many keys of longer ones are looked at.
    public var sampledKeys = 65_536

    /// The defaults.
    public init() {}
  }

  /// The whole trace.
  public let trace: Trace
  /// The sampled keys' requests; the whole trace where all are.
  let sample: Trace
  /// The share of the keys that was drawn.
  public let rate: Double
  /// Capacities of the whole trace.
  let capacities: [Int]
  let isSized: Bool
  let seed: Int
  /// Policies whose curve is found in one pass.
  let stacked: [PolicyChoice]
  /// What is simulated: each policy at each scaled capacity; nil for nothing.
  let simulations: SweepPlan?
  /// By scaled capacity, those of the whole trace that it stands for.
  let scaled: [Int: [Int]]
  /// The objects that a unit of capacity holds: 1, or for bytes one over the objects' mean size.
  let objectsPerUnit: Double
  /// Whether LRU's curve has every capacity.
  let hasAllSizes: Bool
  /// The policies, in the order asked for.
  let policies: [PolicyChoice]

  private let smallCapacities: [Int]

  /// Of the objects that a cache holds, at least so many are to be in a sample of the keys. A cache of
  /// fewer is no small likeness of the large one: what it misses is neither near nor within its interval.
  static let leastHeld = 10.0

  /// What was left out, one line each.
  public var notes: [String] {
    (simulations?.notes ?? [])
      + (smallCapacities.isEmpty
        ? []
        : [
          CurvePlan.note(
            on: smallCapacities.map { Measurement.label(of: $0, isSized ? .bytes : .objects) },
            trace: trace.name, rate: rate, least: Double(smallCapacities[0]) * objectsPerUnit)
        ])
  }

  /// Plans the curves of the policies on a trace.
  ///
  /// Capacities of which a sample holds fewer than ten objects are left out, with a note.
  ///
  /// - Throws: ``SweepError`` when a policy cannot run, or the sample is too small for every capacity, and
  ///   `TraceError` when no key is sampled or the trace is too long.
  public init(_ trace: Trace, policies: [PolicyChoice], options: Options = Options()) throws {
    if options.isSized && trace.sizes == nil { throw SweepError.sizesMissing(trace: trace.name) }
    self.trace = trace
    self.policies = policies
    isSized = options.isSized
    seed = options.seed
    let wanted = options.rate ?? CurvePlan.defaultRate(of: trace, options)
    // Policies hash keys by the seed itself: the sample must not depend on the same bits.
    let hashSeed = UInt64(bitPattern: Int64(options.seed)) &+ 0x9E37_79B9_7F4A_7C15
    sample = wanted < 1 ? try trace.sample(.rate(wanted), seed: hashSeed).trace : trace
    rate = Double(sample.distinct) / Double(trace.distinct)
    let total = options.isSized ? trace.distinctBytes ?? 0 : trace.distinct
    let isNumbered = trace.requests <= StackDistances.mostRequests
    func isStacked(_ policy: PolicyChoice) -> Bool {
      policy.name == LRU.information.name && policy.arguments.given.isEmpty && !options.isSized
        && isNumbered
    }
    stacked = policies.filter(isStacked)
    hasAllSizes = options.capacities.isEmpty && rate == 1
    let others = policies.filter { !isStacked($0) }
    let least = others.map(\.information.minimumCapacity).max() ?? 1
    let rate = self.rate
    objectsPerUnit = options.isSized ? 1 / max(1, trace.meanObjectSize ?? 1) : 1
    let smallest = rate < 1 ? (CurvePlan.leastHeld / rate / objectsPerUnit).rounded(.up) : 0
    let given = options.capacities.map { $0.resolved(total: total) }
    let chosen =
      given.isEmpty
      ? CurvePlan.spread(options.points, over: total, from: max(Double(least) / rate, smallest))
      : given
    let isTooSmall = Double(sample.distinct) < CurvePlan.leastHeld && rate < 1
    let sorted = Set(chosen).sorted()
    let capacities = isTooSmall ? [] : sorted.filter { Double($0) >= smallest }
    smallCapacities = sorted.filter { isTooSmall || Double($0) < smallest }
    guard !capacities.isEmpty else {
      let largest = Double(sorted.last ?? 0) * objectsPerUnit
      throw SweepError.sampleTooSmall(
        trace: trace.name, keys: sample.distinct, rate: rate,
        remedy: CurvePlan.remedy(for: min(largest, Double(trace.distinct))))
    }
    let scaled = Dictionary(grouping: capacities) { max(1, Int((Double($0) * rate).rounded())) }
    self.capacities = capacities
    self.scaled = scaled
    simulations =
      others.isEmpty
      ? nil
      : try SweepPlan(
        traces: [sample], policies: others,
        capacities: scaled.keys.sorted().map { options.isSized ? .bytes($0) : .count($0) },
        seeds: [options.seed], settings: SweepPlan.Settings(isSized: options.isSized))
  }

  /// `z.lis, capacities 2, 5: left out, …`.
  private static func note(
    on capacities: [String], trace: String, rate: Double, least: Double
  ) -> String {
    "\(trace), \(capacities.count == 1 ? "capacity" : "capacities") "
      + "\(capacities.joined(separator: ", ")): left out: of so few objects a sample of "
      + "\(rate.percent) of the keys has fewer than \(Int(leastHeld)); \(remedy(for: least))"
  }

  /// The rate that a cache of so many objects needs, with room for what the draw makes of it.
  private static func remedy(for objects: Double) -> String {
    let rate = (leastHeld / max(1, objects) * 125).rounded(.up) / 100
    return rate < 1 ? "give --rate \(rate) or more, or --exact" : "give --exact"
  }

  private static func defaultRate(of trace: Trace, _ options: Options) -> Double {
    if trace.requests <= options.exactRequests { return 1 }
    return min(1, Double(options.sampledKeys) / Double(trace.distinct))
  }

  /// Capacities that grow by about the same factor, from a thousandth of all to all.
  private static func spread(_ count: Int, over total: Int, from least: Double) -> [Int] {
    let low = log(max(1, least, Double(total) / 1_000))
    let high = max(low, log(Double(max(1, total))))
    return (0..<max(2, count)).map { index in
      let share = Double(index) / Double(max(2, count) - 1)
      return Int(exp(low + share * (high - low)).rounded())
    }
  }
}

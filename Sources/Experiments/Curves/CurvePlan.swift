import EvictionCore
import Foundation
import Parameters
import Results
import Runner
import Simulation
import Traces

/// The cells behind the miss-ratio curves of a trace.
package struct CurvePlan: Sendable {
  /// The points of the curves and the sample behind them.
  package struct Options: Sendable {
    /// The capacities; empty for some between a thousandth and the whole of the distinct keys or bytes,
    /// and for LRU on objects for all.
    package var capacities: [Capacity] = []
    /// The number of capacities where none are given.
    package var points = 25
    /// The fraction of the keys that is sampled; nil for all in traces of at most
    /// ``exactRequests`` requests, and about ``sampledKeys`` keys in longer ones.
    package var rate: Double?
    /// True where objects count their bytes.
    package var isSized = false
    /// True where objects leave when their time to live is over: then all keys are looked at, as the error of a
    /// sample is not known.
    package var expires = false
    /// The requests at the start that are run but not counted: then all keys are looked at, as a sample has fewer
    /// requests.
    package var warmup = 0
    /// The random seed.
    package var seed = 42
    /// The orders and beginnings of which there are curves too: all keys are looked at then, as a sample has no neighbours
    /// that change places.
    package var variations = Variations.none
    /// The most requests of a trace that is not sampled by default.
    package var exactRequests = 1_000_000
    /// The approximate number of keys that are sampled of longer ones.
    package var sampledKeys = 65_536

    /// The defaults.
    package init() {}
  }

  /// The cells: one for a curve that is found in one pass, else one for each point, over the requests of
  /// the sampled keys.
  package let cells: ExperimentPlan
  /// The whole trace.
  private let trace: Trace
  /// The fraction of the keys that was drawn.
  private let rate: Double
  private let unit: Results.Measurement.Unit
  private let seed: Int
  private let warmup: Int
  /// Requests of the whole trace that count.
  private let requests: Int
  private let estimate: KeySampleEstimate

  /// The number of parts of a sample, whose spread and whose distance from the sample say how far off an
  /// estimate is.
  static let parts = 4

  /// Plans the curves of the policies on a trace.
  ///
  /// Capacities of which a sample holds fewer than ten objects are left out, with a note.
  ///
  /// - Throws: ``PlanError`` when a policy cannot run, or the sample is too small for every capacity, and
  ///   `TraceError` when no key is sampled or the trace is too long.
  package init(_ trace: Trace, policies: [PolicyChoice], options: Options = Options()) throws {
    if options.isSized && trace.sizes == nil { throw PlanError.sizesMissing(trace: trace.name) }
    warmup = options.warmup
    if warmup > 0 && warmup >= trace.requests {
      throw PlanError.warmup(trace: trace.name, requests: trace.requests, warmup: warmup)
    }
    requests = trace.references(from: warmup)
    if requests == 0 {
      throw PlanError.nothingCounted(
        trace: trace.name, requests: trace.requests - warmup,
        remedy: "a curve needs gets\(warmup > 0 ? " after the warm-up" : "")")
    }
    self.trace = trace
    unit = options.isSized ? .bytes : .objects
    seed = options.seed
    let isVaried = options.variations != .none
    if options.expires && options.rate ?? 1 < 1 { throw PlanError.expiringSample }
    if isVaried && options.rate ?? 1 < 1 { throw PlanError.variedSample }
    if warmup > 0 && options.rate ?? 1 < 1 { throw PlanError.warmSample }
    let wanted =
      options.expires || isVaried || warmup > 0
      ? 1 : options.rate ?? CurvePlan.defaultRate(of: trace, options)
    // Policies hash keys by the seed itself: the sample must not depend on the same bits.
    let hashSeed = UInt64(bitPattern: Int64(options.seed)) &+ 0x9E37_79B9_7F4A_7C15
    let sample = wanted < 1 ? try trace.sample(.rate(wanted), seed: hashSeed).trace : trace
    rate = Double(sample.distinct) / Double(trace.distinct)
    let total = options.isSized ? trace.distinctBytes ?? 0 : trace.distinct
    let isNumbered = trace.requests <= StackDistances.mostRequests
    func isStacked(_ policy: PolicyChoice) -> Bool {
      policy.name == LRU.information.name && policy.arguments.given.isEmpty && !options.isSized
        && isNumbered && !options.expires
    }
    let stacked = policies.filter(isStacked)
    let hasAllSizes = options.capacities.isEmpty && rate == 1
    let others = policies.filter { !isStacked($0) }
    let least = others.map(\.information.minimumCapacity).max() ?? 1
    let rate = self.rate
    if rate < 1, let policy = others.first(where: { $0.prefetcher != nil }) {
      throw PlanError.policy(
        .conflict(
          policy: policy.name,
          explanation: "its prefetcher reads all requests, and this is a sample of the keys; "
            + "add --exact"))
    }
    let objectsPerUnit = options.isSized ? 1 / max(1, trace.meanObjectSize ?? 1) : 1
    let smallest = rate < 1 ? (KeySampleEstimate.leastHeld / rate / objectsPerUnit).rounded(.up) : 0
    let given = options.capacities.map { $0.resolved(total: total) }
    let chosen =
      given.isEmpty
      ? CurvePlan.spread(options.points, over: total, from: max(Double(least) / rate, smallest))
      : given
    let isTooSmall = Double(sample.distinct) < KeySampleEstimate.leastHeld && rate < 1
    let sorted = Set(chosen).sorted()
    let capacities = isTooSmall ? [] : sorted.filter { Double($0) >= smallest }
    let smallCapacities = sorted.filter { isTooSmall || Double($0) < smallest }
    guard !capacities.isEmpty else {
      let largest = Double(sorted.last ?? 0) * objectsPerUnit
      throw PlanError.sampleTooSmall(
        trace: trace.name, keys: sample.distinct, rate: rate,
        remedy: CurvePlan.remedy(for: min(largest, Double(trace.distinct))))
    }
    let scaled = Dictionary(grouping: capacities) { max(1, Int((Double($0) * rate).rounded())) }
    estimate = KeySampleEstimate(
      keys: trace.distinct, sampled: sample.distinct, requests: requests,
      objectsPerUnit: objectsPerUnit)
    let settings = ExperimentPlan.Settings(
      isSized: options.isSized, warmup: warmup, expires: options.expires)
    let parts = rate < 1 ? sample.parts(CurvePlan.parts, seed: hashSeed &+ 1) : []
    let stack: any Engine =
      hasAllSizes
      ? ReferenceEngine()
      : StackEngine(
        capacities: capacities, parts: parts, estimate: estimate)
    let points = CurvePointEngine(
      capacities: scaled, parts: parts, requests: trace.requests, estimate: estimate)
    let whole = stacked.flatMap { policy in
      ([nil] + options.variations.all).map { variation in
        Row(
          policy, at: sample.distinct, of: 0, named: trace.name, seed: options.seed,
          settings: settings, variation: variation
        ).cell(of: .curve, .curve(rate: rate), engine: stack)
      }
    }
    var request = ExperimentRequest(
      SweepExperiment(), policies: others,
      capacities: scaled.keys.sorted().map { .count($0) }, seeds: [options.seed],
      settings: settings)
    request.variations = options.variations
    let simulated =
      others.isEmpty
      ? nil
      : try ExperimentPlan(request, on: [sample]) { rows in
        rows.map { $0.cell(of: .curve, .curve(rate: rate), engine: points) }
      }
    let notes = CurvePlan.note(
      on: smallCapacities, unit: unit, trace: trace.name, rate: rate,
      objectsPerUnit: objectsPerUnit)
    cells = ExperimentPlan(
      (whole + (simulated?.cells ?? [])).numbered, traces: [sample], policies: policies,
      settings: settings, notes: (simulated?.notes ?? []) + notes)
  }

  /// The curves that have all of their points.
  package func curves(_ finished: FinishedCells) -> [MissRatioCurve] {
    let rows = finished.outcomesOfRows
    return cells.policies.flatMap { policy in
      rows.filter { $0.cell.policy.label == policy.label }.grouped(by: \.cell.variation)
        .compactMap { curve(of: policy, $0[0].cell.variation, from: $0.map(\.outcome)) }
    }
  }

  /// One curve; nil where an outcome is missing.
  private func curve(
    of policy: PolicyChoice, _ variation: Variation?, from outcomes: [Outcome?]
  ) -> MissRatioCurve? {
    var curve = MissRatioCurve(
      trace: trace.name, policy: policy.name,
      parameters: Results.Measurement.parameters(policy.arguments), unit: unit, seed: seed,
      method: .simulations, rate: rate, requests: requests, points: [])
    curve.variation = variation
    curve.warmup = warmup
    var values: [SampledMissRatio] = []
    for outcome in outcomes {
      switch outcome {
      case .curve(let whole):
        curve.method = whole.method
        curve.points = whole.points
        curve.seconds += whole.seconds
      case .points(let more, let method, let seconds):
        curve.method = method
        values += more
        curve.seconds += seconds
      default: return nil
      }
    }
    if !values.isEmpty {
      curve.points = estimate.points(values, modelError: policy.miniatureError)
    }
    return curve.points.isEmpty ? nil : curve
  }

  /// `z.lis, capacities 2, 5: left out, …`; none where there are no such capacities.
  private static func note(
    on capacities: [Int], unit: Results.Measurement.Unit, trace: String, rate: Double,
    objectsPerUnit: Double
  ) -> [String] {
    guard let smallest = capacities.first else { return [] }
    let labels = capacities.map { Results.Measurement.label(of: $0, unit) }.joined(separator: ", ")
    return [
      "\(trace), \(capacities.count == 1 ? "capacity" : "capacities") "
        + "\(labels): left out: of so few objects a sample of \(rate.percent) of the keys has fewer "
        + "than \(Int(KeySampleEstimate.leastHeld)); \(remedy(for: Double(smallest) * objectsPerUnit))"
    ]
  }

  /// The rate that a cache of that number of objects needs, with room for what the draw makes of it.
  private static func remedy(for objects: Double) -> String {
    let rate = (KeySampleEstimate.leastHeld / max(1, objects) * 125).rounded(.up) / 100
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
      let fraction = Double(index) / Double(max(2, count) - 1)
      return Int(exp(low + fraction * (high - low)).rounded())
    }
  }
}

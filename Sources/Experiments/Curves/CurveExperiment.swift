import Results
import Runner
import Traces

/// Draws the miss-ratio curves of a trace: LRU's on objects in one pass by stack distances, the others' by a
/// simulation for each point; both over a sample of the keys where the options say so or the trace is long.
package struct CurveExperiment: ExperimentKind {
  private let options: CurvePlan.Options
  private let price: @Sendable (Trace) throws -> CachePrice?

  /// - Parameters:
  ///   - options: The points and the sample; capacities, unit and seed are those of the request.
  ///   - price: The price of memory and misses on a trace; nil for none.
  package init(
    _ options: CurvePlan.Options = CurvePlan.Options(),
    price: @escaping @Sendable (Trace) throws -> CachePrice? = { _ in nil }
  ) {
    self.options = options
    self.price = price
  }

  /// One trace at a time is in memory.
  package var takesTracesInTurn: Bool { true }

  /// Plans the curves of one trace.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    precondition(traces.count == 1 && request.seeds.count == 1, "curves are of one trace and seed")
    var options = options
    options.capacities = request.capacities
    options.isSized = request.settings.isSized
    options.expires = request.settings.expires
    options.warmup = request.settings.warmup
    options.seed = request.seeds[0]
    options.variations = request.variations
    let curves = try CurvePlan(traces[0], policies: request.policies, options: options)
    // Of requests that count, as the plan makes sure.
    let price = try price(traces[0])
    var plan = curves.cells
    plan.conclude = { finished, results in
      results.curves += curves.curves(finished).map { curve in
        var curve = curve
        if curve.variation == nil { curve.cheapest = price?.cheapest(of: curve) }
        return curve
      }
    }
    return plan
  }
}

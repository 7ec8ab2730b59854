import EvictionCore
import Results
import Simulation
import Traces

/// The requests that a cache lets through: the trace that a second level sees.
package struct MissStream: Sendable {
  /// The requests that are kept.
  package enum Part: Sendable {
    /// The requests that missed, and every write and removal, which pass through.
    case misses
    /// The requests that hit.
    case hits
  }

  /// The requests that are kept, in their order, with all columns of the source.
  package let trace: Trace
  /// The counts of the cache.
  package let counts: RequestCounts

  /// Runs the only cell of a plan and keeps a part of its trace.
  ///
  /// - Parameters:
  ///   - plan: The plan, of one cell.
  ///   - part: The requests that are kept.
  ///   - observer: Called at least every million requests with the number done; returning
  ///     false stops the run, and the result is nil.
  /// - Throws: `PolicyError` if the policy refuses to run after all.
  /// - Complexity: O(requests) times the policy's own cost, and a bit a request.
  package static func run(
    _ plan: ExperimentPlan, keeping part: Part = .misses, observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> MissStream? {
    precondition(plan.cells.count == 1, "a stream passes through one cache")
    let cell = plan.cells[0]
    let trace = plan.traces[cell.trace]
    let log = HitLog(requests: trace.requests)
    var options = SimulationOptions(cell.run)
    options.hits = log
    let stream = PlannedStreams(plan)[cell]
    guard
      let counts = try cell.policy.entry.simulator.run(
        stream, options: options, observer: observer)
    else { return nil }
    let rows = (0..<trace.requests).lazy.filter { row in
      let isReference = (trace.operations?[row].role ?? .reference) == .reference
      return switch part {
      case .misses: !isReference || !log[row]
      case .hits: isReference && log[row]
      }
    }
    return MissStream(trace: trace.subset(Column(rows.map { UInt64($0) })), counts: counts)
  }
}

/// The progress of an experiment.
package struct ExperimentProgress: Sendable {
  /// Cells done.
  package var cells = 0
  /// Cells of the plan.
  package let totalCells: Int
  /// Requests run.
  package var requests = 0
  /// Requests of all cells; of all passes over a stream, and 0 where its end is not known.
  package var totalRequests: Int
  /// The name of the trace that is read block by block; nil for traces in memory.
  package var stream: String?

  /// The seconds that all cells take at least, as requests have times of their own.
  package var scheduledSeconds = 0.0

  /// The fraction that is done after that number of seconds: of the requests, and at most of the schedule.
  package func fraction(after seconds: Double) -> Double {
    let ofRequests = Double(requests) / Double(max(1, totalRequests))
    return scheduledSeconds > 0 ? min(ofRequests, seconds / scheduledSeconds) : ofRequests
  }
}

/// How far a sweep has come.
public struct ExperimentProgress: Sendable {
  /// Cells done.
  public var cells = 0
  /// Cells of the plan.
  public let totalCells: Int
  /// Requests run.
  public var requests = 0
  /// Requests of all cells.
  public var totalRequests: Int
  /// Time since the start.
  public var seconds = 0.0

  /// Requests run in a second, all cores together.
  public var requestsPerSecond: Double { seconds > 0 ? Double(requests) / seconds : 0 }

  /// The share of the requests that are run, from 0 to 1.
  public var fraction: Double { Double(requests) / Double(max(1, totalRequests)) }

  /// The time left at this rate; nil at the start.
  public var secondsLeft: Double? {
    requests > 0 ? seconds * Double(totalRequests - requests) / Double(requests) : nil
  }
}

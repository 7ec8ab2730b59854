/// The costs of learning: trainings and predictions of a policy that is trained while it runs.
public struct LearningCosts: Sendable {
  /// True if trainings run beside the requests (``PolicyConfiguration/trainsBesideRequests``).
  public var isBeside = false

  /// The number of trainings that have ended, and whose model was taken.
  public var trainings = 0

  /// The number of trainings that began.
  public var begunTrainings = 0

  /// The number of trainings that were due while another one was under way, and were skipped.
  public var skippedTrainings = 0

  /// The rows of all trainings.
  public var trainedRows = 0

  /// The rows of all predictions.
  public var predictedRows = 0

  /// The time of all trainings.
  public var trainingNanoseconds: Int64 = 0

  /// The time of all predictions.
  public var predictionNanoseconds: Int64 = 0

  /// The size of the last model.
  public var modelBytes = 0

  /// The memory of the rows of trainings and predictions. The features that are kept of an object are among the bytes of
  /// its slot (``PolicyInformation/bytesPerSlot``).
  public var featureBytes = 0

  /// Creates costs of nothing.
  public init() {}

  /// Counts a training of `rows` rows that took a time.
  package mutating func addTraining(rows: Int, nanoseconds: Int64) {
    trainings += 1
    trainedRows += rows
    trainingNanoseconds += nanoseconds
  }

  /// Counts the prediction of `rows` rows that began at `start` and has just ended.
  package mutating func addPrediction(rows: Int, since start: ContinuousClock.Instant) {
    predictedRows += rows
    predictionNanoseconds += Self.nanoseconds(since: start)
  }

  /// The time since `start`.
  package static func nanoseconds(since start: ContinuousClock.Instant) -> Int64 {
    let parts = (ContinuousClock.now - start).components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }
}

/// The costs of what a policy trained and predicted, with those of the warm-up.
@usableFromInline
package struct LearningMeasures: Sendable {
  /// True if trainings ran beside the requests.
  package var isBeside = false
  package var trainings = 0
  package var begunTrainings = 0
  package var skippedTrainings = 0
  package var trainedRows = 0
  package var predictedRows = 0
  package var trainingSeconds = 0.0
  package var predictionSeconds = 0.0
  /// The size of the last model.
  package var modelBytes = 0
  /// The memory of the rows of trainings and predictions.
  package var featureBytes = 0

  package init() {}
}

extension LearningMeasures: Equatable {
  /// Times are no part of it: two runs of the same requests are equal.
  @usableFromInline
  package static func == (one: LearningMeasures, other: LearningMeasures) -> Bool {
    one.trainings == other.trainings && one.trainedRows == other.trainedRows
      && one.predictedRows == other.predictedRows && one.modelBytes == other.modelBytes
      && one.featureBytes == other.featureBytes
  }
}

extension LearningMeasures: Documented {
  package static let fields: [Field<LearningMeasures>] = [
    .omittable(
      "beside", \.isBeside,
      "true if trainings ran beside the requests, on a thread of their own: the clock decides when a model changes, so hits and all counts here differ between runs",
      .exact),
    Field(
      "trainings", \.trainings, "trainings that have ended, and whose model was taken", .exact,
      as: .count),
    .omittable("begunTrainings", \.begunTrainings, "with `beside`: trainings that began", .exact),
    .omittable(
      "skippedTrainings", \.skippedTrainings,
      "with `beside`: trainings that were due while one was under way; their rows were dropped",
      .exact),
    Field("trainedRows", \.trainedRows, "rows of all trainings", .exact, as: .count),
    Field("predictedRows", \.predictedRows, "rows of all predictions", .exact, as: .count),
    Field(
      "trainingSeconds", \.trainingSeconds,
      "the time of all trainings, part of `seconds` but with `beside`", .timed),
    Field(
      "predictionSeconds", \.predictionSeconds, "the time of all predictions, part of `seconds`",
      .timed),
    Field("modelBytes", \.modelBytes, "the size of the last model", .exact, as: .count),
    Field(
      "featureBytes", \.featureBytes, "the memory of the rows of trainings and predictions",
      .exact, as: .count),
  ]
}

import ArgumentParser
import Comparison
import Traces

/// The tolerances and the form of a comparison of two results documents.
struct ComparisonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the comparison.", valueName: "name"))
  var format = ReportName<ComparisonReports>()

  @Option(
    help: ArgumentHelp(
      "Tolerated difference of instructions, in percent.", valueName: "percent", visibility: .detail
    ))
  var instructionTolerance = 0.5

  @Option(
    help: ArgumentHelp(
      "Tolerated difference of times from process to process, in percent.",
      valueName: "percent", visibility: .detail))
  var timeTolerance = 5.0

  @Option(
    help: ArgumentHelp(
      "Probability that any verdict on times is wrong, of all cells together, in percent.",
      valueName: "percent", visibility: .detail))
  var timeError = 1.0

  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    for (name, value, limit) in [
      ("--instruction-tolerance", instructionTolerance, 100.0),
      ("--time-tolerance", timeTolerance, 1000),
      ("--time-error", timeError, 50),
    ] where !(value > 0 && value <= limit) {
      throw ValidationError("\(name) \(value) is out of range; give more than 0, up to \(limit)")
    }
  }

  /// The tolerances.
  var tolerances: ResultComparison.Tolerances {
    ResultComparison.Tolerances(
      instructions: instructionTolerance / 100, time: timeTolerance / 100,
      errorRate: timeError / 100)
  }

  /// Writes a judgement in that form.
  func write(_ judgement: Judgement) throws(TraceError) {
    try destination.write { format.form.render(judgement, style: $0) }
  }
}

import ArgumentParser
import Comparison
import Traces

/// How two results documents are compared, and in which form that is shown.
struct ComparisonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the comparison.", valueName: "name"))
  var format = ReportName<ComparisonReports>()

  @Option(
    help: ArgumentHelp(
      "By how many percent instructions may differ and count as the same.", valueName: "percent"))
  var instructionTolerance = 0.5

  @Option(
    help: ArgumentHelp(
      "By how many percent times may differ from process to process and count as the same.",
      valueName: "percent"))
  var timeTolerance = 5.0

  @Option(
    help: ArgumentHelp(
      "How often any verdict on times may be wrong, of all runs together, in percent.",
      valueName: "percent"))
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

  /// The tolerances asked for.
  var tolerances: ResultComparison.Tolerances {
    ResultComparison.Tolerances(
      instructions: instructionTolerance / 100, time: timeTolerance / 100,
      errorRate: timeError / 100)
  }

  /// Writes a judgement in the form asked for.
  func write(_ judgement: Judgement) throws(TraceError) {
    try destination.write { format.form.render(judgement, style: $0) }
  }
}

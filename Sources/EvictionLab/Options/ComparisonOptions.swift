import ArgumentParser
import Laboratory
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
    help: ArgumentHelp("The growth of times, in percent, that is looked for.", valueName: "percent")
  )
  var timeGrowth = 5.0

  @Option(
    help: ArgumentHelp(
      "How often the verdict on a time may be wrong, in percent.", valueName: "percent"))
  var timeError = 1.0

  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    for (name, value, limit) in [
      ("--instruction-tolerance", instructionTolerance, 100.0), ("--time-growth", timeGrowth, 1000),
      ("--time-error", timeError, 50),
    ] where !(value > 0 && value <= limit) {
      throw ValidationError("\(name) \(value) is out of range; give more than 0, up to \(limit)")
    }
  }

  /// The tolerances asked for.
  var tolerances: ResultComparison.Tolerances {
    ResultComparison.Tolerances(
      instructions: instructionTolerance / 100, time: timeGrowth / 100, errorRate: timeError / 100)
  }

  /// Writes a judgement in the form asked for.
  func write(_ judgement: Judgement) throws(TraceError) {
    try destination.write { format.form.render(judgement, style: $0) }
  }
}

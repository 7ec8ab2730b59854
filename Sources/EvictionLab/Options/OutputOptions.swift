import ArgumentParser
import Reports
import Results
import Traces

/// In which form results are written, and where.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the results; by default a table.", valueName: "name"))
  var format: ReportName<ReportFormats>?

  @OptionGroup var destination: DestinationOptions

  private var form: any ReportFormat.Type { (format ?? ReportName()).form }

  /// Whether the form is the results document.
  var isDocument: Bool { form == ReportFormats.document }

  /// Whether the form shows the checksums of the traces.
  var showsChecksums: Bool { form.showsChecksums }

  /// Whether the form shows the curves that results stand beside.
  var showsReferences: Bool { form.showsReferences }

  /// Where no form is asked for, the results document is written.
  mutating func preferDocument() { format = format ?? ReportName(ReportFormats.document) }

  /// Refuses a file that could not be written, or whose loss would hurt, before the work is done in vain.
  func check(inputs: [String]) throws(TraceError) {
    try destination.check(
      isDocument ? .document(schema: ResultSet.schema) : .report, inputs: inputs)
  }

  /// Writes the results, whole or not at all.
  ///
  /// - Parameter highlighted: Policies that must stand out among many.
  func write(_ results: ResultSet, highlighted: [String] = []) throws(TraceError) {
    let bounds = EvictionLabCommand.bounds
    var results = results
    results.estimates = results.estimated(bounds: bounds)
    try destination.write { style in
      var style = style
      style.highlighted = highlighted
      style.bounds = bounds
      return form.render(results, style: style)
    }
  }
}

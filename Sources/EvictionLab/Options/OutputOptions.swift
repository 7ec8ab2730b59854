import ArgumentParser
import Laboratory
import Traces

/// In which form results are written, and where.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the results.", valueName: "name"))
  var format = ReportName(ReportFormats.all[0])

  @OptionGroup var destination: DestinationOptions

  /// Whether the form shows the checksums of the traces.
  var showsChecksums: Bool { format.format.showsChecksums }

  /// Whether the form shows the curves that results stand beside.
  var showsReferences: Bool { format.format.showsReferences }

  /// The form's name.
  var name: String { format.defaultValueDescription }

  /// Refuses a file that could not be written, before the work is done in vain.
  func check() throws(TraceError) { try destination.check() }

  /// Writes the results, whole or not at all.
  ///
  /// - Parameter highlighted: Policies that must stand out among many.
  func write(_ results: ResultSet, highlighted: [String] = []) throws(TraceError) {
    try destination.write { style in
      var style = style
      style.highlighted = highlighted
      return format.format.render(results, style: style)
    }
  }
}

import ArgumentParser
import Laboratory

/// A report format's name on the command line.
struct ReportName: ExpressibleByArgument {
  let format: any ReportFormat.Type

  init(_ format: any ReportFormat.Type) { self.format = format }

  init?(argument: String) {
    guard let format = ReportFormats.format(named: argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { ReportFormats.names }

  var defaultValueDescription: String { format.information.name }
}

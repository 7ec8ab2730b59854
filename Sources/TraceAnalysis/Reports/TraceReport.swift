import Parameters
import Rendering

/// A form in which analyses of traces are printed: one file in this folder, one line in
/// ``TraceReports``.
package protocol TraceReport: SendableMetatype {
  /// Name and summary.
  static var information: CatalogEntry { get }

  /// The whole report, its last line ended.
  static func render(_ analyses: [TraceProfile], style: ReportStyle) -> String
}

/// The catalog of reports on traces.
package enum TraceReports: ReportCatalog {
  /// Every form, the default first.
  package static let all: [any TraceReport.Type] = [
    TraceTableReport.self,
    TraceJSONReport.self,
    TracePageReport.self,
  ]

  /// Name and summary of a form.
  package static func information(of form: any TraceReport.Type) -> CatalogEntry {
    form.information
  }
}

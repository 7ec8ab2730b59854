import Traces

/// A form in which analyses of traces are printed: one file in this folder, one line in
/// ``TraceReports``.
public protocol TraceReport: SendableMetatype {
  /// Name and summary.
  static var information: CatalogEntry { get }

  /// The whole report, its last line ended.
  static func render(_ analyses: [TraceAnalysis], style: ReportStyle) -> String
}

/// The catalog of reports on traces.
public enum TraceReports {
  /// Every form, the default first.
  public static let all: [any TraceReport.Type] = [
    TraceTableReport.self,
    TraceJSONReport.self,
    TracePageReport.self,
  ]

  /// The names of all forms.
  public static var names: [String] { all.map { $0.information.name } }

  /// The form of that name; nil if there is none.
  public static func report(named name: String) -> (any TraceReport.Type)? {
    all.first { $0.information.name == name }
  }
}

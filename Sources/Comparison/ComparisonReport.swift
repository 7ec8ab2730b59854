import Parameters
import Rendering

/// A form in which a comparison is printed: one file in `Formats`, one line in ``ComparisonReports``.
package protocol ComparisonReport: SendableMetatype {
  /// Name and summary.
  static var information: CatalogEntry { get }

  /// The whole report, its last line ended.
  static func render(_ judgement: Judgement, style: ReportStyle) -> String

  /// The report on a comparison that an error let not be made; nil where the error itself is read.
  static func report(onError problem: String) -> String?
}

extension ComparisonReport {
  package static func report(onError problem: String) -> String? { nil }
}

/// The catalog of reports on comparisons.
package enum ComparisonReports: ReportCatalog {
  /// Every form, the default first; a new one is one file and one line here.
  package static let all: [any ComparisonReport.Type] = [
    ComparisonTable.self,
    ComparisonMarkdown.self,
    ComparisonJSON.self,
    GitHubAnnotations.self,
    ComparisonJUnit.self,
  ]

  /// Name and summary of a form.
  package static func information(of form: any ComparisonReport.Type) -> CatalogEntry {
    form.information
  }
}

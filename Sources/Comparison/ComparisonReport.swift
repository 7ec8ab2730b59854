import Parameters
import Rendering

/// A form in which a comparison is printed: one file in `Formats`, one line in ``ComparisonReports``.
public protocol ComparisonReport: SendableMetatype {
  /// Name and summary.
  static var information: CatalogEntry { get }

  /// The whole report, its last line ended.
  static func render(_ judgement: Judgement, style: ReportStyle) -> String
}

/// The catalog of reports on comparisons.
public enum ComparisonReports: ReportCatalog {
  /// Every form, the default first; a new one is one file and one line here.
  public static let all: [any ComparisonReport.Type] = [
    ComparisonTable.self,
    ComparisonMarkdown.self,
    ComparisonJSON.self,
    GitHubAnnotations.self,
    ComparisonJUnit.self,
  ]

  /// Name and summary of a form.
  public static func information(of form: any ComparisonReport.Type) -> CatalogEntry {
    form.information
  }
}

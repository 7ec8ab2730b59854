import Parameters
import Rendering
import Results

/// The charts of a picture as a page of PDF, for papers.
///
///     %PDF-1.4
enum PDFReport: ReportFormat {
  static let information = CatalogEntry(
    name: "pdf", summary: "the miss-ratio charts as a page of PDF, for papers")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    PictureReport.picture(of: results, style: style, isDark: false).pdf
  }

  static func emptiness(
    of results: ResultSet, style: ReportStyle
  ) -> (problem: String, remedy: String)? {
    PictureReport.emptiness(of: results, style: style)
  }
}

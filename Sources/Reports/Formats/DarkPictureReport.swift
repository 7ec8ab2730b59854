import Parameters
import Rendering
import Results

/// The miss-ratio charts of the page as a picture for a dark background.
enum DarkPictureReport: ReportFormat {
  static let information = CatalogEntry(
    name: "svg-dark", summary: "the miss-ratio charts as a picture, for a dark background")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    PictureReport.picture(of: results, style: style, isDark: true).svg
  }

  static func emptiness(
    of results: ResultSet, style: ReportStyle
  ) -> (problem: String, remedy: String)? {
    PictureReport.emptiness(of: results, style: style)
  }
}

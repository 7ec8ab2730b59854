import Parameters
import Rendering
import Results

/// The miss-ratio charts of the page as a picture for a light background.
///
///     <svg xmlns="http://www.w3.org/2000/svg" width="380" …>
enum PictureReport: ReportFormat {
  static let information = CatalogEntry(
    name: "svg", summary: "the miss-ratio charts as a picture, for a light background")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    render(results, style: style, isDark: false)
  }

  /// The picture for a background of either kind.
  static func render(_ results: ResultSet, style: ReportStyle, isDark: Bool) -> String {
    let section = CurvesSection.section(of: ResultsView(results, style: style))
    return (section ?? PageSection(id: "curves", heading: "No miss ratios")).picture(isDark: isDark)
  }
}

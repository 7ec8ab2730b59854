import Parameters
import Rendering
import Results

/// The miss-ratio charts of the page, or those of other sections, as a picture for a light background that
/// any program draws.
///
///     <svg xmlns="http://www.w3.org/2000/svg" width="440" …>
enum PictureReport: ReportFormat {
  static let information = CatalogEntry(
    name: "svg", summary: "the miss-ratio charts as a picture, for a light background")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    picture(of: results, style: style, isDark: false).svg
  }

  /// The charts of the sections that the style names.
  static func picture(of results: ResultSet, style: ReportStyle, isDark: Bool) -> ChartPicture {
    let view = ResultsView(results, style: style)
    let sections = ResultsSections.all.compactMap { $0.section(of: view) }
    let pictured = style.pictured.compactMap { id in sections.first { $0.id == id } }
    return ChartPicture(
      pictured.flatMap(\.charts),
      heading: pictured.isEmpty
        ? "no charts" : pictured.map(\.heading).joined(separator: ", "),
      columns: style.chartColumns, isDark: isDark)
  }
}

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

  static func emptiness(
    of results: ResultSet, style: ReportStyle
  ) -> (problem: String, remedy: String)? {
    let sections = ResultsSections.pictures(of: results, style: style)
    if sections.contains(where: { style.pictured.contains($0.id) }) { return nil }
    let others = sections.map(\.id)
    return (
      "there is no chart of \(style.pictured.joined(separator: " or ")) to draw",
      others.isEmpty
        ? "curves take several capacities, or evict curve"
        : "evict report --charts \(others.joined(separator: ",")) draws what there is"
    )
  }

  /// The charts of the sections that the style names.
  static func picture(of results: ResultSet, style: ReportStyle, isDark: Bool) -> ChartPicture {
    let sections = ResultsSections.pictures(of: results, style: style)
    let pictured = style.pictured.compactMap { id in sections.first { $0.id == id } }
    return ChartPicture(
      pictured.flatMap(\.charts), heading: pictured.map(\.heading).joined(separator: ", "),
      columns: style.chartColumns, isDark: isDark)
  }
}

extension ResultsSections {
  /// The sections that have charts.
  fileprivate static func pictures(of results: ResultSet, style: ReportStyle) -> [PageSection] {
    let view = ResultsView(results, style: style, isPicture: true)
    return all.compactMap { $0.section(of: view) }.filter { !$0.charts.isEmpty }
  }
}

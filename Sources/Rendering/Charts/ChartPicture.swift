/// Charts in rows, as a picture that stands alone: its looks are attributes, without a style sheet, so that
/// any program draws it.
///
/// A picture does not know the page that shows it, so it is made for a light or a dark one.
package struct ChartPicture {
  /// A chart's marks and the place of its upper left corner.
  private struct Part {
    let x: Double
    let y: Double
    let marks: [(mark: ChartMark, ink: ChartInk)]
  }

  /// The first words of a picture's description, by which it is known as one of this project.
  package static let opening = "EvictionLab: "

  private let heading: String
  private let parts: [Part]
  private let width: Double
  private let height: Double
  private let palette: Palette

  /// The room of a title above its chart, and the gap between charts.
  private static let (title, gap) = (22.0, 24.0)
  /// Longer titles would reach into the next chart.
  private static let mostLetters = 56

  /// A picture.
  ///
  /// - Parameter columns: The largest number of charts in a row.
  package init(_ charts: [Chart], heading: String, columns: Int, isDark: Bool) {
    precondition(columns > 0, "a picture has a column")
    self.heading = heading
    palette = isDark ? .dark : .light
    var parts: [Part] = []
    var top = 0.0
    for row in stride(from: 0, to: charts.count, by: columns) {
      let plots = charts[row..<min(row + columns, charts.count)].map { ($0, ChartPlot($0)) }
      for (column, (chart, plot)) in plots.enumerated() {
        parts.append(
          Part(
            x: Double(column) * (ChartPlot.width + Self.gap), y: top,
            marks: Self.marks(of: chart, in: plot)))
      }
      top += Self.title + (plots.map(\.1.height).max() ?? 0) + Self.gap / 2
    }
    self.parts = parts
    let most = Double(min(columns, max(charts.count, 1)))
    width = most * (ChartPlot.width + Self.gap) - Self.gap
    height = max(top - Self.gap / 2, 1)
  }

  /// The marks below the chart's title; names of faint series, which pages show one at a time, are left out.
  private static func marks(
    of chart: Chart, in plot: ChartPlot
  ) -> [(mark: ChartMark, ink: ChartInk)] {
    let title =
      chart.title.count > mostLetters
      ? chart.title.prefix(mostLetters - 1) + "…" : chart.title
    let marks = chart.layers(in: plot).flatMap { layer in
      layer.marks.filter { layer.ink != .faint || !$0.isOfName }.map {
        (mark: $0.moved(down: self.title), ink: layer.ink)
      }
    }
    return [(mark: .text(title, at: (0, 14), .start, .caption), ink: .reference)] + marks
  }

  private func look(_ role: ChartMark.Role, _ ink: ChartInk) -> ChartLook {
    ChartLook(role, ink, palette)
  }

  /// The picture in SVG.
  package var svg: String {
    let (width, height) = (Int(width.rounded(.up)), Int(height.rounded(.up)))
    let charts = parts.map { part in
      "<g transform=\"translate(\(Chart.number(part.x)) \(Chart.number(part.y)))\">\n"
        + part.marks.map { part in
          part.mark.element(part.ink) { look($0, part.ink).attributes }
        }.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</g>\n"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" font-family="Helvetica, Arial, sans-serif" \
      font-size="\(Int(ChartLook.fontSize))">
      <desc>\(ChartPicture.opening)\(heading.markupEscaped)</desc>
      \(charts.joined())</svg>

      """
  }

  /// The picture in PDF, on a page of its size.
  package var pdf: String {
    var file = PDFDrawing(width: width, height: height, title: ChartPicture.opening + heading)
    for part in parts {
      for (mark, ink) in part.marks {
        file.draw(mark.moved(down: part.y, right: part.x), ink) { look($0, ink) }
      }
    }
    return file.text
  }
}

extension ChartMark {
  /// True for a name of a series, and for the line that leads to it.
  fileprivate var isOfName: Bool {
    switch self {
    case .path(_, .leader, _), .text(_, _, _, .label, _): true
    default: false
    }
  }

  /// The mark at another place.
  fileprivate func moved(down: Double, right: Double = 0) -> ChartMark {
    func moved(_ place: Place) -> Place { (place.x + right, place.y + down) }
    return switch self {
    case .path(let lines, let role, let isClosed):
      .path(lines.map { $0.map(moved) }, role, isClosed: isClosed)
    case .text(let text, let place, let anchor, let role, let isTurned):
      .text(text, at: moved(place), anchor, role, isTurned: isTurned)
    case .point(let place, let title): .point(moved(place), title: title)
    }
  }
}

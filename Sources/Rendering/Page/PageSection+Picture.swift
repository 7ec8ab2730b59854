extension PageSection {
  /// The charts below each other as a picture of their own: an SVG that carries its style sheet.
  ///
  /// A picture does not know the page that shows it, so it is made for a light or a dark one.
  package func picture(isDark: Bool) -> String {
    var (parts, top) = ([String](), 0.0)
    for figure in figures + moreFigures {
      let legend = LegendLayout(figure.legend)
      parts.append(
        """
        <text class="caption" x="0" y="\(Chart.number(top + 14))">\(figure.caption.markupEscaped)</text>
        \(PageSection.frame(figure.drawing, x: 0, y: top + 22, width: Chart.width, height: Chart.height))
        """)
      let below = top + 22 + Chart.height
      for (entry, place) in zip(figure.legend, legend.places) {
        parts.append(
          PageSection.frame(entry.sample, x: place.x, y: below + place.y, width: 26, height: 12))
        parts.append(
          "<text x=\"\(Chart.number(place.x + 31))\" y=\"\(Chart.number(below + place.y + 10))\">"
            + "\(entry.name.markupEscaped)</text>")
      }
      top = below + legend.height + 12
    }
    let (width, height) = (Int(Chart.width), Int(top.rounded(.up)))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-label="\(heading.markupEscaped)">
      <style>
      \(PageStyle.colors(darkOn: isDark ? "all" : "not all"))
      \(PageStyle.charts)
      text { font-family: system-ui, sans-serif; } .caption { fill: var(--text); font-weight: 600; }
      </style>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  /// A drawing at a place of a picture.
  private static func frame(
    _ drawing: String, x: Double, y: Double, width: Double, height: Double
  ) -> String {
    let numbers = [x, y, width, height].map(Chart.number)
    return "<svg x=\"\(numbers[0])\" y=\"\(numbers[1])\" width=\"\(numbers[2])\" "
      + "height=\"\(numbers[3])\">\(drawing)</svg>"
  }
}

/// The places of a legend's entries in rows below a chart.
private struct LegendLayout {
  private(set) var places: [(x: Double, y: Double)] = []
  private(set) var height = 0.0
  private static let rowHeight = 18.0

  init(_ entries: [PageFigure.Entry]) {
    var (x, y) = (0.0, 4.0)
    for entry in entries {
      // A letter is 7 units wide at most, in the mean over a name.
      let width = 31 + 7 * Double(entry.name.count) + 14
      if x > 0 && x + width > Chart.width { (x, y) = (0, y + LegendLayout.rowHeight) }
      places.append((x, y))
      x += width
    }
    if !entries.isEmpty { height = y + LegendLayout.rowHeight }
  }
}

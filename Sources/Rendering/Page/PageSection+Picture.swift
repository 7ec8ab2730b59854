extension PageSection {
  /// The charts below each other as a picture of their own: an SVG that carries its style sheet.
  ///
  /// A picture does not know the page that shows it, so it is made for a light or a dark one.
  package func picture(isDark: Bool) -> String {
    let step = ChartPlot.height + 34
    let parts = (figures + moreFigures).enumerated().map { number, figure in
      let top = Double(number) * step
      return """
        <text class="caption" x="0" y="\(Chart.number(top + 14))">\(figure.caption.markupEscaped)</text>
        <svg x="0" y="\(Chart.number(top + 22))" width="\(Chart.number(ChartPlot.width))" \
        height="\(Chart.number(ChartPlot.height))">\(figure.drawing)</svg>
        """
    }
    let (width, height) = (Int(ChartPlot.width), Int((Double(parts.count) * step).rounded(.up)))
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
}

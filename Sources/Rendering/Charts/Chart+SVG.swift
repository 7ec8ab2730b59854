import Foundation

extension Chart {
  /// The chart as an element of a page whose style sheet has the classes of ``ChartInk`` and `grid`,
  /// `series`, `stroke`, `dashes`, `dot`, `band`, `label`, `leader`.
  ///
  /// Each series carries its values (`data-name`, `data-points`) and, where there are several, its name
  /// at the end of its line.
  package var svg: String {
    let plot = ChartPlot(self)
    let ends = labelPlaces(in: plot)
    // What matters most is drawn last, above the others.
    let order = series.indices.sorted { ink(of: $0).depth > ink(of: $1).depth }
    let parts = grid(in: plot) + order.map { drawing(of: $0, in: plot, label: ends[$0]) }
    let label = "\(title): \(y.label) by \(x.label)".markupEscaped
    return "<svg viewBox=\"0 0 \(Int(ChartPlot.width)) \(Int(ChartPlot.height))\" role=\"img\" "
      + "aria-label=\"\(label)\">\n" + parts.joined(separator: "\n") + "\n</svg>"
  }

  func ink(of index: Int) -> ChartInk { series[index].ink ?? .member(index) }

  static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func text(_ text: String, x: Double, y: Double, _ attributes: String) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" \(attributes)>\(text.markupEscaped)</text>"
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line class=\"grid\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" "
      + "y2=\"\(number(y2))\"/>"
  }

  private func grid(in plot: ChartPlot) -> [String] {
    var parts: [String] = []
    for tick in plot.up.ticks {
      let height = plot.vertical(tick.position)
      parts.append(Chart.line(ChartPlot.left, height, plot.right, height))
      parts.append(
        Chart.text(
          tick.label, x: ChartPlot.left - 6, y: height,
          "text-anchor=\"end\" dominant-baseline=\"middle\""))
    }
    for (index, tick) in plot.across.ticks.enumerated() {
      let place = plot.horizontal(tick.position)
      parts.append(Chart.line(place, ChartPlot.top, place, ChartPlot.bottom))
      if !index.isMultiple(of: plot.labelStride) { continue }
      parts.append(
        Chart.text(tick.label, x: place, y: ChartPlot.bottom + 16, "text-anchor=\"middle\""))
    }
    parts.append(
      Chart.text(
        x.label, x: plot.horizontal(0.5), y: ChartPlot.height - 6, "text-anchor=\"middle\""))
    let middle = Chart.number(plot.vertical(0.5))
    parts.append(
      Chart.text(
        y.label, x: 0, y: 0,
        "text-anchor=\"middle\" transform=\"translate(11 \(middle)) rotate(-90)\""))
    return parts
  }

  private func drawing(of index: Int, in plot: ChartPlot, label: Double?) -> String {
    let series = series[index]
    let ink = ink(of: index)
    let values = series.points.filter { plot.place($0.x, $0.y) != nil }
    let points = values.compactMap { plot.place($0.x, $0.y) }
    var parts = bands(of: series, in: plot)
    switch series.style {
    case .dots: break
    case .line: parts.append(series.stroke(Chart.path(points)))
    case .steps: parts.append(series.stroke(Chart.steps(points)))
    case .dashes: parts.append(plot.clipped(series.stroke(Chart.path(points))))
    }
    if series.isMarked(in: ink) {
      parts += zip(values, points).map { value, point in
        let title = "\(series.name): \(value.y.digits(4)) at \(value.x.digits(4))"
        return ink.marker(x: point.x, y: point.y, title: title)
      }
    }
    if let label, let end = plot.end(of: series) {
      // Dots have room beside them; lines would be crossed.
      let place = series.style == .dots ? end.x : plot.right
      parts.append(Chart.label(series.name, from: end, to: place + 10, label))
    }
    let name = series.name.markupEscaped
    return "<g class=\"series \(ink.classes)\" data-name=\"\(name)\" "
      + "data-points=\"\(series.data)\"><title>\(name)</title>" + parts.joined() + "</g>"
  }

  /// What the values lie between: an area beside a line, a bar through a point.
  private func bands(of series: Series, in plot: ChartPlot) -> [String] {
    func edges(_ height: (Double, Double) -> Double) -> [(x: Double, y: Double)] {
      series.band.compactMap { plot.place($0.x, height($0.low, $0.high)) }
    }
    let (highs, lows) = (edges(max), edges(min))
    if highs.isEmpty { return [] }
    if series.style == .dots {
      return zip(highs, lows).map { high, low in series.stroke(Chart.path([high, low])) }
    }
    return ["<path class=\"band\" d=\"\(Chart.path(highs + lows.reversed()))Z\"/>"]
  }

  private static func path(_ points: [(x: Double, y: Double)]) -> String {
    points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
    }.joined()
  }

  private static func steps(_ points: [(x: Double, y: Double)]) -> String {
    guard let first = points.first else { return "" }
    return points.reduce("M\(number(first.x)) \(number(ChartPlot.bottom))V\(number(first.y))") {
      $0 + "H\(number($1.x))V\(number($1.y))"
    }
  }
}

// MARK: Labels

extension Chart {
  /// The heights of the names, as near to the ends of their lines as others let them; those of faint series
  /// are where the lines end, as a page shows them one at a time. None where there is one series.
  private func labelPlaces(in plot: ChartPlot) -> [Int: Double] {
    if series.count < 2 { return [:] }
    let ends = series.indices.compactMap { index in
      plot.end(of: series[index]).map { end in
        // Names of dots in the middle are far from those at the edge.
        (
          index: index, height: end.y,
          isInside: series[index].style == .dots && end.x < plot.horizontal(0.6)
        )
      }
    }
    var places = Dictionary(uniqueKeysWithValues: ends.map { ($0.index, $0.height) })
    let shown = ends.filter { ink(of: $0.index) != .faint }.sorted { $0.height < $1.height }
    for side in [shown.filter { $0.isInside }, shown.filter { !$0.isInside }] {
      let heights = ChartPlot.apart(side.map(\.height))
      for (end, height) in zip(side, heights) { places[end.index] = height }
    }
    return places
  }

  /// A name at a place, with a line to where its series ends unless that is beside it.
  private static func label(
    _ name: String, from end: (x: Double, y: Double), to place: Double, _ height: Double
  ) -> String {
    let leader =
      abs(end.y - height) < 3 && place - end.x < 16
      ? "" : "<path class=\"leader\" d=\"\(path([(end.x + 4, end.y), (place - 2, height)]))\"/>"
    return leader
      + text(
        ChartPlot.shortened(name), x: place, y: height,
        "class=\"label\" dominant-baseline=\"middle\"")
  }
}

extension ChartInk {
  /// What has more depth is drawn below.
  fileprivate var depth: Int {
    switch self {
    case .faint: 2
    case .reference, .bound: 1
    case .member: 0
    }
  }
}

extension Chart.Series {
  /// Longer series are lines without a mark on every point.
  private static let mostMarkers = 24

  private var strokeClass: String { style == .dashes ? "stroke dashes" : "stroke" }

  fileprivate func stroke(_ path: String) -> String {
    path.isEmpty ? "" : "<path class=\"\(strokeClass)\" d=\"\(path)\"/>"
  }

  fileprivate func isMarked(in ink: ChartInk) -> Bool {
    if style == .dots { return true }
    guard style == .line, case .member = ink else { return false }
    return points.count <= Chart.Series.mostMarkers
  }

  /// The values as JSON: `[[1000, 61.05], …]`.
  fileprivate var data: String {
    func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }
    let pairs = points.map { "[\(number($0.x)), \(number($0.y))]" }
    return "[" + pairs.joined(separator: ", ") + "]"
  }
}

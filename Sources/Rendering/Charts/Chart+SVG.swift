import Foundation

extension Chart {
  static let width = 460.0
  static let height = 280.0
  private static let (left, right, top, bottom) = (58.0, 16.0, 10.0, 42.0)
  /// Longer series are lines without a mark on every point.
  private static let mostMarkers = 24

  /// The chart as an element of a page whose style sheet has the classes of ``ChartInk`` and `grid`,
  /// `series`, `stroke`, `dashes`, `dot`, `band`.
  ///
  /// Each series carries its values (`data-name`, `data-points`), but those too many to be told apart.
  package var svg: String {
    let spanning = series.filter { $0.style != .dashes }
    let shown = spanning.isEmpty ? series : spanning
    let across = ChartScale(x, values: shown.flatMap { $0.points.map(\.x) })
    let up = ChartScale(
      y, values: shown.flatMap { $0.points.map(\.y) + $0.band.flatMap { [$0.low, $0.high] } })
    // What matters most is drawn last, above the others.
    let order = series.indices.sorted { ink(of: $0).depth > ink(of: $1).depth }
    let parts = grid(across, up) + order.map { drawing(of: $0, across, up) }
    let label = "\(title): \(y.label) by \(x.label)".markupEscaped
    return "<svg viewBox=\"0 0 \(Int(Chart.width)) \(Int(Chart.height))\" role=\"img\" "
      + "aria-label=\"\(label)\">\n" + parts.joined(separator: "\n") + "\n</svg>"
  }

  /// A short sample of a series, for a legend.
  package func sample(of index: Int) -> String {
    let ink = ink(of: index)
    let style = series[index].style
    let isMarked = style == .dots || (style == .line && isMarked(index))
    let mark = isMarked ? ink.marker(x: 13, y: 6, title: series[index].name) : ""
    let stroke =
      style == .dots ? "" : "<path class=\"\(series[index].strokeClass)\" d=\"M1 6h24\"/>"
    return "<svg class=\"sample \(ink.classes)\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">"
      + stroke + mark + "</svg>"
  }

  package func ink(of index: Int) -> ChartInk { series[index].ink ?? .member(index) }

  static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private func isMarked(_ index: Int) -> Bool {
    if case .member = ink(of: index) {
      series[index].points.count <= Chart.mostMarkers
    } else {
      false
    }
  }

  /// Returns the coordinate of a ratio of the horizontal axis.
  private static func horizontal(_ share: Double) -> Double {
    left + share * (width - left - right)
  }

  /// Returns the coordinate of a ratio of the vertical axis.
  private static func vertical(_ share: Double) -> Double {
    height - bottom - share * (height - top - bottom)
  }

  private static func text(_ text: String, x: Double, y: Double, _ attributes: String) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" \(attributes)>\(text.markupEscaped)</text>"
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line class=\"grid\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" "
      + "y2=\"\(number(y2))\"/>"
  }

  private func grid(_ across: ChartScale, _ up: ChartScale) -> [String] {
    var parts: [String] = []
    let (start, end) = (Chart.horizontal(0), Chart.horizontal(1))
    for tick in up.ticks {
      let height = Chart.vertical(tick.position)
      parts.append(Chart.line(start, height, end, height))
      parts.append(
        Chart.text(
          tick.label, x: Chart.left - 6, y: height,
          "text-anchor=\"end\" dominant-baseline=\"middle\""))
    }
    let (low, high) = (Chart.vertical(0), Chart.vertical(1))
    for tick in across.ticks {
      let place = Chart.horizontal(tick.position)
      parts.append(Chart.line(place, low, place, high))
      // A long label at the right end would be cut off.
      let isLast = tick.position > 0.99 && tick.label.count > 4
      parts.append(
        Chart.text(
          tick.label, x: isLast ? Chart.width : place, y: Chart.height - Chart.bottom + 16,
          "text-anchor=\"\(isLast ? "end" : "middle")\""))
    }
    parts.append(
      Chart.text(
        x.label, x: Chart.horizontal(0.5), y: Chart.height - 6, "text-anchor=\"middle\""))
    let middle = Chart.number(Chart.vertical(0.5))
    parts.append(
      Chart.text(
        y.label, x: 0, y: 0,
        "text-anchor=\"middle\" transform=\"translate(12 \(middle)) rotate(-90)\""))
    return parts
  }

  private func drawing(of index: Int, _ across: ChartScale, _ up: ChartScale) -> String {
    let series = series[index]
    let ink = ink(of: index)
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double)? {
      guard let x = across.position(x), let y = up.position(y) else { return nil }
      return (Chart.horizontal(x), Chart.vertical(y))
    }
    let values = series.points.filter { place($0.x, $0.y) != nil }
    let points = values.compactMap { place($0.x, $0.y) }
    var parts: [String] = []
    let edges =
      series.band.compactMap { place($0.x, $0.high) }
      + series.band.reversed().compactMap { place($0.x, $0.low) }
    if !edges.isEmpty { parts.append("<path class=\"band\" d=\"\(Chart.path(edges))Z\"/>") }
    switch series.style {
    case .dots: break
    case .line: parts.append(series.stroke(Chart.path(points)))
    case .steps: parts.append(series.stroke(Chart.steps(points)))
    case .dashes: parts.append(Chart.clipped(series.stroke(Chart.path(points))))
    }
    if series.style == .dots || (series.style == .line && isMarked(index)) {
      parts += zip(values, points).map { value, point in
        let title = "\(series.name): \(value.y.digits(4)) at \(value.x.digits(4))"
        return ink.marker(x: point.x, y: point.y, title: title)
      }
    }
    let name = series.name.markupEscaped
    let data = ink == .faint ? "" : " data-name=\"\(name)\" data-points=\"\(series.data)\""
    return "<g class=\"series \(ink.classes)\"\(data)><title>\(name)</title>"
      + parts.joined() + "</g>"
  }

  private static func path(_ points: [(x: Double, y: Double)]) -> String {
    points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
    }.joined()
  }

  private static func steps(_ points: [(x: Double, y: Double)]) -> String {
    guard let first = points.first else { return "" }
    return points.reduce("M\(number(first.x)) \(number(vertical(0)))V\(number(first.y))") {
      $0 + "H\(number($1.x))V\(number($1.y))"
    }
  }

  /// The part of a drawing that is within the axes: a drawing of its own shows no more.
  private static func clipped(_ content: String) -> String {
    let (x, y) = (number(left), number(top))
    let (width, height) = (number(width - left - right), number(height - top - bottom))
    return "<svg x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" "
      + "viewBox=\"\(x) \(y) \(width) \(height)\">\(content)</svg>"
  }
}

extension ChartInk {
  /// The depth: greater ones are drawn below.
  fileprivate var depth: Int {
    switch self {
    case .faint: 2
    case .reference, .bound: 1
    case .member: 0
    }
  }
}

extension Chart.Series {
  fileprivate var strokeClass: String { style == .dashes ? "stroke dashes" : "stroke" }

  fileprivate func stroke(_ path: String) -> String {
    path.isEmpty ? "" : "<path class=\"\(strokeClass)\" d=\"\(path)\"/>"
  }

  /// The values as JSON: `[[1000, 61.05], …]`.
  fileprivate var data: String {
    func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }
    let pairs = points.map { "[\(number($0.x)), \(number($0.y))]" }
    return "[" + pairs.joined(separator: ", ") + "]"
  }
}

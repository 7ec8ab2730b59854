import Foundation

extension Chart {
  private static let width = 460.0
  private static let height = 300.0
  private static let (left, right, top, bottom) = (58.0, 14.0, 26.0, 42.0)

  /// The chart as an element of a page whose style sheet has the colours: classes `grid`, `series-1`,
  /// `series-2`, `stroke`, `dashes`, `dot`.
  var svg: String {
    let spanning = series.filter { $0.style != .dashes }.flatMap(\.points)
    let across = ChartScale(x, values: spanning.map(\.x))
    let up = ChartScale(y, values: spanning.map(\.y))
    let parts =
      grid(across, up)
      + series.enumerated().map { index, series in
        "<g class=\"series-\(index + 1)\">" + Chart.legend(series, index)
          + drawing(of: series, across, up) + "</g>"
      }
    let label = "\(title): \(y.label) by \(x.label)".escaped
    return "<svg viewBox=\"0 0 \(Int(Chart.width)) \(Int(Chart.height))\" role=\"img\" "
      + "aria-label=\"\(label)\">\n" + parts.joined(separator: "\n") + "\n</svg>"
  }

  /// Where a share of the horizontal axis stands.
  private static func horizontal(_ share: Double) -> String {
    number(left + share * (width - left - right))
  }

  /// Where a share of the vertical axis stands.
  private static func vertical(_ share: Double) -> String {
    number(height - bottom - share * (height - top - bottom))
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func text(_ text: String, x: String, y: String, _ attributes: String) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(text.escaped)</text>"
  }

  private static func line(_ x1: String, _ y1: String, _ x2: String, _ y2: String) -> String {
    "<line class=\"grid\" x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\"/>"
  }

  private func grid(_ across: ChartScale, _ up: ChartScale) -> [String] {
    var parts: [String] = []
    let (start, end) = (Chart.horizontal(0), Chart.horizontal(1))
    for tick in up.ticks {
      let height = Chart.vertical(tick.position)
      parts.append(Chart.line(start, height, end, height))
      parts.append(
        Chart.text(
          tick.label, x: Chart.number(Chart.left - 6), y: height,
          "text-anchor=\"end\" dominant-baseline=\"middle\""))
    }
    let (low, high) = (Chart.vertical(0), Chart.vertical(1))
    for tick in across.ticks {
      let place = Chart.horizontal(tick.position)
      parts.append(Chart.line(place, low, place, high))
      parts.append(
        Chart.text(
          tick.label, x: place, y: Chart.number(Chart.height - Chart.bottom + 16),
          "text-anchor=\"middle\""))
    }
    parts.append(
      Chart.text(
        x.label, x: Chart.horizontal(0.5), y: Chart.number(Chart.height - 8),
        "text-anchor=\"middle\""))
    parts.append(
      Chart.text(
        y.label, x: "0", y: "0",
        "text-anchor=\"middle\" transform=\"translate(12 \(Chart.vertical(0.5))) rotate(-90)\""))
    return parts
  }

  private static func legend(_ series: Series, _ index: Int) -> String {
    let start = left + Double(index) * 170
    let sample =
      series.style == .dots
      ? "<circle class=\"dot\" cx=\"\(number(start + 10))\" cy=\"11\" r=\"2.4\"/>"
      : "<path class=\"\(series.strokeClass)\" d=\"M\(number(start)) 11h20\"/>"
    return sample
      + text(series.name, x: number(start + 26), y: "11", "dominant-baseline=\"middle\"")
  }

  private func drawing(of series: Series, _ across: ChartScale, _ up: ChartScale) -> String {
    let places = series.points.compactMap { point -> (x: Double, y: Double)? in
      guard let x = across.position(point.x), let y = up.position(point.y) else { return nil }
      return (x, y)
    }
    let points = (series.style == .dashes ? Chart.clipped(places) : places).map {
      (x: Chart.horizontal($0.x), y: Chart.vertical($0.y))
    }
    guard let first = points.first else { return "" }
    if series.style == .dots {
      return points.map { "<circle class=\"dot\" cx=\"\($0.x)\" cy=\"\($0.y)\" r=\"2.4\"/>" }
        .joined()
    }
    var path = series.style == .steps ? "M\(first.x) \(Chart.vertical(0))V\(first.y)" : ""
    for (index, point) in points.enumerated() {
      switch series.style {
      case .steps: path += "H\(point.x)V\(point.y)"
      default: path += "\(index == 0 ? "M" : "L")\(point.x) \(point.y)"
      }
    }
    return "<path class=\"\(series.strokeClass)\" d=\"\(path)\"/>"
  }

  /// The part of a straight line between its two ends that is within the axes; nothing if none is.
  private static func clipped(_ ends: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard let first = ends.first, let last = ends.last else { return [] }
    var (low, high) = (0.0, 1.0)
    for (start, end) in [(first.x, last.x), (first.y, last.y)] {
      if start == end {
        if !(0...1).contains(start) { return [] }
        continue
      }
      let (a, b) = ((0 - start) / (end - start), (1 - start) / (end - start))
      (low, high) = (max(low, min(a, b)), min(high, max(a, b)))
    }
    if low > high { return [] }
    return [low, high].map { share in
      (first.x + share * (last.x - first.x), first.y + share * (last.y - first.y))
    }
  }
}

extension Chart.Series {
  fileprivate var strokeClass: String { style == .dashes ? "stroke dashes" : "stroke" }
}

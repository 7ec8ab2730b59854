/// The area of a drawing that a chart's values stand in.
struct ChartPlot {
  static let width = 380.0
  static let height = 264.0
  static let (left, top, bottom) = (54.0, 10.0, height - 42)
  /// The room of a letter of a label.
  private static let letter = 6.8
  /// Longer names are cut off.
  private static let mostLetters = 20
  /// The distance between two labels.
  private static let lineHeight = 13.0

  /// The horizontal axis.
  let across: ChartScale
  /// The vertical axis.
  let up: ChartScale
  /// The right edge, beyond which labels stand.
  let right: Double

  init(_ chart: Chart) {
    let spanning = chart.series.filter { $0.style != .dashes }
    let shown = spanning.isEmpty ? chart.series : spanning
    let across = ChartScale(chart.x, values: shown.flatMap { $0.points.map(\.x) })
    let heights = chart.series.flatMap { series in
      series.points.filter { across.contains($0.x) }.map(\.y)
        + series.band.flatMap { [$0.low, $0.high] }
    }
    self.across = across
    up = ChartScale(chart.y, values: heights)
    let letters = chart.series.map { ChartPlot.shortened($0.name).displayWidth }.max() ?? 0
    let room = chart.series.count > 1 ? 14 + ChartPlot.letter * Double(letters) : 0
    right = ChartPlot.width - max(room, 18)
  }

  /// The distance between two labels of the horizontal axis, in ticks, at which they do not touch.
  var labelStride: Int {
    let ticks = across.ticks
    let letters = ticks.map(\.label.count).max() ?? 0
    let room = (right - ChartPlot.left) / Double(max(ticks.count - 1, 1))
    return max(1, Int((ChartPlot.letter * Double(letters + 1) / room).rounded(.up)))
  }

  /// The place of a fraction of the horizontal axis.
  func horizontal(_ fraction: Double) -> Double {
    ChartPlot.left + fraction * (right - ChartPlot.left)
  }

  /// The place of a fraction of the vertical axis.
  func vertical(_ fraction: Double) -> Double {
    ChartPlot.bottom - fraction * (ChartPlot.bottom - ChartPlot.top)
  }

  /// The place of a value; nil where an axis cannot show it.
  func place(_ x: Double, _ y: Double) -> (x: Double, y: Double)? {
    guard let x = across.position(x), let y = up.position(y) else { return nil }
    return (horizontal(x), vertical(y))
  }

  /// The place of a series' last value within the axes.
  func end(of series: Chart.Series) -> (x: Double, y: Double)? {
    series.points.last { across.contains($0.x) && up.contains($0.y) }
      .flatMap { place($0.x, $0.y) }
  }

  /// The part of a drawing that is within the axes: a drawing of its own shows no more.
  func clipped(_ content: String) -> String {
    let (x, y) = (Chart.number(ChartPlot.left), Chart.number(ChartPlot.top))
    let width = Chart.number(right - ChartPlot.left)
    let height = Chart.number(ChartPlot.bottom - ChartPlot.top)
    return "<svg x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" "
      + "viewBox=\"\(x) \(y) \(width) \(height)\">\(content)</svg>"
  }

  /// Rising heights, moved until no two labels there overlap and all are in the drawing where they fit.
  static func apart(_ heights: [Double]) -> [Double] {
    var places = heights
    for index in places.indices.dropFirst() {
      places[index] = max(places[index], places[index - 1] + lineHeight)
    }
    var limit = height - lineHeight / 2
    for index in places.indices.reversed() {
      places[index] = min(places[index], limit)
      limit = places[index] - lineHeight
    }
    return places
  }

  static func shortened(_ name: String) -> String {
    name.count > mostLetters ? name.prefix(mostLetters - 1) + "…" : name
  }
}

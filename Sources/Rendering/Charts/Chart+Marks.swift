import Foundation
import Parameters

extension Chart {
  /// The marks of a series, or of the axes.
  struct Layer {
    /// The series; nil for the axes.
    let series: Series?
    let ink: ChartInk
    let marks: [ChartMark]
  }

  /// The layers of the drawing: the axes, then the series, what matters most last and above the others.
  ///
  /// Each series has, where there are several, its name at the end of its line.
  func layers(in plot: ChartPlot) -> [Layer] {
    let places = labelPlaces(in: plot)
    let order = series.indices.sorted { ink(of: $0).depth > ink(of: $1).depth }
    return [Layer(series: nil, ink: .reference, marks: axes(in: plot))]
      + order.map { index in
        Layer(
          series: series[index], ink: ink(of: index),
          marks: marks(of: index, in: plot, label: places[index]))
      }
  }

  /// The ink of a series.
  package func ink(of index: Int) -> ChartInk {
    let ink = series[index].ink ?? .member(index)
    // A line that stands alone is none of too many.
    return ink == .faint && series.count == 1 ? .member(0) : ink
  }

  private func axes(in plot: ChartPlot) -> [ChartMark] {
    let down = ChartMark.halfLetter
    var lines: [[ChartMark.Place]] = []
    var texts: [ChartMark] = []
    for tick in plot.up.ticks {
      let height = plot.vertical(tick.position)
      lines.append([(plot.left, height), (plot.right, height)])
      texts.append(.text(tick.label, at: (plot.left - 6, height + down), .end, .text))
    }
    let (ticks, distance) = (plot.across.ticks, plot.labelDistance)
    var last = -distance
    for tick in ticks {
      let place = plot.horizontal(tick.position)
      lines.append([(place, ChartPlot.top), (place, plot.bottom)])
      if place - last < distance - 1e-6 { continue }
      last = place
      texts.append(.text(tick.label, at: (place, plot.bottom + 16), .middle, .text))
    }
    return [.path(lines, .grid)] + texts + [
      .text(x.label, at: (plot.horizontal(0.5), plot.height - 6), .middle, .text),
      .text(y.label, at: (11, plot.vertical(0.5)), .middle, .text, isTurned: true),
    ]
  }

  private func marks(of index: Int, in plot: ChartPlot, label: Double?) -> [ChartMark] {
    let series = series[index]
    let values = series.points.filter { plot.place($0.x, $0.y) != nil }
    let points = values.compactMap { plot.place($0.x, $0.y) }
    var marks = bands(of: series, in: plot)
    switch series.style {
    case .dots: break
    case .line: marks.append(.path([points], .stroke))
    case .steps: marks.append(.path([Chart.steps(points, from: plot.bottom)], .stroke))
    case .dashes: marks.append(.path(plot.clipped(points), .dashes))
    }
    if series.isMarked(in: ink(of: index)) {
      marks += zip(values, points).map { value, point in
        .point(
          point,
          title: "\(series.name): \(y.title(of: value.y)) at \(x.title(of: value.x))")
      }
    }
    if let label, let end = plot.end(of: series) {
      let place = (x: plot.right + 10, y: label)
      if abs(end.y - label) >= 3 || place.x - end.x >= 16 {
        marks.append(.path([[(end.x + 4, end.y), (place.x - 2, label)]], .leader))
      }
      marks.append(
        .text(
          ChartPlot.shortened(series.name), at: (place.x, label + ChartMark.halfLetter), .start,
          .label))
    }
    return marks
  }

  /// The ranges of the values: an area beside a line, a bar through a point.
  private func bands(of series: Series, in plot: ChartPlot) -> [ChartMark] {
    func edges(_ height: (Double, Double) -> Double) -> [ChartMark.Place] {
      series.band.compactMap { plot.place($0.x, height($0.low, $0.high)) }
    }
    let (highs, lows) = (edges(max), edges(min))
    if highs.isEmpty { return [] }
    if series.style == .dots { return [.path(zip(highs, lows).map { [$0, $1] }, .stroke)] }
    return [.path([highs + lows.reversed()], .band, isClosed: true)]
  }

  private static func steps(
    _ points: [ChartMark.Place], from bottom: Double
  ) -> [ChartMark.Place] {
    guard let first = points.first else { return [] }
    return points.reduce(into: [(first.x, bottom), first]) { places, point in
      places += [(point.x, places[places.count - 1].y), point]
    }
  }

  /// The heights of the names, as near to the ends of their lines as others let them; those of faint series
  /// are where the lines end, as a page shows them one at a time. None where there is one series.
  private func labelPlaces(in plot: ChartPlot) -> [Int: Double] {
    if series.count < 2 { return [:] }
    let ends = series.indices.filter { series[$0].isLabelled }.compactMap { index in
      plot.end(of: series[index]).map { (index: index, height: $0.y) }
    }
    var places = Dictionary(uniqueKeysWithValues: ends.map { ($0.index, $0.height) })
    let shown = ends.filter { ink(of: $0.index) != .faint }.sorted { $0.height < $1.height }
    for (end, height) in zip(shown, plot.apart(shown.map(\.height))) { places[end.index] = height }
    return places
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
  /// Longer series are lines without a mark on every point.
  private static let mostMarkers = 24

  fileprivate func isMarked(in ink: ChartInk) -> Bool {
    if style == .dots { return true }
    guard style == .line, case .member = ink else { return false }
    return points.count <= Chart.Series.mostMarkers
  }
}

extension Chart.Axis {
  /// A value with what it is: `38.95 (hit ratio, %)`.
  package func title(of value: Double) -> String {
    let number =
      switch scale {
      case .bytes: ChartScale.bytes(value)
      case .nanoseconds: ChartScale.time(value)
      case .percentile: String(format: "%.7g", value * 100)
      default: value.digits(4).withMinus
      }
    return number + (label.isEmpty ? "" : " (\(label))")
  }
}

/// The area of a drawing that a chart's values stand in.
struct ChartPlot {
  static let width = 440.0
  static let top = 10.0
  /// The height of the values' area, unless names beside it need more.
  private static let depth = 218.0
  /// The room of a letter of an axis' label.
  private static let letter = 7.0
  /// Longer names are cut off.
  private static let mostLetters = 24
  /// The distance between two labels.
  private static let lineHeight = 13.0
  /// The numbers of values at which dots have labels of their own in place of round ones.
  private static let fewDots = 2...3

  /// The horizontal axis.
  let across: ChartScale
  /// The vertical axis.
  let up: ChartScale
  /// The left edge, beside which the vertical axis' labels stand.
  let left: Double
  /// The right edge, beyond which labels stand.
  let right: Double
  /// The lower edge, below which the horizontal axis' labels stand.
  let bottom: Double

  init(_ chart: Chart) {
    let spanning = chart.series.filter { $0.style != .dashes }
    let shown = spanning.isEmpty ? chart.series : spanning
    let values = shown.flatMap { $0.points.map(\.x) }
    let measured = Set(values).sorted()
    let areFewDots =
      shown.allSatisfy { $0.style == .dots } && ChartPlot.fewDots.contains(measured.count)
    let across = ChartScale(chart.x, values: values, labelled: areFewDots ? measured : nil)
    let heights = chart.series.flatMap { series in
      series.points.filter { across.contains($0.x) }.map(\.y)
        + series.band.flatMap { [$0.low, $0.high] }
    }
    self.across = across
    up = ChartScale(chart.y, values: heights)
    // Beside the axis' name, which is turned.
    left = max(54, (up.ticks.map { ChartPlot.room(of: $0.label) }.max() ?? 0) + 20)
    let labelled = chart.series.count > 1 ? chart.series.filter(\.isLabelled) : []
    let room = labelled.map { ChartPlot.room(of: ChartPlot.shortened($0.name)) }.max()
    right = ChartPlot.width - (room.map { 14 + $0 } ?? 18)
    let names = chart.series.indices.count {
      chart.series[$0].isLabelled && chart.ink(of: $0) != .faint
    }
    bottom = ChartPlot.top + max(ChartPlot.depth, ChartPlot.lineHeight * Double(names))
  }

  /// The height of the drawing.
  var height: Double { bottom + 42 }

  /// The distance between two labels of the horizontal axis at which they do not touch.
  var labelDistance: Double {
    ChartPlot.letter * Double((across.ticks.map(\.label.count).max() ?? 0) + 1)
  }

  /// The place of a fraction of the horizontal axis.
  func horizontal(_ fraction: Double) -> Double {
    left + fraction * (right - left)
  }

  /// The place of a fraction of the vertical axis.
  func vertical(_ fraction: Double) -> Double {
    bottom - fraction * (bottom - ChartPlot.top)
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

  /// The parts of a line that are within the axes.
  func clipped(_ line: [ChartMark.Place]) -> [[ChartMark.Place]] {
    var parts: [[ChartMark.Place]] = []
    var last: ChartMark.Place?
    for (start, end) in zip(line, line.dropFirst()) {
      guard let (enters, leaves) = clipped(from: start, to: end) else { continue }
      if let place = last, place == enters {
        parts[parts.count - 1].append(leaves)
      } else {
        parts.append([enters, leaves])
      }
      last = leaves
    }
    return parts
  }

  /// The part of a straight line that is within the axes, by the method of Liang and Barsky; nil where
  /// none is.
  private func clipped(
    from start: ChartMark.Place, to end: ChartMark.Place
  ) -> (ChartMark.Place, ChartMark.Place)? {
    let (across, down) = (end.x - start.x, end.y - start.y)
    let edges = [
      (-across, start.x - left), (across, right - start.x),
      (-down, start.y - ChartPlot.top), (down, bottom - start.y),
    ]
    var (enters, leaves) = (0.0, 1.0)
    for (step, room) in edges {
      if step == 0 && room < 0 { return nil }
      if step < 0 { enters = max(enters, room / step) }
      if step > 0 { leaves = min(leaves, room / step) }
    }
    if enters > leaves { return nil }
    func place(_ part: Double) -> ChartMark.Place {
      part == 0 ? start : part == 1 ? end : (start.x + part * across, start.y + part * down)
    }
    return (place(enters), place(leaves))
  }

  /// Rising heights, moved until no two labels there overlap and all are beside the area.
  ///
  /// Labels that would touch become a block around the middle of their places.
  func apart(_ heights: [Double]) -> [Double] {
    func within(_ middle: Double, _ count: Int) -> Double {
      let half = ChartPlot.lineHeight * Double(count - 1) / 2
      return min(max(middle, ChartPlot.top + half), bottom - half)
    }
    var blocks: [(middle: Double, count: Int)] = []
    for height in heights {
      var block = (middle: within(height, 1), count: 1)
      while let above = blocks.last,
        block.middle - above.middle
          < ChartPlot.lineHeight * Double(above.count + block.count) / 2
      {
        blocks.removeLast()
        let count = above.count + block.count
        let sum = above.middle * Double(above.count) + block.middle * Double(block.count)
        block = (within(sum / Double(count), count), count)
      }
      blocks.append(block)
    }
    return blocks.flatMap { block in
      (0..<block.count).map {
        block.middle + ChartPlot.lineHeight * (Double($0) - Double(block.count - 1) / 2)
      }
    }
  }

  /// The width of a name in the widest of usual fonts, whose letters are a fifth wider than Helvetica's; wide
  /// scripts have squares.
  private static func room(of name: String) -> Double {
    let letters = HelveticaText(name).width(size: ChartLook.fontSize) * 1.22
    return max(letters, Double(name.displayWidth) * ChartLook.fontSize / 2)
  }

  static func shortened(_ name: String) -> String {
    name.count > mostLetters ? name.prefix(mostLetters - 1) + "…" : name
  }
}

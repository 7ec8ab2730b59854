import Parameters

/// A few values on one line, in a cell of a table: a dot each, the mean of several as a bar, and a rule at zero.
///
/// Strips with equal ends compare: values beyond the ends stand at them, hollow.
package struct Strip {
  /// The ends of the scale.
  let ends: ClosedRange<Double>
  /// The values with their names.
  let values: [(name: String, value: Double)]
  let ink: ChartInk

  package init(
    _ values: [(name: String, value: Double)], in ends: ClosedRange<Double>, ink: ChartInk
  ) {
    self.values = values
    self.ends = ends
    self.ink = ink
  }

  private static let (width, height) = (220.0, 18.0)
  private static let margin = 4.0

  /// The strip as an element of a page.
  package var svg: String {
    let middle = Chart.number(Strip.height / 2)
    var parts: [String] = []
    func rule(_ kind: String, _ value: Double, _ half: Double) {
      let (x, top) = (Chart.number(place(value)), Chart.number(Strip.height / 2 - half))
      parts.append("<path class=\"\(kind)\" d=\"M\(x) \(top)v\(Chart.number(half * 2))\"/>")
    }
    if ends.contains(0) { rule("grid", 0, Strip.height / 2) }
    if let low = values.map(\.value).min(), let high = values.map(\.value).max(), low < high {
      parts.append(
        "<path class=\"leader\" d=\"M\(Chart.number(place(low))) \(middle)"
          + "H\(Chart.number(place(high)))\"/>")
    }
    parts += values.map { value in
      let shape = ends.contains(value.value) ? "dot" : "beyond"
      return "<circle class=\"\(shape)\" cx=\"\(Chart.number(place(value.value)))\" "
        + "cy=\"\(middle)\" r=\"2.6\"><title>\(value.name.markupEscaped): "
        + "\(value.value.digits(3).withMinus)</title></circle>"
    }
    if values.count > 1, let mean = values.map(\.value).mean { rule("mean", mean, 6) }
    let label = values.map { "\($0.name) \($0.value.digits(3).withMinus)" }.joined(separator: ", ")
    return "<svg class=\"strip \(ink.classes)\" viewBox=\"0 0 \(Int(Strip.width)) "
      + "\(Int(Strip.height))\" role=\"img\" aria-label=\"\(label.markupEscaped)\">"
      + parts.joined() + "</svg>"
  }

  /// The place of a value, or of the end that it is beyond.
  private func place(_ value: Double) -> Double {
    let length = ends.upperBound - ends.lowerBound
    let fraction = length > 0 ? (value - ends.lowerBound) / length : 0
    return Strip.margin + min(max(fraction, 0), 1) * (Strip.width - 2 * Strip.margin)
  }
}

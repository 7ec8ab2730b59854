import Foundation

/// The positions of an axis' values, and the labelled ones.
package struct ChartScale {
  private let scale: Chart.Axis.Scale
  private let low: Double
  private let high: Double

  /// A scale that holds the values; those that the axis cannot show are left out.
  package init(_ axis: Chart.Axis, values: [Double]) {
    scale = axis.scale
    let places = values.compactMap { ChartScale.place($0, on: axis.scale) }
    let (least, most) = (places.min() ?? 0, places.max() ?? 0)
    switch scale {
    case .logarithmic, .percentile:
      // Whole decades, so that both ends are labelled.
      low = least.rounded(.down)
      high = max(most.rounded(.up), low + 1)
    case .linear, .whole:
      low = 0
      let step = ChartScale.step(upTo: places.isEmpty ? 1 : most)
      high = max((most / step).rounded(.up), 1) * step
    case .range:
      let step = ChartScale.step(upTo: most > least ? most - least : abs(most))
      low = (least / step).rounded(.down) * step
      high = max((most / step).rounded(.up) * step, low + step)
    }
  }

  /// Returns the position of a value, 0 at one end and 1 at the other; nil where the axis cannot show it.
  package func position(_ value: Double) -> Double? {
    ChartScale.place(value, on: scale).map { ($0 - low) / (high - low) }
  }

  /// A value in steps of the axis: itself, decades, or nines.
  private static func place(_ value: Double, on scale: Chart.Axis.Scale) -> Double? {
    if !value.isFinite { return nil }
    switch scale {
    case .linear, .whole, .range: return value
    case .logarithmic: return value > 0 ? log10(value) : nil
    case .percentile: return (0..<1).contains(value) ? -log10(1 - value) : nil
    }
  }

  /// The labelled values.
  package var ticks: [(position: Double, label: String)] {
    let step =
      switch scale {
      case .logarithmic, .percentile: max(1, ((high - low) / 7).rounded(.up))
      case .linear, .range: ChartScale.step(upTo: high - low)
      case .whole: max(1, ChartScale.step(upTo: high - low))
      }
    return stride(from: low, through: high + step / 1e6, by: step).map { place in
      ((place - low) / (high - low), label(place))
    }
  }

  private func label(_ place: Double) -> String {
    switch scale {
    case .linear, .whole, .range: ChartScale.label(place)
    case .logarithmic: ChartScale.label(pow(10, place))
    case .percentile: ChartScale.percentile(nines: Int(place.rounded()))
    }
  }

  /// A step of 1, 2 or 5 times a power of ten that makes four to ten of them.
  private static func step(upTo largest: Double) -> Double {
    if largest <= 0 { return 1 }
    let power = pow(10, log10(largest).rounded(.down))
    return largest / power >= 5 ? power : largest / power >= 2 ? power / 2 : power / 5
  }

  /// `0`, `90`, `99`, `99.9`.
  private static func percentile(nines: Int) -> String {
    if nines <= 0 { return "0" }
    if nines == 1 { return "90" }
    return "99" + (nines > 2 ? "." : "") + String(repeating: "9", count: nines - 2)
  }

  /// `0.2`, `500`, `20k`, `1M`.
  private static func label(_ value: Double) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    let (size, unit) = units.first { abs(value) >= $0.0 * 0.999 } ?? (1, "")
    // A zero that rounding left a little below is one.
    return String(format: "%.6g", abs(value) < 1e-12 ? 0 : value / size) + unit
  }
}

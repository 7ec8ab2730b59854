import Foundation

/// Where the values of an axis stand, and which of them are labelled.
package struct ChartScale {
  private let isLogarithmic: Bool
  private let low: Double
  private let high: Double

  /// A scale that holds the values; those that the axis cannot show are left out.
  package init(_ axis: Chart.Axis, values: [Double]) {
    isLogarithmic = axis.isLogarithmic
    let shown = values.filter { $0.isFinite && (!axis.isLogarithmic || $0 > 0) }
    if axis.isLogarithmic {
      // Whole decades, so that both ends are labelled.
      let bottom = log10(shown.min() ?? 1).rounded(.down)
      low = bottom
      high = max(log10(shown.max() ?? 1).rounded(.up), bottom + 1)
    } else {
      low = 0
      let step = ChartScale.step(upTo: shown.max() ?? 1)
      high = max(((shown.max() ?? 1) / step).rounded(.up), 1) * step
    }
  }

  /// Where a value stands, 0 at one end and 1 at the other; nil where the axis cannot show it.
  package func position(_ value: Double) -> Double? {
    if isLogarithmic && value <= 0 { return nil }
    return ((isLogarithmic ? log10(value) : value) - low) / (high - low)
  }

  /// The labelled values.
  package var ticks: [(position: Double, label: String)] {
    let step =
      isLogarithmic ? max(1, ((high - low) / 7).rounded(.up)) : ChartScale.step(upTo: high)
    return stride(from: low, through: high + step / 1e6, by: step).map { place in
      let value = isLogarithmic ? pow(10, place) : place
      return ((place - low) / (high - low), ChartScale.label(value))
    }
  }

  /// A step of 1, 2 or 5 times a power of ten that makes four to ten of them.
  private static func step(upTo largest: Double) -> Double {
    if largest <= 0 { return 1 }
    let power = pow(10, log10(largest).rounded(.down))
    return largest / power >= 5 ? power : largest / power >= 2 ? power / 2 : power / 5
  }

  /// `0.2`, `500`, `20k`, `1M`.
  private static func label(_ value: Double) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    let (size, unit) = units.first { value >= $0.0 * 0.999 } ?? (1, "")
    return String(format: "%.6g", value / size) + unit
  }
}

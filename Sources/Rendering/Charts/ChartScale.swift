import Foundation

/// The positions of an axis' values, and the labelled ones.
package struct ChartScale {
  private let scale: Chart.Axis.Scale
  private let low: Double
  private let high: Double
  /// The values that are labelled; nil for round ones.
  private let labelled: [Double]?

  /// A scale that holds the values; those that the axis cannot show are left out.
  ///
  /// - Parameter labelled: The values that are labelled; nil for round ones.
  package init(_ axis: Chart.Axis, values: [Double], labelled: [Double]? = nil) {
    scale = axis.scale
    self.labelled = labelled
    let places = values.compactMap { ChartScale.place($0, on: axis.scale) }
    let (least, most) = (places.min() ?? 0, places.max() ?? 0)
    switch scale {
    case .logarithmic, .bytes, .nanoseconds:
      // A little further than the values go, so that none stands on an edge.
      let margin = most > least ? (most - least) / 16 : log10(4.0)
      low = least - margin
      high = most + margin
    case .percentile:
      // Whole nines, so that both ends are labelled.
      low = least.rounded(.down)
      high = max(most.rounded(.up), low + 1)
    case .whole:
      low = least.rounded(.down)
      high = max(most.rounded(.up), low + 1)
    case .linear:
      low = 0
      let step = ChartScale.step(upTo: places.isEmpty ? 1 : most)
      high = max((most / step).rounded(.up), 1) * step
    case .range:
      // Values that differ by rounding alone are one.
      let size = max(abs(least), abs(most))
      let step = ChartScale.step(upTo: most - least > size * 1e-9 ? most - least : size)
      low = (least / step).rounded(.down) * step
      high = max((most / step).rounded(.up) * step, low + step)
    }
  }

  /// Returns the position of a value, 0 at one end and 1 at the other; nil where the axis cannot show it.
  package func position(_ value: Double) -> Double? {
    ChartScale.place(value, on: scale).map { ($0 - low) / (high - low) }
  }

  /// True for a value between the ends.
  package func contains(_ value: Double) -> Bool {
    position(value).map { (-1e-9...1 + 1e-9).contains($0) } ?? false
  }

  /// A value in steps of the axis: itself, decades, or nines.
  private static func place(_ value: Double, on scale: Chart.Axis.Scale) -> Double? {
    if !value.isFinite { return nil }
    switch scale {
    case .linear, .whole, .range: return value
    case .logarithmic, .bytes, .nanoseconds: return value > 0 ? log10(value) : nil
    case .percentile: return (0..<1).contains(value) ? -log10(1 - value) : nil
    }
  }

  /// The labelled values.
  package var ticks: [(position: Double, label: String)] {
    let chosen: [Double]? =
      switch scale {
      case .logarithmic, .nanoseconds: labelled ?? logarithmicTicks
      case .bytes: labelled ?? binaryTicks
      case .linear, .whole, .range, .percentile: labelled
      }
    if let chosen {
      return chosen.compactMap { value -> (position: Double, label: String)? in
        guard let place = position(value) else { return nil }
        return (place, label(ofValue: value))
      }
    }
    let step =
      switch scale {
      case .percentile: max(1, ((high - low) / 7).rounded(.up))
      case .linear, .range, .logarithmic, .bytes, .nanoseconds: ChartScale.step(upTo: high - low)
      case .whole: max(1, ChartScale.step(upTo: high - low))
      }
    // Nines and whole numbers start at the end; other steps are multiples of themselves.
    let first = scale == .range ? (low / step - 1e-9).rounded(.up) * step : low
    return stride(from: first, through: high + step / 1e6, by: step).map { place in
      ((place - low) / (high - low), label(place))
    }
  }

  /// Round values between the ends, the roundest that are at least three; equal steps where none are.
  private var logarithmicTicks: [Double] {
    let decades = Int(low.rounded(.down))...Int(high.rounded(.up))
    let every = max(1, decades.count / 7)
    for digits in [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]] {
      let values = stride(from: decades.lowerBound, through: decades.upperBound, by: every)
        .flatMap { decade in digits.map { $0 * pow(10, Double(decade)) } }
        .filter(contains)
      if values.count > 2 { return values }
    }
    let (least, most) = (pow(10, low), pow(10, high))
    let step = ChartScale.step(upTo: most - least)
    return Array(stride(from: (least / step).rounded(.up) * step, through: most, by: step))
  }

  /// Powers of two between the ends, their exponents in equal steps; both ends where there are not two.
  private var binaryTicks: [Double] {
    let (first, last) = (Int((low / log10(2)).rounded(.up)), Int((high / log10(2)).rounded(.down)))
    if last <= first { return [pow(10, low), pow(10, high)] }
    let step = [1, 2, 5].first { (last - first) / $0 < 6 } ?? 10
    let start = (Double(first) / Double(step)).rounded(.up) * Double(step)
    return stride(from: start, through: Double(last), by: Double(step)).map { exp2($0) }
  }

  /// `512 B`, `64 KiB`, `1.5 MiB`.
  static func bytes(_ value: Double) -> String {
    let units = [(0x1p40, "TiB"), (0x1p30, "GiB"), (0x1p20, "MiB"), (0x1p10, "KiB")]
    let (size, unit) = units.first { value >= $0.0 } ?? (1, "B")
    let number = value / size
    return String(format: number < 999.5 ? "%.3g" : "%.0f", number) + " " + unit
  }

  /// `10 ns`, `1 µs`, `2.5 ms`.
  static func time(_ value: Double) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (size, unit) = units.first { value >= $0.0 * 0.999 } ?? (1, "ns")
    return String(format: "%.3g", value / size) + " " + unit
  }

  private func label(_ place: Double) -> String {
    switch scale {
    case .linear, .whole, .range, .logarithmic, .bytes, .nanoseconds: ChartScale.label(place)
    case .percentile: ChartScale.percentile(nines: Int(place.rounded()))
    }
  }

  private func label(ofValue value: Double) -> String {
    switch scale {
    case .bytes: ChartScale.bytes(value)
    case .nanoseconds: ChartScale.time(value)
    case .linear, .whole, .range, .logarithmic: ChartScale.label(value)
    case .percentile: String(format: "%.7g", value * 100)
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
    return (String(format: "%.6g", abs(value) < 1e-12 ? 0 : value / size) + unit).withMinus
  }
}

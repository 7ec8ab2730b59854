/// Points in a plane, to be drawn.
package struct Chart: Sendable {
  /// An axis of a chart.
  package struct Axis: Sendable {
    /// The scale of its values.
    package enum Scale: Sendable {
      /// Equal steps are equal differences, from 0.
      case linear
      /// Equal steps are equal differences, from the smallest value; only whole numbers are labelled.
      case whole
      /// Equal steps are equal differences, from about the smallest value.
      case range
      /// Equal steps are equal factors; only positive values are drawn.
      case logarithmic
      /// Equal steps are equal factors; only positive numbers of bytes are drawn, in binary units.
      case bytes
      /// Equal steps are equal factors; only positive times in nanoseconds are drawn, each in the unit of its size.
      case nanoseconds
      /// Shares below 1: equal steps are equal factors of what remains (90 %, 99 %, 99.9 %).
      case percentile
    }

    /// The label, unit included.
    package let label: String
    /// The scale of its values.
    package let scale: Scale

    /// Equal steps are equal differences, from 0.
    package static func linear(_ label: String) -> Axis { Axis(label: label, scale: .linear) }

    /// Equal steps are equal differences, from the smallest value; only whole numbers are labelled.
    package static func whole(_ label: String) -> Axis { Axis(label: label, scale: .whole) }

    /// Equal steps are equal differences, from about the smallest value.
    package static func range(_ label: String) -> Axis { Axis(label: label, scale: .range) }

    /// Equal steps are equal factors.
    package static func logarithmic(_ label: String) -> Axis {
      Axis(label: label, scale: .logarithmic)
    }

    /// Equal steps are equal factors of a number of bytes.
    package static func bytes(_ label: String) -> Axis { Axis(label: label, scale: .bytes) }

    /// Equal steps are equal factors of a time in nanoseconds.
    package static func nanoseconds(_ label: String) -> Axis {
      Axis(label: label, scale: .nanoseconds)
    }

    /// Equal steps are equal factors of what remains up to the whole.
    package static func percentile(_ label: String) -> Axis {
      Axis(label: label, scale: .percentile)
    }
  }

  /// Points that belong together.
  package struct Series: Sendable {
    /// The style of points.
    package enum Style: Sendable {
      /// Each for itself.
      case dots
      /// Joined.
      case line
      /// Joined by steps: a value holds until the next point.
      case steps
      /// Joined by a dashed line, which does not make the horizontal axis longer.
      case dashes
    }

    /// Its name, at its end.
    package let name: String
    /// The style.
    package let style: Style
    /// The ink that tells it from the others; by default that of its place among them.
    package let ink: ChartInk?
    /// Horizontal and vertical values.
    package let points: [(x: Double, y: Double)]
    /// The ranges of the vertical values, where they are known.
    package let band: [(x: Double, low: Double, high: Double)]
    /// False for a series that another one's name stands for.
    package let isLabelled: Bool

    package init(
      _ name: String, _ style: Style, ink: ChartInk? = nil, points: [(Double, Double)],
      band: [(Double, Double, Double)] = [], isLabelled: Bool = true
    ) {
      self.name = name
      self.style = style
      self.ink = ink
      self.points = points.map { (x: $0.0, y: $0.1) }
      self.band = band.map { (x: $0.0, low: $0.1, high: $0.2) }
      self.isLabelled = isLabelled
    }
  }

  /// The title.
  package let title: String
  /// The horizontal axis.
  package let x: Axis
  /// The vertical axis.
  package let y: Axis
  /// The series.
  package let series: [Series]

  package init(title: String, x: Axis, y: Axis, series: [Series]) {
    self.title = title
    self.x = x
    self.y = y
    self.series = series
  }
}

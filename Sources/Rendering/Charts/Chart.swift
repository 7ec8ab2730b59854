/// Points in a plane, to be drawn.
public struct Chart: Sendable {
  /// What an axis shows.
  public struct Axis: Sendable {
    /// Where values stand on it.
    public enum Scale: Sendable {
      /// Equal steps are equal differences, from 0.
      case linear
      /// Equal steps are equal differences, from the smallest value; only whole numbers are labelled.
      case whole
      /// Equal steps are equal differences, from about the smallest value.
      case range
      /// Equal steps are equal factors; only positive values are drawn.
      case logarithmic
      /// Shares below 1: equal steps are equal factors of what remains (90 %, 99 %, 99.9 %).
      case percentile
    }

    /// What it measures, unit included.
    public let label: String
    /// Where values stand on it.
    public let scale: Scale

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

    /// Equal steps are equal factors of what remains up to the whole.
    package static func percentile(_ label: String) -> Axis {
      Axis(label: label, scale: .percentile)
    }
  }

  /// Points that belong together.
  public struct Series: Sendable {
    /// How points are drawn.
    public enum Style: Sendable {
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
    public let name: String
    /// How it is drawn.
    public let style: Style
    /// What tells it from the others; by default its place among them.
    public let ink: ChartInk?
    /// Horizontal and vertical values.
    public let points: [(x: Double, y: Double)]
    /// What the vertical values lie between, where that is known.
    public let band: [(x: Double, low: Double, high: Double)]

    package init(
      _ name: String, _ style: Style, ink: ChartInk? = nil, points: [(Double, Double)],
      band: [(Double, Double, Double)] = []
    ) {
      self.name = name
      self.style = style
      self.ink = ink
      self.points = points.map { (x: $0.0, y: $0.1) }
      self.band = band.map { (x: $0.0, low: $0.1, high: $0.2) }
    }
  }

  /// What it shows.
  public let title: String
  /// The horizontal axis.
  public let x: Axis
  /// The vertical axis.
  public let y: Axis
  /// What is drawn.
  public let series: [Series]

  package init(title: String, x: Axis, y: Axis, series: [Series]) {
    self.title = title
    self.x = x
    self.y = y
    self.series = series
  }
}

/// Points in a plane, to be drawn.
public struct Chart: Sendable {
  /// What an axis shows.
  public struct Axis: Sendable {
    /// What it measures, unit included.
    public let label: String
    /// Whether equal steps are equal factors; then only positive values are drawn.
    public let isLogarithmic: Bool

    /// Equal steps are equal differences, from 0.
    package static func linear(_ label: String) -> Axis {
      Axis(label: label, isLogarithmic: false)
    }

    /// Equal steps are equal factors.
    package static func logarithmic(_ label: String) -> Axis {
      Axis(label: label, isLogarithmic: true)
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
      /// Joined by a dashed line, which does not make the axes longer.
      case dashes
    }

    /// Its name in the legend.
    public let name: String
    /// How it is drawn.
    public let style: Style
    /// Horizontal and vertical values.
    public let points: [(x: Double, y: Double)]

    init(_ name: String, _ style: Style, points: [(Double, Double)]) {
      self.name = name
      self.style = style
      self.points = points.map { (x: $0.0, y: $0.1) }
    }
  }

  /// What it shows.
  public let title: String
  /// The horizontal axis.
  public let x: Axis
  /// The vertical axis.
  public let y: Axis
  /// What is drawn, at most two series.
  public let series: [Series]
}

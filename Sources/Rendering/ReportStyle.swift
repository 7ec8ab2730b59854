/// What the place that a report is printed on can show.
public struct ReportStyle: Sendable {
  /// Whether it shows colours.
  public var isColored: Bool
  /// Policies, with their parameters, that must stand out among many.
  public var highlighted: [String]

  /// A style; plain by default.
  public init(isColored: Bool = false, highlighted: [String] = []) {
    self.isColored = isColored
    self.highlighted = highlighted
  }

  /// Plain text.
  public static let plain = ReportStyle()
}

/// The settings of a report beside the results.
public struct ReportStyle: Sendable {
  /// True if the output shows colours.
  public var isColored: Bool
  /// Policies, with their parameters, that must stand out among many.
  public var highlighted: [String]
  /// The names of policies that no cache could run: others are measured against them.
  public var bounds: Set<String>

  /// A style; plain by default.
  public init(
    isColored: Bool = false, highlighted: [String] = [], bounds: Set<String> = []
  ) {
    self.isColored = isColored
    self.highlighted = highlighted
    self.bounds = bounds
  }

  /// Plain text.
  public static let plain = ReportStyle()
}

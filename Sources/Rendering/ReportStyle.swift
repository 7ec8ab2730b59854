/// The settings of a report beside the results.
public struct ReportStyle: Sendable {
  /// True if the output shows colours.
  public var isColored: Bool
  /// Policies, with their parameters, that must stand out among many.
  public var highlighted: [String]
  /// The names of policies that are not ranked, such as those that no cache could run: others are
  /// measured against them.
  public var bounds: Set<String>
  /// The columns that tables must fit; nil for no limit.
  public var width: Int?
  /// The columns after which a sentence goes on in the next line; nil for never.
  public var proseWidth: Int?

  /// A style; plain by default.
  public init(
    isColored: Bool = false, highlighted: [String] = [], bounds: Set<String> = [],
    width: Int? = nil, proseWidth: Int? = nil
  ) {
    self.isColored = isColored
    self.highlighted = highlighted
    self.bounds = bounds
    self.width = width
    self.proseWidth = proseWidth
  }

  /// Plain text.
  public static let plain = ReportStyle()
}

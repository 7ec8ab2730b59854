/// The settings of a report beside the results.
package struct ReportStyle: Sendable {
  /// True if the output shows colours.
  package var isColored: Bool
  /// Policies, with their parameters, that must stand out among many.
  package var highlighted: [String]
  /// The names of policies that are not ranked, such as those that no cache could run: others are
  /// measured against them.
  package var bounds: Set<String>
  /// A sentence on each policy that readers may not know, by its name.
  package var summaries: [String: String]
  /// The sections of a page whose charts a picture shows, by their identifiers.
  package var pictured = ["curves"]
  /// The largest number of charts in a row of a picture.
  package var chartColumns = 1
  /// The columns that tables must fit; nil for no limit.
  package var width: Int?
  /// The columns after which a sentence goes on in the next line; nil for never.
  package var proseWidth: Int?

  /// A style; plain by default.
  package init(
    isColored: Bool = false, highlighted: [String] = [], bounds: Set<String> = [],
    summaries: [String: String] = [:], width: Int? = nil, proseWidth: Int? = nil
  ) {
    self.isColored = isColored
    self.highlighted = highlighted
    self.bounds = bounds
    self.summaries = summaries
    self.width = width
    self.proseWidth = proseWidth
  }

  /// Plain text.
  package static let plain = ReportStyle()
}

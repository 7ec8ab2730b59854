/// The entry of a catalog's member, such as a trace format or a generator.
public struct CatalogEntry: Sendable {
  /// The name that users write.
  public let name: String
  /// The summary, in one line.
  public let summary: String
  /// Its parameters, in the order in which help lists them.
  public let parameters: [Parameter]

  /// An entry with these facts.
  public init(name: String, summary: String, parameters: [Parameter] = []) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
  }
}

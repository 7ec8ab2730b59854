/// What a catalog says about one of its members, such as a trace format or a generator.
public struct CatalogEntry: Sendable {
  /// The name by which it is asked for.
  public let name: String
  /// What it is, in one line.
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

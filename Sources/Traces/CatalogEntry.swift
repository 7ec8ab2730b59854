import Parameters

/// What a catalog says about one of its members: a trace format or a generator.
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

  /// The arguments of a specification of this member. Throws `specification` when one is wrong.
  func arguments(_ specification: Specification) throws(TraceError) -> Arguments {
    do throws(SpecificationError) {
      return try specification.arguments(for: parameters)
    } catch {
      throw .specification(error)
    }
  }

  /// The parts of a specification. Throws `specification` when it isn't one.
  static func parse(_ text: String) throws(TraceError) -> Specification {
    do throws(SpecificationError) {
      return try Specification(parsing: text)
    } catch {
      throw .specification(error)
    }
  }
}

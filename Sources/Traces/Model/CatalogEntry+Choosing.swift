import Parameters

extension CatalogEntry {
  /// The arguments of a specification of this member. Throws `specification` when one is wrong.
  func arguments(_ specification: Specification) throws(TraceError) -> Arguments {
    do throws(SpecificationError) {
      return try specification.arguments(for: parameters)
    } catch {
      throw .specification(error)
    }
  }

  /// The member of a catalog that a specification names, and its arguments.
  ///
  /// Throws `usage` when there is no such member, `specification` when a parameter is wrong.
  ///
  /// - Parameter suggestions: Members for names that none has.
  static func choose<Member>(
    _ text: String, among members: [Member], _ kind: String,
    suggestions: [String: Specification] = [:], _ entry: (Member) -> CatalogEntry
  ) throws(TraceError) -> (type: Member, arguments: Arguments) {
    let specification: Specification
    do throws(SpecificationError) {
      specification = try Specification(parsing: text)
    } catch {
      throw .specification(error)
    }
    guard let member = members.first(where: { entry($0).name == specification.name }) else {
      throw .usage(
        problem: "no \(kind) is called “\(specification.name)”",
        remedy: suggestions[specification.name.lowercased()].map { "did you mean \($0)?" }
          ?? members.map(entry).remedy(for: specification.name))
    }
    return (member, try entry(member).arguments(specification))
  }
}

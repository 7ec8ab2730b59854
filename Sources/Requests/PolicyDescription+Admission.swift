import EvictionCore
import Parameters

/// The admission filter as a parameter that every policy has, with its own parameters behind it:
/// `lru:admission=size:admission.limit=64KiB`.
extension PolicyDescription {
  /// Names the filter.
  package static let admissionParameter = Parameter(
    "admission", .choice(AdmissionCatalog.all.map { $0.information.name }),
    default: .text(AlwaysAdmission.information.name),
    help: "the filter that newcomers must pass; its parameters follow as admission.NAME=")

  /// The parameters that `specification` gives, typed: the policy's own, the common ones, and those of
  /// the admission filter that it names.
  ///
  /// - Throws: `SpecificationError` for a parameter that neither policy nor filter has, and for a value
  ///   out of range.
  package func arguments(
    of specification: Specification
  ) throws(SpecificationError) -> Arguments {
    let filter = specification.nested("admission").flatMap {
      AdmissionCatalog.filter(named: $0.name)
    }
    let nested = filter?.information.nestedParameters ?? []
    for (key, _) in specification.given where key.hasPrefix("admission.") {
      if nested.contains(where: { $0.name == key }) { continue }
      throw .unknown(
        name: filter.map { "the admission filter \($0.information.name)" }
          ?? "\(specification.name) without an admission filter",
        parameter: key, known: filter == nil ? parameters.map(\.name) : nested.map(\.name))
    }
    return try specification.arguments(for: parameters + nested)
  }

  /// The filter of a run; nil for none.
  @usableFromInline
  package static func filter(
    _ options: RunOptions, policy: String, isSized: Bool
  ) throws(PolicyError) -> AdmissionFilter? {
    try AdmissionCatalog.makeFilter(
      options.arguments.nested("admission"), policy: policy, capacity: options.capacity,
      isSized: isSized, seed: options.seed)
  }
}

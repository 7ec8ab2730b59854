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
  /// the admission filter and the prefetcher that it names.
  ///
  /// - Throws: `SpecificationError` for a parameter that neither policy nor filter nor prefetcher has, and for a
  ///   value out of range.
  package func arguments(
    of specification: Specification
  ) throws(SpecificationError) -> Arguments {
    let filter = specification.nested("admission").flatMap {
      AdmissionCatalog.filter(named: $0.name)?.information
    }
    let prefetcher = specification.nested("prefetch").flatMap {
      PrefetcherCatalog.prefetcher(named: $0.name)?.information
    }
    let families = [
      ("admission", "admission filter", filter?.name, filter?.nestedParameters),
      ("prefetch", "prefetcher", prefetcher?.name, prefetcher?.nestedParameters),
    ]
    var nested: [Parameter] = []
    for (prefix, noun, name, own) in families {
      for (key, _) in specification.given where key.hasPrefix(prefix + ".") {
        if own?.contains(where: { $0.name == key }) == true { continue }
        throw .unknown(
          name: name.map { "the \(noun) \($0)" }
            ?? "\(specification.name) without \(noun == "prefetcher" ? "a" : "an") \(noun)",
          parameter: key, known: (own ?? parameters).map(\.name))
      }
      nested += own ?? []
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

import Parameters

/// Every admission filter. A new filter is one line here.
public enum AdmissionCatalog {
  /// The filters, in the order in which help lists them.
  public static let all: [AdmissionFilter.Type] = [
    AlwaysAdmission.self,
    SizeAdmission.self,
    ProbabilityAdmission.self,
    SizeProbabilityAdmission.self,
    BloomAdmission.self,
    TinyLFUAdmission.self,
    AdaptSizeAdmission.self,
  ]

  /// The filter called `name`, or nil.
  public static func filter(named name: String) -> AdmissionFilter.Type? {
    all.first { $0.information.name == name }
  }

  /// Creates the filter that `specification` names, for a cache of `policy`.
  ///
  /// - Returns: The filter; nil for none, which is what `always` means.
  /// - Throws: ``PolicyError`` for an unknown filter or parameter, for a filter that decides by bytes in
  ///   a cache that counts objects, and for a cache without a capacity.
  public static func makeFilter(
    _ specification: Specification?, policy: String, capacity: Int?, isSized: Bool, seed: UInt64
  ) throws(PolicyError) -> AdmissionFilter? {
    guard let specification else { return nil }
    guard let filter = filter(named: specification.name) else {
      let remedy = all.map(\.information.name).remedy(for: specification.name)
      throw .conflict(
        policy: policy,
        explanation: "no admission filter is called “\(specification.name)”; \(remedy)")
    }
    let arguments: Arguments
    do throws(SpecificationError) {
      arguments = try specification.arguments(for: filter.information.parameters)
    } catch { throw .specification(error) }
    if filter.information.needsSizes && !isSized {
      throw .conflict(
        policy: policy,
        explanation: "the admission filter \(specification.name) decides by bytes, and here every "
          + "object counts one; give the capacity in bytes")
    }
    if filter == AlwaysAdmission.self { return nil }
    guard let capacity else {
      throw .conflict(
        policy: policy, explanation: "an admission filter needs a limit to work with; set one")
    }
    return filter.init(
      AdmissionConfiguration(
        capacity: capacity, isSized: isSized, seed: seed, arguments: arguments))
  }
}

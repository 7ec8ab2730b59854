import Parameters

/// The admission filter of a cache: which one, and with which parameters.
///
///     let images = MemoryCache<Int, [UInt8]>(costLimit: 64 << 20, costs: .bytes, admission: .size(limit: 1 << 20))
///
/// Each filter of ``AdmissionCatalog`` adds a member under its own name. Text that is known only when the
/// program runs makes one as well: `CacheAdmission(try Specification(parsing: "size:limit=1MiB"))`.
public struct CacheAdmission: Sendable {
  /// The filter's name, and the parameters that were given.
  public let specification: Specification

  /// The filter of the catalog that `specification` names; whether there is one is found out when a cache is
  /// made.
  public init(_ specification: Specification) { self.specification = specification }

  /// The filter `name`, with values by the names of its parameters; those that are nil are its defaults.
  init(_ name: String, parameters: KeyValuePairs<String, (any CustomStringConvertible)?> = [:]) {
    specification = Specification(name: name, values: parameters)
  }
}

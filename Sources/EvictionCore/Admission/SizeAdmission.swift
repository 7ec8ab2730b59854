import Parameters

/// Refuses objects larger than a limit.
public final class SizeAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "size", summary: "refuses objects larger than a limit",
      paper: "M. Abrams, C. R. Standridge, G. Abdulla, S. Williams and E. A. Fox, “Caching "
        + "proxies: limitations and potentials”, WWW 1995 (LRU-Threshold).",
      idea: "One large object takes the room of many small ones, which together are requested "
        + "more often.",
      decision: "An object is admitted if its size is at most the limit.",
      complexity: "O(1) per miss, no memory.",
      differences:
        "An object of exactly the limit is admitted. The default limit is this project's.",
      parameters: [
        Parameter(
          "limit", .bytes(in: 1...Int.max), default: .integer(512 << 10),
          help: "the largest size that is admitted")
      ],
      needsSizes: true)
  }

  private let limit: Int

  /// Takes the limit from the parameters.
  public required init(_ configuration: AdmissionConfiguration) {
    limit = configuration.arguments.integer("limit")
    super.init(configuration)
  }

  /// Returns true if the object is no larger than the limit.
  override public func admits(_ request: Request) -> Bool { request.size <= limit }
}

extension CacheAdmission {
  /// ``SizeAdmission``.
  ///
  /// - Parameter limit: The largest size that is admitted.
  public static func size(
    limit: Int? = nil
  ) -> CacheAdmission {
    CacheAdmission(
      "size", parameters: ["limit": limit])
  }
}

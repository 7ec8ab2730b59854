import Parameters

/// When generated requests are made: one file in this folder, one line in `all`.
public protocol ArrivalTimes: Sendable {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// Times from 0 on.
  init(_ arguments: Arguments, seed: UInt64)

  /// Requests a second, in the long run.
  var rate: Double { get }

  /// Fills a block with the times of the next requests, in nanoseconds. Times never step back.
  mutating func fill(_ times: UnsafeMutableBufferPointer<Int64>)
}

/// The catalog of arrival times.
public enum ArrivalTimesCatalog {
  /// All of them; a new one is one file and one line here.
  public static let all: [any ArrivalTimes.Type] = [PeriodicTimes.self, PoissonTimes.self]

  /// The longest span of generated times in seconds, three years on average, so that even the rarest
  /// draws stay within the 32 bits of seconds that libCacheSim's records have.
  static let longest = 1e8

  /// The times of a specification such as `poisson:rate=1000`.
  static func times(
    _ text: String, seed: UInt64, requests: Int
  ) throws(TraceError) -> any ArrivalTimes {
    let (type, arguments) = try CatalogEntry.choose(
      text, among: all, "kind of arrival times"
    ) { $0.information }
    let times = type.init(arguments, seed: seed)
    if Double(requests) / times.rate > longest {
      throw .usage(
        problem: "\(text): \(requests) requests would take more than \(Int(longest)) seconds",
        remedy: "raise the rate or make fewer requests")
    }
    return times
  }
}

extension Parameter {
  /// Requests a second.
  static let rate = Parameter(
    "rate", .fraction(in: Fraction(1, 1_000_000)...Fraction(1_000_000_000)),
    default: .fraction(Fraction(1000)), help: "requests a second")
}

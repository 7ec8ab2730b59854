import Parameters

/// The times at which generated requests are made, from 0 on.
package struct ArrivalTimes: Sendable {
  /// The kinds: at equal distances, or as a Poisson process, whose distances are independent and
  /// exponentially distributed, as those of many users who know nothing of each other.
  package static let kinds = [
    CatalogEntry(name: "periodic", summary: "requests at equal distances", parameters: [rate]),
    CatalogEntry(
      name: "poisson", summary: "independent, exponentially distributed distances",
      parameters: [rate]),
  ]

  private static let rate = Parameter(
    "rate", .fraction(in: Fraction(1, 1_000_000)...Fraction(1_000_000_000)),
    default: .fraction(Fraction(1000)), help: "requests a second")

  /// The longest span of generated times in seconds, three years on average, so that even the rarest
  /// draws stay within the 32 bits of seconds that libCacheSim's records have.
  private static let longest = 1e8

  private let isPeriodic: Bool
  /// Nanoseconds from one request to the next, on average.
  private let gap: Double
  private var made = 0.0
  private var now: Int64 = 0
  private var random: RandomSource

  /// The times of a specification such as `poisson:rate=1000`.
  init(_ text: String, seed: UInt64, requests: Int) throws(TraceError) {
    let (kind, arguments) = try CatalogEntry.choose(
      text, among: Self.kinds, "kind of arrival times"
    ) { $0 }
    let rate = arguments.fraction("rate").double
    if Double(requests) / rate > Self.longest {
      throw .usage(
        problem: "\(text): \(requests) requests would take more than \(Int(Self.longest)) seconds",
        remedy: "raise the rate or make fewer requests")
    }
    isPeriodic = kind.name == Self.kinds[0].name
    gap = 1e9 / rate
    random = RandomSource(seed: seed)
  }

  /// Fills a block with the times of the next requests, in nanoseconds. Times never step back.
  mutating func fill(_ times: UnsafeMutableBufferPointer<Int64>) {
    for index in times.indices {
      if isPeriodic {
        now = Int64(made * gap)
        made += 1
      } else {
        now += Int64((random.exponential() * gap).rounded())
      }
      times[index] = now
    }
  }
}

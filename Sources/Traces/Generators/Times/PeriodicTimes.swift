import Parameters

/// Requests at equal distances.
struct PeriodicTimes: ArrivalTimes {
  static let information = CatalogEntry(
    name: "periodic", summary: "requests at equal distances", parameters: [.rate])

  let rate: Double
  private var made = 0.0

  init(_ arguments: Arguments, seed: UInt64) { rate = arguments.fraction("rate").double }

  mutating func fill(_ times: UnsafeMutableBufferPointer<Int64>) {
    let gap = 1e9 / rate
    for index in times.indices {
      times[index] = Int64(made * gap)
      made += 1
    }
  }
}

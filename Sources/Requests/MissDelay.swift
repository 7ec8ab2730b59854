import Results

/// The time that the fetch of a missed object takes in virtual time, during which its requests wait.
@usableFromInline
package enum MissDelay: Sendable, Equatable {
  /// Nanoseconds on the trace's clock.
  case time(Int64)
  /// That many requests of the trace.
  case requests(Int64)

  /// The delay on the clock of ``unit``.
  package var length: Int64 {
    switch self {
    case .time(let nanoseconds): nanoseconds
    case .requests(let count): count
    }
  }

  /// The unit of latencies.
  package var unit: LatencyMeasures.Unit {
    switch self {
    case .time: .nanoseconds
    case .requests: .requests
    }
  }

  /// The delay as documents hold it: `"10000000ns"`, `"100requests"`.
  package var json: JSON {
    switch self {
    case .time(let nanoseconds): .string("\(nanoseconds)ns")
    case .requests(let count): .string("\(count)requests")
    }
  }
}

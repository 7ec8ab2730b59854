import EvictionCore
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

  /// The reason why a run cannot have the delay; nil if it can.
  func conflict(
    _ run: RunOptions, policy: String, over shape: RequestShape, isObserved: Bool
  ) -> PolicyError? {
    let refusal: String? =
      if shape.requests == nil {
        "runs over the whole trace, and this one comes block by block; leave out --stream"
      } else if run.expires {
        "runs over objects that do not expire; leave out --expire"
      } else if !shape.areReferences {
        "runs over gets, or reads and writes of blocks, and this trace sets or removes objects; take another"
      } else if run.arguments.nested("admission") != nil {
        "is of a policy alone; leave out the admission filter"
      } else if run.prefetches {
        "is of objects that are requested; leave out the prefetcher"
      } else if isObserved {
        "is of a run of its own: contract and evictions are those without it; leave it out"
      } else if length.multipliedReportingOverflow(by: Int64(shape.requests ?? 1)).overflow {
        "is so long that the sum of the latencies is no number of 64 bits; give a shorter one"
      } else { nil }
    return refusal.map {
      .conflict(policy: policy, explanation: "the delay of misses \($0)")
    }
  }
}

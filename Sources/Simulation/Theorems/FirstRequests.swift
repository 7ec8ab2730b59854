import EvictionCore
import Requests
import Results
import Traces

/// The first requests of a run, over which what answers it is compared with its policy.
struct FirstRequests {
  let stream: RequestStream

  private static var most: Int { 10_000 }

  init(_ ids: UnsafePointer<UInt32>, count: Int, needs: RequestNeeds) {
    let first = UnsafeBufferPointer(start: ids, count: min(count, FirstRequests.most))
    stream = RequestStream(Trace(keys: Array(first)), needs: needs)
  }

  /// Those of the runs, and a tenth of the keys, so that something is evicted; ascending.
  func capacities(of runs: [RunOptions], atLeast minimum: Int) -> [Int] {
    Set(runs.map(\.capacity) + [max(stream.trace.distinct / 10, minimum)]).sorted()
  }

  func contradiction(
    _ policy: PolicyInformation, at capacity: Int, file: String, answered: RequestCounts,
    simulated: RequestCounts
  ) -> PolicyError {
    .theorem(
      policy: policy.name,
      explanation: "\(file) counts \(answered.hits) hits and \(answered.evictions) "
        + "evictions of the first \(stream.requests) requests at capacity \(capacity) where "
        + "\(policy.file) has \(simulated.hits) and \(simulated.evictions); correct the "
        + "one that is wrong")
  }
}

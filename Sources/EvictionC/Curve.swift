import CEvictionLab
import Simulation

/// Counts the hits of LRU at every capacity.
@_cdecl("evl_lru_curve")
public func lruCurve(
  _ trace: OpaquePointer?, _ progress: evl_progress?, _ context: UnsafeMutableRawPointer?,
  _ hits: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>?,
  _ count: UnsafeMutablePointer<UInt64>?, _ requests: UnsafeMutablePointer<UInt64>?,
  _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(hits, "hits")
    let count = try Argument.present(count, "count")
    let requests = try Argument.present(requests, "requests")
    let trace = try TraceObject.trace(trace)
    if trace.requests > StackDistances.mostRequests {
      throw CallFailure(
        EVL_DATA,
        "\(trace.name) has more than \(StackDistances.mostRequests) requests; read fewer of them")
    }
    let counts = try Watch.run(progress, context) { (watch) throws(CallFailure) in
      let counts = StackDistances.counts(in: trace) { watch.note($0, of: trace.requests) }
      guard let counts else { throw .cancelled }
      return counts
    }
    var sums: [UInt64] = [0]
    for hits in counts.hits { sums.append(sums[sums.count - 1] + UInt64(hits)) }
    place.pointee = try Copies.of(sums)
    count.pointee = UInt64(sums.count)
    requests.pointee = UInt64(counts.requests)
  }
}

extension Trace {
  /// The trace in another order: no request is further than `reach` from its place.
  ///
  /// Requests of one key keep their order among themselves, so that a write stays before the read that follows it.
  /// Times stay where they are: what comes at a time is another request. Groups are left out. O(requests and distinct
  /// keys); the memory of the new trace.
  package func reordered(by model: any OrderModel.Type, reach: Int, seed: UInt64) -> Trace {
    if reach == 0 { return self }
    let rows = ids.withUnsafeBufferPointer {
      model.arrivals(of: requests, reach: reach, seed: seed, keeping: $0)
    }
    return subset(Column(rows), times: times, groupStarts: nil)
  }

  /// The trace from a request on.
  package func suffix(from first: Int) -> Trace {
    first == 0 ? self : subset(Column(UInt64(first)..<UInt64(requests)))
  }
}

import Requests
import Traces

/// The choices of an optimal cache: for each request whose object is requested again, the stay until then,
/// which costs the object's size for as long and gains one hit.
///
/// An object keeps the size it was inserted with, so where sizes change, a stay may take any size that
/// the object has had: bounds from above take the smallest, bounds from below the largest.
package struct ReuseIntervals: Sendable {
  /// One stay: from the request numbered `start` to the hit numbered `end`.
  struct Interval: Sendable {
    let start: UInt32
    let end: UInt32
    let smallest: Int
    let largest: Int

    /// Between how many requests the object stays.
    var length: Int { Int(end - start) }
  }

  /// In the order of their starts.
  let intervals: [Interval]
  /// Between how many requests something can stay.
  let steps: Int
  /// Requests that count.
  let requests: Int
  /// Their bytes.
  let bytes: Int

  private let sizes: Column<UInt64>?

  /// The stays of a stream that was prepared with next uses.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - warmup: Requests at the start that do not count.
  ///   - countsSets: Counts sets as requests.
  ///   - goesOn: Asked about every million requests; false leaves out the rest, and nothing may follow from the stays.
  package init(
    _ stream: RequestStream, warmup: Int, countsSets: Bool, goesOn: () -> Bool = { true }
  ) {
    guard let nextUses = stream.nextUses else { preconditionFailure("bounds need next uses") }
    let trace = stream.trace
    sizes = stream.isSized ? trace.sizes : nil
    steps = max(stream.requests - 1, 0)
    var intervals: [Interval] = []
    intervals.reserveCapacity(stream.requests - min(trace.distinct, stream.requests))
    var smallest = [Int](repeating: .max, count: trace.distinct)
    var largest = [Int](repeating: 0, count: trace.distinct)
    var (requests, bytes) = (0, 0)
    for index in 0..<stream.requests {
      if index & 0xF_FFFF == 0xF_FFFF && !goesOn() { break }
      let role = trace.operations?[index].role ?? .reference
      if role == .removal || role == .renewal { continue }
      let key = Int(stream.ids[index])
      let size = stream.sizes.map { Int(clamping: $0[index]) } ?? 1
      if size == ColumnSource.unknownSize {
        // A miss that admits nothing, whatever the policy.
        if index >= warmup && (role == .reference || countsSets) { requests += 1 }
        continue
      }
      smallest[key] = min(smallest[key], size)
      largest[key] = max(largest[key], size)
      if index >= warmup && (role == .reference || countsSets) {
        requests += 1
        bytes &+= size
      }
      if nextUses[index] == NextUses.none { continue }
      intervals.append(
        Interval(
          start: UInt32(index), end: nextUses[index], smallest: smallest[key],
          largest: largest[key]))
    }
    self.intervals = intervals
    self.requests = requests
    self.bytes = bytes
  }

  /// Returns the gain of the hit at the end of a stay.
  func gain(of interval: Interval, objective: OptimumBounds.Objective) -> Int {
    if objective == .objects { return 1 }
    return sizes.map { Int(clamping: $0[Int(interval.end)]) } ?? 1
  }

  /// Returns the gain of all that counts.
  func total(_ objective: OptimumBounds.Objective) -> Int {
    objective == .objects ? requests : bytes
  }
}

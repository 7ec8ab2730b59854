extension Trace {
  /// What the distinct keys take together, each with the size of its first request.
  ///
  /// O(requests); nil for a trace without sizes; at most `Int.max`.
  package var distinctBytes: Int? {
    guard let sizes else { return nil }
    var next = 0
    var total = 0
    for (index, id) in ids.enumerated() where id == next {
      let (sum, overflows) = total.addingReportingOverflow(Int(clamping: sizes[index]))
      total = overflows ? .max : sum
      next += 1
    }
    return total
  }

  /// The mean size of an object, each with the size of its first request; nil without sizes.
  package var meanObjectSize: Double? {
    distinctBytes.map { Double($0) / Double(max(1, distinct)) }
  }

  /// How long the trace lasts, from its first request to its last, in nanoseconds; nil without times.
  package var duration: Int64? {
    guard let times, let first = times.first, let last = times.last else { return nil }
    let (difference, isOver) = last.subtractingReportingOverflow(first)
    return isOver ? nil : difference
  }
}

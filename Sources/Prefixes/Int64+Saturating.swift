extension Int64 {
  /// The sum, or the end of the numbers where it lies beyond.
  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the numbers where it lies beyond.
  func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }
}

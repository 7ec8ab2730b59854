import Results

/// The times of operations on disk, by kind and by size of value.
struct DiskTimes {
  enum Operation: Int, CaseIterable {
    case read, coldRead, write, replace
  }

  private let threshold: Int
  private var all = Operation.allCases.map { _ in DurationHistogram() }
  private var bySize: [Place: DurationHistogram] = [:]
  /// The number of requests for them in the trace.
  private var asked: [Place: Int] = [:]

  private struct Place: Hashable {
    var operation: Operation
    var isInline: Bool
    /// The exponent of the smallest size, -1 for 0.
    var exponent: Int
  }

  init(inlineThreshold: Int) { threshold = inlineThreshold }

  /// Takes a time.
  ///
  /// - Parameter isSample: True if the trace did not ask for the operation: its time is one more to know,
  ///   but it is not counted among the operations of its size.
  mutating func record(
    _ nanoseconds: UInt64, _ operation: Operation, size: Int, isSample: Bool = false
  ) {
    all[operation.rawValue].record(nanoseconds)
    let place = Place(
      operation: operation, isInline: size <= threshold, exponent: DiskTimes.exponent(of: size))
    bySize[place, default: DurationHistogram()].record(nanoseconds)
    if !isSample { asked[place, default: 0] += 1 }
  }

  /// The binary logarithm of a size, rounded down; -1 for 0.
  static func exponent(of size: Int) -> Int { Int.bitWidth - 1 - size.leadingZeroBitCount }

  func summary(_ operation: Operation) -> LatencySummary? { all[operation.rawValue].latency }

  /// The times by size, the smallest first.
  var sizes: [SizeTimes] {
    var times: [SizeTimes] = []
    let places = Set(bySize.keys.map { [$0.exponent, $0.isInline ? 0 : 1] })
    for at in places.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
      func place(_ operation: Operation) -> Place {
        Place(operation: operation, isInline: at[1] == 0, exponent: at[0])
      }
      func histogram(_ operation: Operation) -> DurationHistogram? { bySize[place(operation)] }
      func count(_ operation: Operation) -> Int { asked[place(operation), default: 0] }
      var size = SizeTimes()
      size.from = at[0] < 0 ? 0 : 1 << at[0]
      size.isInline = at[1] == 0
      size.reads = count(.read)
      size.read = histogram(.read).map { Double($0.percentile(50)) }
      size.coldRead = histogram(.coldRead).map { Double($0.percentile(50)) }
      size.writes = count(.write)
      size.write = histogram(.write)?.mean
      size.replaces = count(.replace)
      size.replace = histogram(.replace)?.mean
      times.append(size)
    }
    return times
  }
}

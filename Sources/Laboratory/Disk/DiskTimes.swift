/// The times of operations on disk, by kind and by size of value.
struct DiskTimes {
  enum Operation: Int, CaseIterable {
    case read, coldRead, write, replace
  }

  private let threshold: Int
  private var all = Operation.allCases.map { _ in DurationHistogram() }
  private var bySize: [Place: DurationHistogram] = [:]

  private struct Place: Hashable {
    var operation: Operation
    var isInline: Bool
    /// The exponent of the smallest size, -1 for 0.
    var exponent: Int
  }

  init(inlineThreshold: Int) { threshold = inlineThreshold }

  mutating func record(_ nanoseconds: UInt64, _ operation: Operation, size: Int) {
    all[operation.rawValue].record(nanoseconds)
    let place = Place(
      operation: operation, isInline: size <= threshold, exponent: DiskTimes.exponent(of: size))
    bySize[place, default: DurationHistogram()].record(nanoseconds)
  }

  /// The binary logarithm of a size, rounded down; -1 for 0.
  static func exponent(of size: Int) -> Int { Int.bitWidth - 1 - size.leadingZeroBitCount }

  func summary(_ operation: Operation) -> LatencySummary? { all[operation.rawValue].latency }

  /// The times by size, the smallest first.
  var sizes: [SizeTimes] {
    var times: [SizeTimes] = []
    let places = Set(bySize.keys.map { [$0.exponent, $0.isInline ? 0 : 1] })
    for place in places.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
      func histogram(_ operation: Operation) -> DurationHistogram? {
        bySize[Place(operation: operation, isInline: place[1] == 0, exponent: place[0])]
      }
      var size = SizeTimes(from: place[0] < 0 ? 0 : 1 << place[0], isInline: place[1] == 0)
      size.reads = histogram(.read)?.count ?? 0
      size.read = histogram(.read).map { Double($0.percentile(50)) }
      size.coldRead = histogram(.coldRead).map { Double($0.percentile(50)) }
      size.writes = histogram(.write)?.count ?? 0
      size.write = histogram(.write)?.mean
      size.replaces = histogram(.replace)?.count ?? 0
      size.replace = histogram(.replace)?.mean
      times.append(size)
    }
    return times
  }
}

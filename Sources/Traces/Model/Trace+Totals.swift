extension Trace {
  /// The most bytes that all requests together may ask for: sums of them never overflow.
  static let mostBytes = UInt64(Int64.max) - 1

  /// The bytes of all distinct keys, each with the first size that a request tells.
  ///
  /// O(requests); nil for a trace without sizes; at most `Int.max`.
  package var distinctBytes: Int? {
    guard let sizes else { return nil }
    var objects = ObjectBytes()
    ids.withUnsafeBufferPointer { ids in
      sizes.withUnsafeBufferPointer { sizes in objects.add(ids, sizes) }
    }
    return objects.total
  }

  /// The mean size of an object, each with the first size that a request tells; nil without sizes.
  package var meanObjectSize: Double? {
    distinctBytes.map { Double($0) / Double(max(1, distinct)) }
  }

  /// The fraction of the requests, of those whose key came before, that tell another size than the request before; nil
  /// without sizes, and where no key comes again. O(requests).
  package var sizeChangeRatio: Double? {
    guard let sizes else { return nil }
    var last = [UInt64](repeating: Trace.unknownSize, count: distinct)
    var (repeats, changes) = (0, 0)
    for (id, size) in zip(ids, sizes) {
      let before = last[Int(id)]
      last[Int(id)] = size
      if before == Trace.unknownSize { continue }
      repeats += 1
      if before != size { changes += 1 }
    }
    return repeats == 0 ? nil : Double(changes) / Double(repeats)
  }

  /// The number of requests from one on that count. O(requests).
  package func references(from start: Int) -> Int {
    operations?.dropFirst(start).count { $0.role == .reference } ?? max(0, requests - start)
  }

  /// The time from the earliest to the latest of the requests from one on, in nanoseconds; nil without times. O(requests),
  /// as times may go back: in logs that were joined the newest first.
  package func duration(from start: Int) -> Int64? {
    let all = start == 0 ? promptRequests?.promptTimes ?? times : times
    guard let times = all?.dropFirst(start), let first = times.first else { return nil }
    let (earliest, latest) = times.reduce(into: (first, first)) {
      $0 = (min($0.0, $1), max($0.1, $1))
    }
    let (difference, isOver) = latest.subtractingReportingOverflow(earliest)
    return isOver ? nil : difference
  }

  /// The longest step back from a request's time to a later request's, in nanoseconds; 0 without times. O(requests).
  package var longestStepBack: Int64 {
    guard let times = promptRequests?.promptTimes ?? times, var latest = times.first else {
      return 0
    }
    var longest: Int64 = 0
    for time in times {
      longest = max(longest, latest.subtractingReportingOverflow(time).partialValue)
      latest = max(latest, time)
    }
    return longest
  }
}

/// The bytes of distinct objects, each with the first size that a request tells.
package struct ObjectBytes {
  /// The bytes so far; at most `Int.max`.
  package private(set) var total = 0
  /// The objects so far, whose ids are those below.
  private var distinct: UInt32 = 0
  /// The objects whose size no request has told yet.
  private var untold: Set<UInt32> = []

  /// No object.
  package init() {}

  /// Adds the objects of the next requests. O(requests).
  package mutating func add(
    _ ids: UnsafeBufferPointer<UInt32>, _ sizes: UnsafeBufferPointer<UInt64>
  ) {
    for (id, size) in zip(ids, sizes) { add(id, size) }
  }

  /// Adds the object of the next request. O(1).
  @inline(__always)
  package mutating func add(_ id: UInt32, _ size: UInt64) {
    // Ids are numbered in the order of their first appearance.
    if id == distinct {
      distinct += 1
      if size == Trace.unknownSize { untold.insert(id) } else { add(size) }
    } else if !untold.isEmpty, size != Trace.unknownSize, untold.remove(id) != nil {
      add(size)
    }
  }

  private mutating func add(_ size: UInt64) {
    let (sum, overflows) = total.addingReportingOverflow(Int(clamping: size))
    total = overflows ? .max : sum
  }
}

extension UInt64 {
  /// The sum, or the largest number where it is more than that.
  @inline(__always)
  func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

extension UnsafeBufferPointer<UInt64> {
  /// The sum of the sizes that are known and a first one, saturating. O(n).
  func total(from first: UInt64 = 0) -> UInt64 {
    var sum = first
    for value in self where value != Trace.unknownSize { sum = sum.addingSaturating(value) }
    return sum
  }
}

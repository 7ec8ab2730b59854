import CInline

/// The clock of every measurement: monotonic nanoseconds.
package enum Clock {
  @inline(__always)
  package static func now() -> UInt64 { evl_monotonic_nanoseconds() }

  /// Nanoseconds that this thread has spent on processors: what it waited for one is left out.
  package static func threadTime() -> UInt64 { evl_thread_nanoseconds() }

  /// What two readings in a row differ by, in nanoseconds: the part of every measured time that is the
  /// clock's own. The median of many, as a few are interrupted; measured once.
  package static let overhead: Double = {
    var differences = (0..<1_001).map { _ in
      let pairs = 100
      let start = now()
      for _ in 1..<pairs { _ = now() }
      return Double(now() - start) / Double(pairs)
    }
    differences.sort()
    return differences[differences.count / 2]
  }()
}

import CInline

/// The clock of schedules and of whole passes: monotonic nanoseconds.
package enum Clock {
  @inline(__always)
  package static func now() -> UInt64 { evl_monotonic_nanoseconds() }

  /// Nanoseconds that this thread has spent on processors: what it waited for one is left out.
  package static func threadTime() -> UInt64 { evl_thread_nanoseconds() }
}

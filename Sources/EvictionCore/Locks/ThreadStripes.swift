import CInline

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Zeroed memory in several parts, one for each thread that may run, so that threads which write often
/// do not write to the same cache lines.
///
/// Two threads share a part when there are more of them than parts: what is kept there must bear it.
@usableFromInline
package struct ThreadStripes: @unchecked Sendable {
  @usableFromInline let base: UnsafeMutableRawPointer
  /// From one part to the next, in bytes: whole pairs of cache lines, as processors fetch them.
  @usableFromInline let stride: Int

  /// The number of parts: a power of two, about twice the processors.
  @usableFromInline package let count: Int

  /// Creates stripes of that number of bytes for every thread.
  package init(bytes: Int) {
    let processors = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 2), 64)
    count = 1 << (Int.bitWidth - (2 * processors - 1).leadingZeroBitCount)
    stride = (bytes + 127) / 128 * 128
    base = .allocate(byteCount: count * stride, alignment: 128)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: count * stride)
  }

  /// Its maker does this last.
  package func deallocate() { base.deallocate() }

  /// This thread's part.
  @inlinable @inline(__always)
  package var own: UnsafeMutableRawPointer {
    self[Int(evl_thread_number()) & (count &- 1)]
  }

  @inlinable @inline(__always)
  package subscript(index: Int) -> UnsafeMutableRawPointer { base + index &* stride }
}

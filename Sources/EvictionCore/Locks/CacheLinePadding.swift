/// Unused memory: two cache lines, as processors fetch them in pairs.
///
/// Stored before and after what threads write, it keeps the writes from taking lines away from threads that
/// read or write something else which happens to lie beside it.
@usableFromInline
package struct CacheLinePadding: Sendable {
  private let first: Line = (0, 0, 0, 0, 0, 0, 0, 0)
  private let second: Line = (0, 0, 0, 0, 0, 0, 0, 0)

  private typealias Line = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Zeros.
  package init() {}
}

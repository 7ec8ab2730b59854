import CInline
import Foundation

/// A block of raw memory that grows without being copied.
///
/// Small blocks come from the allocator; blocks of a mapping's worth or more are mappings of
/// their own, grown by moving pages, so that growing never holds the old and the new block at
/// once, and released pages go back to the system.
package struct RawMemory: ~Copyable, @unchecked Sendable {
  /// From here on a block is a mapping of its own.
  package static let mappedFrom = 128 << 10
  private static let page = 4096

  package private(set) var base: UnsafeMutableRawPointer?
  package private(set) var byteCount = 0

  package init() {}

  /// A block of at least `byteCount` zeroed bytes, or nil when memory is short.
  package init?(zeroed byteCount: Int) {
    guard resize(to: byteCount) else { return nil }
    if self.byteCount < Self.mappedFrom, let base { memset(base, 0, self.byteCount) }
  }

  deinit {
    if byteCount >= Self.mappedFrom { evl_unmap(base, byteCount) } else { free(base) }
  }

  /// Makes the block hold `wanted` bytes (rounded up), keeping what it holds. False when memory
  /// is short, and the block is then as before.
  package mutating func resize(to wanted: Int) -> Bool {
    let size = wanted < Self.mappedFrom ? max(wanted, 16) : wanted.rounded(upTo: Self.page)
    if size == byteCount { return true }
    let isMapped = byteCount >= Self.mappedFrom
    let moved: UnsafeMutableRawPointer?
    switch (isMapped, size >= Self.mappedFrom) {
    case (false, false): moved = realloc(base, size)
    case (true, true): moved = evl_remap(base, byteCount, size)
    case (false, true):
      moved = evl_map(size)
      if let moved, let base { moved.copyMemory(from: base, byteCount: byteCount) }
      if moved != nil { free(base) }
    case (true, false):
      moved = malloc(size)
      if let moved, let base {
        moved.copyMemory(from: base, byteCount: size)
        evl_unmap(base, byteCount)
      }
    }
    guard let moved else { return false }
    base = moved
    byteCount = size
    return true
  }
}

extension Int {
  func rounded(upTo multiple: Int) -> Int { (self + multiple - 1) / multiple * multiple }
}

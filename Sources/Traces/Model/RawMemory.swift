import CInline
import Parameters
import Synchronization

/// A block of raw memory that grows without being copied.
///
/// Small blocks come from the allocator; blocks of a mapping's worth or more are mappings of
/// their own, grown by moving pages, so that growing never holds the old and the new block at
/// once, and released pages go back to the system. From ``hugeFrom`` on they stand on huge pages,
/// where the system grants them: columns are read and tables are looked up all over the place.
package struct RawMemory: ~Copyable, @unchecked Sendable {
  /// From here on a block is a mapping of its own.
  package static let mappedFrom = 128 << 10
  private static let page = 4096
  /// From here on a block begins and grows by huge pages, which it is copied onto once.
  private static let hugeFrom = 1 << 20
  private static let hugePage = 2 << 20

  package private(set) var base: UnsafeMutableRawPointer?
  package private(set) var byteCount = 0
  package init() {}

  /// A block of at least `byteCount` zeroed bytes, or nil when memory is short.
  package init?(zeroed byteCount: Int) {
    guard resize(to: byteCount) else { return nil }
    if self.byteCount < Self.mappedFrom, let base { memset(base, 0, self.byteCount) }
  }

  deinit { release() }

  /// Makes the block hold `wanted` bytes (rounded up), keeping what it holds. False when memory
  /// is short, and the block is then as before.
  package mutating func resize(to wanted: Int) -> Bool {
    let size = Self.size(wanted, isGrowing: wanted > byteCount)
    if size == byteCount { return true }
    let isMapped = byteCount >= Self.mappedFrom
    let becomesHuge = byteCount < Self.hugeFrom && size >= Self.hugeFrom
    let moved: UnsafeMutableRawPointer?
    if !isMapped, size < Self.mappedFrom {
      moved = realloc(base, size)
    } else if isMapped, size >= Self.mappedFrom, !becomesHuge {
      moved = evl_remap(base, byteCount, size)
    } else {
      moved = size >= Self.mappedFrom ? evl_map(size) : malloc(size)
      if let moved, let base {
        moved.copyMemory(from: base, byteCount: min(size, byteCount))
        release()
      }
    }
    guard let moved else { return false }
    base = moved
    byteCount = size
    return true
  }

  private static func size(_ wanted: Int, isGrowing: Bool) -> Int {
    if wanted < mappedFrom { return max(wanted, 16) }
    return wanted.rounded(upTo: isGrowing && wanted >= hugeFrom ? hugePage : page)
  }

  private func release() {
    if byteCount >= Self.mappedFrom {
      evl_unmap(base, byteCount)
    } else {
      free(base)
    }
  }
}

/// A block of memory that is shared, and stays where it is as long as it is held.
@usableFromInline
final class HeldMemory: Sendable {
  private let memory: RawMemory

  init(_ memory: consuming RawMemory) { self.memory = memory }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory.base, count: memory.byteCount)
  }
}

extension Int {
  func rounded(upTo multiple: Int) -> Int { (self + multiple - 1) / multiple * multiple }
}

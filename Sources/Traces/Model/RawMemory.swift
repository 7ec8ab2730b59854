import CInline
import Foundation
import Synchronization

/// A block of raw memory that grows without being copied.
///
/// Small blocks come from the allocator; blocks of a mapping's worth or more are mappings of
/// their own, grown by moving pages, so that growing never holds the old and the new block at
/// once, and released pages go back to the system. From ``hugeFrom`` on they stand on huge pages,
/// where the system grants them: columns are read and tables are looked up all over the place.
///
/// A block that is too large for memory moves into a file (``move(toFileIn:)``), of which the system holds
/// as much in memory as there is room for.
package struct RawMemory: ~Copyable, @unchecked Sendable {
  /// From here on a block is a mapping of its own.
  package static let mappedFrom = 128 << 10
  private static let page = 4096
  /// From here on a block begins and grows by huge pages, which it is copied onto once.
  private static let hugeFrom = 1 << 20
  private static let hugePage = 2 << 20

  package private(set) var base: UnsafeMutableRawPointer?
  package private(set) var byteCount = 0
  /// The file without a name that the block is mapped from; nil in memory.
  private var file: UnnamedFile?

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
    if let file { return resize(file, to: wanted) }
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

  /// Moves what the block holds into a file of a folder, where it also grows. False when the disk is
  /// short, and the block is then as before.
  package mutating func move(toFileIn folder: String) -> Bool {
    if file != nil { return true }
    let (old, oldCount) = (base, byteCount)
    guard let file = UnnamedFile(in: folder), let moved = file.map(max(oldCount, 1)) else {
      return false
    }
    if let old {
      moved.base.copyMemory(from: old, byteCount: oldCount)
      release()
    }
    (base, byteCount) = moved
    self.file = file
    return true
  }

  private mutating func resize(_ file: UnnamedFile, to wanted: Int) -> Bool {
    guard let moved = file.map(max(wanted, 1)) else { return false }
    evl_unmap(base, byteCount)
    (base, byteCount) = moved
    file.truncate(to: byteCount)
    return true
  }

  private static func size(_ wanted: Int, isGrowing: Bool) -> Int {
    if wanted < mappedFrom { return max(wanted, 16) }
    return wanted.rounded(upTo: isGrowing && wanted >= hugeFrom ? hugePage : page)
  }

  private func release() {
    if file != nil || byteCount >= Self.mappedFrom {
      evl_unmap(base, byteCount)
    } else {
      free(base)
    }
  }
}

/// A file without a name, which is gone with its owner or the process.
private final class UnnamedFile: Sendable {
  private let descriptor: Int32

  init?(in folder: String) {
    var path = Array("\(folder)/evict-columns-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    if descriptor < 0 { return nil }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Maps the first bytes, rounded up to pages, for which the disk has room; nil where it has not. Bytes
  /// beyond the file's end are zero.
  func map(_ wanted: Int) -> (base: UnsafeMutableRawPointer, byteCount: Int)? {
    let byteCount = wanted.rounded(upTo: 4096)
    #if canImport(Darwin)
      let hasRoom = ftruncate(descriptor, off_t(byteCount)) == 0
    #else
      // A write to a page that the disk has no room for would end the process.
      let hasRoom = posix_fallocate(descriptor, 0, off_t(byteCount)) == 0
    #endif
    guard hasRoom, let base = evl_map_file(descriptor, byteCount) else { return nil }
    return (base, byteCount)
  }

  func truncate(to byteCount: Int) { _ = ftruncate(descriptor, off_t(byteCount)) }
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

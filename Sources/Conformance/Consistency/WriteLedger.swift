import Synchronization

/// The versions of each key that a read may return: every writer records them before and after it writes.
///
/// A removal is a write, too: of a version that no value carries. A write *supersedes* all older versions
/// if it began when no other of its key was under way: each of them was acknowledged by then. Once such a
/// write is acknowledged, or its value is seen, no read that begins later may return an older version.
/// Writes that overlap leave the question open, as whichever the cache executes last stays. So the rule
/// never accuses a cache that is linearizable, and where writes of a key overlap it is lenient.
///
/// A value that is loaded has a version, too, but its load is no write under way: the cache stores it only
/// if the key is neither written nor removed meanwhile. The cache does not say if it stored it, so that it
/// supersedes nothing.
///
/// An entry's time runs from some moment during its write: so much later than its deadline as that write
/// took it must be gone (``StampedValue/isOver(at:)``).
///
/// - Complexity: O(1) an operation. Memory: 16 bytes a key.
final class WriteLedger: @unchecked Sendable {
  private struct Entry: ~Copyable {
    /// The latest version, and in the low 16 bits how many writes are under way.
    let state = Atomic<UInt64>(0)
    /// The oldest version that may be read.
    let floor = Atomic<UInt64>(0)
  }

  /// A write under way.
  struct Write {
    let version: UInt64
    /// Older versions were acknowledged before it began; 0 if that is unknown.
    let supersedes: UInt64
  }

  let keys: Int
  private let entries: UnsafeMutablePointer<Entry>

  init(keys: Int) {
    self.keys = keys
    entries = .allocate(capacity: keys)
    for key in 0..<keys { (entries + key).initialize(to: Entry()) }
  }

  deinit {
    entries.deinitialize(count: keys)
    entries.deallocate()
  }

  /// A write of `key` begins.
  func begin(_ key: UInt64) -> Write {
    let old = entries[Int(key)].state.add(1 << 16 | 1, ordering: .acquiringAndReleasing).oldValue
    let version = old >> 16 + 1
    return Write(version: version, supersedes: old & 0xFFFF == 0 ? version : 0)
  }

  /// A load of `key` begins: the version of what it brings.
  func beginLoad(_ key: UInt64) -> UInt64 {
    entries[Int(key)].state.add(1 << 16, ordering: .acquiringAndReleasing).newValue >> 16
  }

  /// The cache has acknowledged the write.
  func end(_ write: Write, of key: UInt64) {
    raise(key, to: write.supersedes)
    entries[Int(key)].state.subtract(1, ordering: .releasing)
  }

  /// The cache has said that it left everything as it was.
  func cancel(_ write: Write, of key: UInt64) {
    entries[Int(key)].state.subtract(1, ordering: .releasing)
  }

  /// The oldest version that a read which begins now may return.
  func oldestAllowed(_ key: UInt64) -> UInt64 { entries[Int(key)].floor.load(ordering: .acquiring) }

  /// Returns the fault of a value that a read of `key` returned, or nil.
  ///
  /// - Parameters:
  ///   - oldestAllowed: As asked before the read began.
  ///   - start: The time at which the read began.
  func violation(
    in value: StampedValue, of key: UInt64, oldestAllowed: UInt64, start: UInt64
  ) -> Violation? {
    func violation(_ kind: Violation.Kind) -> Violation {
      Violation(kind: kind, key: key, version: value.version, oldestAllowed: oldestAllowed)
    }
    if !value.isWhole { return violation(.torn) }
    if value.key != key { return violation(.anotherKey) }
    let latest = entries[Int(key)].state.load(ordering: .acquiring) >> 16
    if value.version == 0 || value.version > latest { return violation(.neverWritten) }
    if value.version < oldestAllowed { return violation(.stale) }
    if value.isOver(at: start) { return violation(.expired) }
    raise(key, to: value.supersedes)
    return nil
  }

  private func raise(_ key: UInt64, to version: UInt64) {
    // Most often it is there already: a look does not take the cache line from its readers.
    if version > entries[Int(key)].floor.load(ordering: .relaxed) {
      entries[Int(key)].floor.max(version, ordering: .acquiringAndReleasing)
    }
  }
}

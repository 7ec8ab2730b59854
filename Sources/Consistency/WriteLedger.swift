import Synchronization

/// Which versions of each key a read may return: what every writer says before and after it writes.
///
/// A removal is a write, too: of a version that no value carries. A write *supersedes* all older versions
/// if it began when no other of its key was under way: each of them was acknowledged by then. Once such a
/// write is acknowledged, or its value is seen, no read that begins later may return an older version.
/// Writes that overlap leave the question open, as whichever the cache executes last stays. So the rule
/// never accuses a cache that is linearizable, and where writes of a key overlap it is lenient.
///
/// An entry's time runs from some moment during its write, which took at most as long as the longest one
/// of its key: so much later than its deadline, and once no write is under way, it must be gone.
///
/// - Complexity: O(1) an operation. Memory: 24 bytes a key.
final class WriteLedger: @unchecked Sendable {
  private struct Entry: ~Copyable {
    /// The latest version, and in the low 16 bits how many writes are under way.
    let state = Atomic<UInt64>(0)
    /// The oldest version that may be read.
    let floor = Atomic<UInt64>(0)
    /// How long the longest write took whose value expires, in nanoseconds.
    let longest = Atomic<UInt64>(0)
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

  /// The cache has acknowledged the write, after so many nanoseconds if its value expires.
  func end(_ write: Write, of key: UInt64, took duration: UInt64 = 0) {
    raise(key, to: write.supersedes)
    if duration > 0 { entries[Int(key)].longest.max(duration, ordering: .relaxed) }
    entries[Int(key)].state.subtract(1, ordering: .releasing)
  }

  /// The oldest version that a read which begins now may return.
  func oldestAllowed(_ key: UInt64) -> UInt64 { entries[Int(key)].floor.load(ordering: .acquiring) }

  /// What is wrong with a value that a read of `key` returned, or nil.
  ///
  /// - Parameters:
  ///   - oldestAllowed: As asked before the read began.
  ///   - start: When the read began.
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
    if value.deadline < start && isOver(value, of: key, at: start) { return violation(.expired) }
    raise(key, to: value.supersedes)
    return nil
  }

  /// Whether a value past its deadline is so by any account.
  private func isOver(_ value: StampedValue, of key: UInt64, at time: UInt64) -> Bool {
    let isSettled = entries[Int(key)].state.load(ordering: .acquiring) & 0xFFFF == 0
    return isSettled && time - value.deadline > entries[Int(key)].longest.load(ordering: .relaxed)
  }

  private func raise(_ key: UInt64, to version: UInt64) {
    // Most often it is there already: a look does not take the cache line from its readers.
    if version > entries[Int(key)].floor.load(ordering: .relaxed) {
      entries[Int(key)].floor.max(version, ordering: .acquiringAndReleasing)
    }
  }
}

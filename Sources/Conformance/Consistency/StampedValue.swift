import EvictionCore
import Synchronization

/// A value that says whose it is and when it was written, and whether all of it belongs together.
@usableFromInline
package struct StampedValue: Sendable {
  /// The key that it was written under.
  package let key: UInt64
  /// Its number among the writes of its key, from 1.
  package let version: UInt64
  /// Every older version than this was acknowledged before this value's write began; 0 if that is unknown.
  package let supersedes: UInt64
  /// The time at which it expires if it is stored at once, in nanoseconds of the monotonic clock; `UInt64.max`
  /// for never.
  package let deadline: UInt64
  private let checksum: UInt64
  private let body: Body

  /// Memory of its own, counted by references, whose content dies with it.
  private final class Body: Sendable {
    let checksum: Atomic<UInt64>
    /// The duration of the value's write, in nanoseconds; 0 while that is not known.
    let duration = Atomic<UInt64>(0)

    init(_ checksum: UInt64) { self.checksum = Atomic(checksum) }

    deinit { checksum.store(0, ordering: .relaxed) }
  }

  /// Creates the value that a writer stores.
  package init(
    key: UInt64, version: UInt64, supersedes: UInt64 = 0, deadline: UInt64 = .max
  ) {
    self.key = key
    self.version = version
    self.supersedes = supersedes
    self.deadline = deadline
    checksum = StampedValue.checksum(key, version, supersedes, deadline)
    body = Body(checksum)
  }

  /// Creates the value that a cache made of a stored one: its key and version may be another value's.
  package init(_ other: StampedValue, key: UInt64, version: UInt64) {
    self.key = key
    self.version = version
    supersedes = other.supersedes
    deadline = other.deadline
    checksum = other.checksum
    body = other.body
  }

  /// True if all of it is of one value that is still alive.
  package var isWhole: Bool {
    checksum == StampedValue.checksum(key, version, supersedes, deadline)
      && checksum == body.checksum.load(ordering: .relaxed)
  }

  /// The cache has acknowledged the value's write, after that number of nanoseconds.
  func settle(after duration: UInt64) {
    body.duration.store(max(duration, 1), ordering: .releasing)
  }

  /// The cache has said that it did not store the value: a reader sees that it is not whole.
  func withdraw() { body.checksum.store(0, ordering: .relaxed) }

  /// Returns true if it has expired by any account: its time ran from some moment during its write.
  func isOver(at time: UInt64) -> Bool {
    if time <= deadline { return false }
    let duration = body.duration.load(ordering: .acquiring)
    return duration > 0 && time - deadline > duration
  }

  /// Never 0.
  private static func checksum(
    _ key: UInt64, _ version: UInt64, _ supersedes: UInt64, _ deadline: UInt64
  ) -> UInt64 {
    let one = SplitMix64.mix(key &+ SplitMix64.mix(version))
    return SplitMix64.mix(one ^ supersedes) &+ SplitMix64.mix(deadline) | 1
  }
}

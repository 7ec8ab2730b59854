import Synchronization

/// No exclusion at all: for a cache that one thread uses, and as the floor of every comparison.
public final class NoLock: TryableLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "none", summary: "no lock: one thread only", isThreadSafe: false)

  /// True if a body runs; for debug builds.
  private let isInside = Atomic(false)

  /// Creates the lock.
  public init() {}

  /// Runs `body`. In debug builds, traps if another body is seen to run.
  public func withLock(_ body: () -> Void) {
    assert(
      !isInside.exchange(true, ordering: .acquiring),
      "a cache without a lock is used by two threads at once, or within an operation of its own")
    body()
    assert(isInside.exchange(false, ordering: .releasing))
  }

  /// Runs `body`, as ``withLock(_:)`` does.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    withLock(body)
    return true
  }
}

/// No exclusion at all: for a cache that one thread uses, and as the floor of every comparison.
public final class NoLock: CacheLock {
  /// What the catalog says.
  public static let information = LockInformation(
    name: "none", summary: "no lock: one thread only", isThreadSafe: false)

  /// Creates the lock.
  public init() {}

  /// Runs `body`.
  public func withLock(_ body: () -> Void) { body() }
}

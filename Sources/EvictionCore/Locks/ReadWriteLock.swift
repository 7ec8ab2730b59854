#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A POSIX read-write lock of the default kind, which on Linux prefers readers.
public final class ReadWriteLock: CacheLock, @unchecked Sendable {
  /// What the catalog says.
  public static let information = LockInformation(
    name: "rwlock", summary: "pthread_rwlock_t: many readers or one writer", sharesReads: true)

  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  /// Creates an unlocked lock.
  public init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_rwlock_t())
    let code = pthread_rwlock_init(lock, nil)
    precondition(code == 0, "pthread_rwlock_init failed with code \(code)")
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) {
    pthread_rwlock_wrlock(lock)
    body()
    pthread_rwlock_unlock(lock)
  }

  /// Runs `body` beside other readers.
  public func withSharedLock(_ body: () -> Void) {
    pthread_rwlock_rdlock(lock)
    body()
    pthread_rwlock_unlock(lock)
  }
}

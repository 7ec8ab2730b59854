#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A POSIX read-write lock of the default kind, which on Linux prefers readers.
public final class ReadWriteLock: TryableLock, @unchecked Sendable {
  /// The catalog's entry.
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

  /// Runs `body` alone. Traps within a body of this lock, where waiting would never end.
  public func withLock(_ body: () -> Void) {
    entered(pthread_rwlock_wrlock(lock))
    body()
    pthread_rwlock_unlock(lock)
  }

  /// Runs `body` beside other readers. Traps within a body of ``withLock(_:)``.
  public func withSharedLock(_ body: () -> Void) {
    entered(pthread_rwlock_rdlock(lock))
    body()
    pthread_rwlock_unlock(lock)
  }

  /// Runs `body` alone, if no thread is inside.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    if pthread_rwlock_trywrlock(lock) != 0 { return false }
    body()
    pthread_rwlock_unlock(lock)
    return true
  }

  /// Runs `body` beside other readers, if no writer is inside.
  public func withSharedLockIfAvailable(_ body: () -> Void) -> Bool {
    if pthread_rwlock_tryrdlock(lock) != 0 { return false }
    body()
    pthread_rwlock_unlock(lock)
    return true
  }

  @inline(__always)
  private func entered(_ code: Int32) {
    precondition(
      code == 0,
      "the lock was not entered (code \(code)); a key's == or a body of the lock must not use it")
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A POSIX mutex of the default kind.
public final class PThreadLock: TryableLock, @unchecked Sendable {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "pthread", summary: "pthread_mutex_t: sleeps in the kernel at once")

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates an unlocked lock.
  public init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let code = pthread_mutex_init(mutex, nil)
    precondition(code == 0, "pthread_mutex_init failed with code \(code)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_mutex_unlock(mutex)
  }

  /// Runs `body` alone, if the mutex is free.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    if pthread_mutex_trylock(mutex) != 0 { return false }
    body()
    pthread_mutex_unlock(mutex)
    return true
  }
}

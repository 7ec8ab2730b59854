#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The store's one lock: a pthread mutex, which every sanitizer knows.
final class StoreLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` unless another thread has the lock.
  func withLockIfAvailable(_ body: () -> Void) {
    if pthread_mutex_trylock(mutex) != 0 { return }
    defer { pthread_mutex_unlock(mutex) }
    body()
  }

  @inline(__always)
  func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

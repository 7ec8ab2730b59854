import Synchronization

/// The standard library's mutex: a futex on Linux, an unfair lock on Darwin.
public final class MutexLock: TryableLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "mutex", summary: "Synchronization.Mutex: spins briefly, then sleeps in the kernel")

  private let paddingBefore = CacheLinePadding()
  private let mutex = Mutex(())
  /// Orders bodies once more, where the thread sanitizer can see it: the mutex itself is compiled without.
  private let order = Atomic<UInt8>(0)
  private let paddingAfter = CacheLinePadding()

  /// Creates an unlocked lock.
  public init() {}

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) { mutex.withLock { _ in inOrder(body) } }

  /// Runs `body` alone, if the mutex is free.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    mutex.withLockIfAvailable { _ in inOrder(body) } != nil
  }

  @inline(__always)
  private func inOrder(_ body: () -> Void) {
    _ = order.load(ordering: .acquiring)
    body()
    order.store(0, ordering: .releasing)
  }
}

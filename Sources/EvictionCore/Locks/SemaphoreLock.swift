import Dispatch

/// A semaphore of one permit.
public final class SemaphoreLock: TryableLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "semaphore",
    summary: "DispatchSemaphore(value: 1): an atomic count, sleeps when it is taken")

  private let semaphore = DispatchSemaphore(value: 1)

  /// Creates an unlocked lock.
  public init() {}

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) {
    semaphore.wait()
    body()
    semaphore.signal()
  }

  /// Runs `body` alone, if there is a permit.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    // A deadline of zero is Dispatch's “now”, which reads no clock.
    if semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) != .success { return false }
    body()
    semaphore.signal()
    return true
  }
}

import Dispatch

/// A semaphore of one permit.
public final class SemaphoreLock: CacheLock {
  /// What the catalog says.
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
}

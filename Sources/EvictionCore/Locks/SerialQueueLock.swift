import Dispatch

/// A serial dispatch queue, entered synchronously.
public final class SerialQueueLock: CacheLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "serial-queue",
    summary: "a serial DispatchQueue, entered by sync; "
      + "contended: another taker is inside or waiting")

  private let queue = DispatchQueue(label: "EvictionLab.SerialQueueLock")

  /// Creates a lock.
  public init() {}

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) { queue.sync(execute: body) }
}

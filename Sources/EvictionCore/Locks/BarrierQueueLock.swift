import Dispatch

/// A concurrent dispatch queue: what writes is a barrier, what only reads runs beside other readers.
public final class BarrierQueueLock: CacheLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "barrier-queue",
    summary: "a concurrent DispatchQueue; writers enter by a barrier; "
      + "contended: a taker that excludes this one is inside or waiting",
    sharesReads: true)

  private let queue = DispatchQueue(label: "EvictionLab.BarrierQueueLock", attributes: .concurrent)

  /// Creates a lock.
  public init() {}

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) { queue.sync(flags: .barrier, execute: body) }

  /// Runs `body` beside other readers.
  public func withSharedLock(_ body: () -> Void) { queue.sync(execute: body) }
}

/// Mutual exclusion for a cache: at most one body runs at a time.
///
/// A lock is a class behind an existential, so that a cache's lock is chosen at run time; what that
/// costs per operation is a fraction of the cheapest lock.
public protocol CacheLock: AnyObject, Sendable {
  /// Name and summary, as the catalog shows them.
  static var information: LockInformation { get }

  /// Creates an unlocked lock.
  init()

  /// Runs `body` while no other body of this lock runs. Not reentrant.
  func withLock(_ body: () -> Void)

  /// Runs `body`, which only reads, while no body of ``withLock(_:)`` runs; several readers run at once
  /// where the lock can. Not reentrant.
  func withSharedLock(_ body: () -> Void)
}

extension CacheLock {
  /// Runs `body` alone.
  public func withSharedLock(_ body: () -> Void) { withLock(body) }
}

/// A lock that can be asked without waiting.
///
/// A replay counts an acquisition as contended when this fails. A lock that is none of these (a queue) has
/// its takers counted instead: one is contended that comes while another one is inside or waiting.
public protocol TryableLock: CacheLock {
  /// Runs `body` while no other body of this lock runs, if that needs no wait.
  ///
  /// - Returns: False if `body` has not run.
  func withLockIfAvailable(_ body: () -> Void) -> Bool

  /// Runs `body`, which only reads, while no body of ``CacheLock/withLock(_:)`` runs, if that needs no wait.
  ///
  /// - Returns: False if `body` has not run.
  func withSharedLockIfAvailable(_ body: () -> Void) -> Bool
}

extension TryableLock {
  /// Runs `body` alone, if that needs no wait.
  public func withSharedLockIfAvailable(_ body: () -> Void) -> Bool { withLockIfAvailable(body) }
}

/// The catalog's entry of a lock.
public struct LockInformation: Sendable {
  /// The name on the command line.
  public let name: String
  /// One line: what waits, and how.
  public let summary: String
  /// True if several threads may use it.
  public let isThreadSafe: Bool
  /// True if several readers run at once.
  public let sharesReads: Bool

  /// Describes a lock.
  public init(
    name: String, summary: String, isThreadSafe: Bool = true, sharesReads: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.isThreadSafe = isThreadSafe
    self.sharesReads = sharesReads
  }
}

/// Every lock. A new lock is one line here.
public enum LockCatalog {
  /// The locks, in the order in which help lists them.
  public static let all: [any CacheLock.Type] = [
    AdaptiveLock.self,
    MutexLock.self,
    PThreadLock.self,
    SpinLock.self,
    SemaphoreLock.self,
    SerialQueueLock.self,
    BarrierQueueLock.self,
    ReadWriteLock.self,
    BigReaderLock.self,
    NoLock.self,
  ]

  /// The lock called `name`, or nil.
  public static func lock(named name: String) -> (any CacheLock.Type)? {
    all.first { $0.information.name == name }
  }
}

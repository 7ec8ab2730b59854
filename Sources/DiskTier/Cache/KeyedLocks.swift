import EvictionCore
import Foundation
import Synchronization

/// A lock for every key, of which some share one.
struct KeyedLocks: Sendable {
  private let locks = (0..<64).map { _ in NSLock() }
  /// Secret, so that no stranger can choose keys that all share one lock.
  private let seed = UInt64.random(in: .min ... .max)

  /// Runs `body` while no other body for `key` runs; afterwards releases the values that it removed.
  func withLock<Result, Failure: Error>(
    for key: TextKey, _ body: (RemovedValues) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let removed = RemovedValues()
    defer { removed.release() }
    let lock = locks[Int(key.stableHash(seed: seed) & 63)]
    lock.lock()
    defer { lock.unlock() }
    return try body(removed)
  }

  /// Runs `body` while no other body runs; afterwards releases the values that it removed.
  func withAllLocks<Result, Failure: Error>(
    _ body: (RemovedValues) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let removed = RemovedValues()
    defer { removed.release() }
    for lock in locks { lock.lock() }
    defer { for lock in locks { lock.unlock() } }
    return try body(removed)
  }
}

/// Values that are removed while keys are locked, and released afterwards: a value may use the cache as it
/// dies.
final class RemovedValues: Sendable {
  /// The collection of values that this thread removes from a cache in memory; nil outside of
  /// ``collect(_:)``.
  @TaskLocal static var current: RemovedValues?

  private let values = Mutex<[any Sendable]>([])

  /// Keeps a value, or several.
  func add(_ value: any Sendable) { values.withLock { $0.append(value) } }

  /// Runs `body`, and keeps the values that a cache in memory removes meanwhile.
  @discardableResult
  func collect<Result>(_ body: () -> Result) -> Result {
    RemovedValues.$current.withValue(self, operation: body)
  }

  func release() {
    let released = values.withLock { values in
      defer { values = [] }
      return values
    }
    _ = consume released
  }
}

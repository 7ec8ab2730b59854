import EvictionCore
import Foundation

/// A lock for every key, of which some share one.
struct KeyedLocks: Sendable {
  private let locks = (0..<64).map { _ in NSLock() }

  /// Runs `body` while no other body for `key` runs.
  func withLock<Result, Failure: Error>(
    for key: TextKey, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lock = locks[Int(key.stableHash(seed: 0) & 63)]
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Runs `body` while no other body runs.
  func withAllLocks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    for lock in locks { lock.lock() }
    defer { for lock in locks { lock.unlock() } }
    return try body()
  }
}

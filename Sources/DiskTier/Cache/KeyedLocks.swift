import EvictionCore
import Foundation
import Synchronization

/// A lock for every key, of which some share one.
struct KeyedLocks: Sendable {
  private let locks = (0..<64).map { _ in NSLock() }
  /// Secret, so that no stranger can choose keys that all share one lock.
  private let seed = UInt64.random(in: .min ... .max)
  /// Called when a lock was given back, and no other is held.
  private let afterwards: @Sendable () -> Void

  init(afterwards: @escaping @Sendable () -> Void) { self.afterwards = afterwards }

  /// Runs `body` while no other body for `key` runs; afterwards releases the values that it removed.
  ///
  /// - Parameter holdsOther: True if the caller holds another lock.
  func withLock<Result, Failure: Error>(
    for key: TextKey, holdsOther: Bool = false, _ body: (RemovedValues) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let removed = RemovedValues()
    defer {
      removed.release()
      if !holdsOther { afterwards() }
    }
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
    defer {
      removed.release()
      afterwards()
    }
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

  /// Those that this thread releases.
  @TaskLocal private static var releasing: RemovedValues?

  /// Nil once all are released.
  private let values = Mutex<[any Sendable]?>([])

  /// Keeps a value, or several.
  func add(_ value: any Sendable) { _ = keep(CollectionOfOne(value)) }

  /// Runs `body`, and keeps the values that a cache in memory removes meanwhile.
  @discardableResult
  func collect<Result>(_ body: () -> Result) -> Result {
    RemovedValues.$current.withValue(self, operation: body)
  }

  /// Releases all.
  ///
  /// What a value removes as it dies is left to the call that releases already on this thread: a chain of
  /// removals of any length takes no more of the stack than one.
  func release() {
    guard var released = takeAll() else { return }
    if let outer = RemovedValues.releasing, outer.keep(released) { return }
    RemovedValues.$releasing.withValue(self) {
      repeat {
        released = []
        released = takeAll() ?? []
      } while !released.isEmpty
    }
  }

  /// Returns false if all are released.
  private func keep(_ more: some Sequence<any Sendable>) -> Bool {
    values.withLock { values in
      values?.append(contentsOf: more)
      return values != nil
    }
  }

  /// Returns those that are kept; nil if there are none, and no more will be.
  private func takeAll() -> [any Sendable]? {
    values.withLock { values in
      guard let taken = values, !taken.isEmpty else {
        values = nil
        return nil
      }
      values = []
      return taken
    }
  }
}

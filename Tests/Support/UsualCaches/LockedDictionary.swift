import Foundation

/// The standard dictionary behind a mutex, which evicts nothing: a floor.
public final class LockedDictionary<Key: Hashable>: @unchecked Sendable {
  @usableFromInline let mutex = NSLock()
  @usableFromInline var values: [Key: UInt64] = [:]

  /// Creates an empty dictionary.
  @inlinable
  public init() {}

  /// The number of entries.
  @inlinable
  public var count: Int { mutex.withLock { values.count } }

  /// The value of `key`, or nil.
  @inlinable
  public func value(forKey key: Key) -> UInt64? {
    mutex.lock()
    defer { mutex.unlock() }
    return values[key]
  }

  /// Stores `value` under `key`.
  @inlinable
  public func set(_ value: UInt64, forKey key: Key) {
    mutex.lock()
    defer { mutex.unlock() }
    values[key] = value
  }
}

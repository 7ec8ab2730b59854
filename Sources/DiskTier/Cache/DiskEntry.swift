/// An entry as `entry(forKey:)` of a ``DiskCache`` returns it.
public struct DiskEntry<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The bytes that were set beside it; nil if there were none.
  public var extended: [UInt8]?
  /// Its tags.
  public var tags: Set<String>
  /// Sizes, times and cost.
  public var metadata: StoredMetadata
}

extension DiskEntry: Equatable where Value: Equatable {}

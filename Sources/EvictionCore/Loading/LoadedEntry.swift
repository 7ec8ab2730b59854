/// A value that was loaded for a cache, and how the cache is to keep it.
public struct LoadedEntry<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The part of the cost limit that it takes, not negative; nil for what the cache takes it to cost.
  public var cost: Int?
  /// The cost of making it again.
  public var missCost: Double
  /// The time that it lives; nil for the cache's own.
  public var expiration: Expiration?
  /// The tags by which it can be removed with others.
  public var tags: Set<String>

  /// Describes a loaded value.
  public init(
    _ value: Value, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    tags: Set<String> = []
  ) {
    self.value = value
    self.cost = cost
    self.missCost = missCost
    self.expiration = expiration
    self.tags = tags
  }
}

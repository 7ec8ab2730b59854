/// A value that was loaded for a cache, and how the cache is to keep it.
public struct LoadedEntry<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// What it takes of the cost limit.
  public var cost: Int
  /// What it costs to make again.
  public var missCost: Double
  /// How long it lives; nil for what the cache gives its entries.
  public var expiration: Expiration?

  /// Describes a loaded value.
  public init(
    _ value: Value, cost: Int = 1, missCost: Double = 1, expiration: Expiration? = nil
  ) {
    self.value = value
    self.cost = cost
    self.missCost = missCost
    self.expiration = expiration
  }
}

/// What a cache has counted since it was created.
public struct CacheStatistics: Sendable, Equatable {
  /// Gets that found a value.
  public var hits = 0
  /// Gets that found none.
  public var misses = 0
  /// Objects that became resident.
  public var insertions = 0
  /// Objects that left because the limits asked for it.
  public var evictions = 0
  /// Objects that were not admitted: larger than the cost limit, or refused by the policy.
  public var rejections = 0
  /// Objects removed by the user.
  public var removals = 0

  /// Nothing counted yet.
  @inlinable
  public init() {}

  /// Gets.
  public var requests: Int { hits + misses }

  /// Hits ÷ gets; nil before the first get.
  public var hitRatio: Double? { requests == 0 ? nil : Double(hits) / Double(requests) }

  /// Counts what another cache, or another part of this one, has counted.
  public mutating func add(_ other: CacheStatistics) {
    hits += other.hits
    misses += other.misses
    insertions += other.insertions
    evictions += other.evictions
    rejections += other.rejections
    removals += other.removals
  }
}

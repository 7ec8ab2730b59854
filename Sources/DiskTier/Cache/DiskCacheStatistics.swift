/// What a ``DiskCache`` has counted since it was opened; what was in it before is not.
public struct DiskCacheStatistics: Equatable, Sendable {
  /// Gets that returned a value.
  public var hits = 0
  /// Gets that did not.
  public var misses = 0
  /// Sets whose value was stored, new or in the place of an older one.
  public var sets = 0
  /// Sets that were not stored: too large, refused by the policy, or for want of free space.
  public var rejections = 0
  /// Entries that left because the limits, a trim or the free space asked for it.
  public var evictions = 0
  /// Entries that left because they were too old.
  public var expirations = 0
  /// Entries that were removed by their key; those of a remove-all are not counted.
  public var removals = 0
  /// Values that could not be decoded; each became a miss, and its entry was removed.
  public var undecodable = 0

  /// Nothing counted yet.
  public init() {}

  /// Hits ÷ gets; nil before the first get.
  public var hitRatio: Double? {
    hits + misses == 0 ? nil : Double(hits) / Double(hits + misses)
  }
}

/// The counts of a run, after its warm-up.
public struct RequestCounts: Sendable, Equatable {
  /// Counted requests.
  public var requests = 0
  /// Requests that found their object resident.
  public var hits = 0
  /// Objects that entered the cache.
  public var insertions = 0
  /// Objects that the policy evicted.
  public var evictions = 0
  /// Objects that left because their time to live was over.
  public var expirations = 0
  /// Objects larger than the cache, or refused by the policy.
  public var rejections = 0
  /// Counted requests of objects whose size no request had told yet: misses that admit nothing.
  public var unknownSizes = 0
  /// Size units requested.
  public var bytes = 0
  /// Size units found resident.
  public var byteHits = 0
  /// The penalty of a miss, summed over the requests.
  public var cost = 0.0
  /// The penalty saved by hits.
  public var costHits = 0.0

  /// Nothing counted yet.
  @inlinable
  public init() {}
}

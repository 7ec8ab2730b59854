/// The counts of a run, after its warm-up.
@usableFromInline
package struct RequestCounts: Sendable, Equatable {
  /// Counted requests.
  @usableFromInline package var requests = 0
  /// Requests that found their object resident.
  @usableFromInline package var hits = 0
  /// Objects that entered the cache.
  @usableFromInline package var insertions = 0
  /// Objects that the policy evicted.
  @usableFromInline package var evictions = 0
  /// Objects that left because their time to live was over.
  @usableFromInline package var expirations = 0
  /// Objects larger than the cache, or refused by the policy.
  @usableFromInline package var rejections = 0
  /// Counted requests of objects whose size no request had told yet: misses that admit nothing.
  @usableFromInline package var unknownSizes = 0
  /// Size units requested.
  @usableFromInline package var bytes = 0
  /// Size units found resident.
  @usableFromInline package var byteHits = 0
  /// The penalty of a miss, summed over the requests.
  @usableFromInline package var cost = 0.0
  /// The penalty saved by hits.
  @usableFromInline package var costHits = 0.0
  /// The counts of the prefetcher; nil without one.
  @usableFromInline package var prefetch: PrefetchCounts?
  /// The costs of learning; nil for a policy that does not.
  @usableFromInline package var learning: LearningMeasures?

  /// Nothing counted yet.
  @inlinable
  package init() {}
}

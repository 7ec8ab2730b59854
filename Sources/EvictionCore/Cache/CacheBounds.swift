import Parameters

/// The limits of a cache as plain numbers, so that a set compares and never unwraps.
@usableFromInline
struct CacheBounds {
  /// The most entries.
  @usableFromInline let count: Int
  /// The largest sum of costs.
  @usableFromInline let cost: Int
  /// The largest cost of one entry.
  @usableFromInline let entryCost: Int
  /// The end of a purge; `count` and `cost` without a low-water mark.
  @usableFromInline let countAfterPurge: Int
  @usableFromInline let costAfterPurge: Int
  /// True if a cache that goes over a limit is purged to below it.
  @usableFromInline let isPurged: Bool
  /// True if a sum of costs beyond `cost` makes others leave, and is not an overflow to refuse.
  @usableFromInline let limitsCosts: Bool
  /// True if the policy's quotas follow the current size, without a limit.
  @usableFromInline let isUnlimited: Bool

  /// Sums of sizes up to twice the capacity must not overflow in a policy.
  @usableFromInline static let unlimited = Int.max >> 8

  init(
    countLimit: Int?, costLimit: Int?, countsCosts: Bool, entryRatio: Double, lowWaterMark: Double
  ) {
    count = countLimit ?? .max
    cost = min(costLimit ?? .max, CacheBounds.unlimited)
    entryCost = costLimit == nil ? cost : entryRatio.floor(of: cost)
    countAfterPurge = countLimit == nil ? count : lowWaterMark.floor(of: count)
    costAfterPurge = costLimit == nil ? cost : lowWaterMark.floor(of: cost)
    isPurged = lowWaterMark < 1
    limitsCosts = costLimit != nil
    isUnlimited = (countsCosts ? costLimit : countLimit) == nil
  }
}

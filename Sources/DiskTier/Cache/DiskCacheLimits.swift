import EvictionCore

/// The limits and the policy of a cache on disk.
package struct DiskCacheLimits: Sendable {
  package var count: Int?
  package var cost: Int?
  package var policy: CachePolicy
  package var admission: CacheAdmission?
  package var seed: UInt64?
  package var observer: (any CacheObserver)?

  package init(
    count: Int? = nil, cost: Int? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, seed: UInt64? = nil, observer: (any CacheObserver)? = nil
  ) {
    self.count = count
    self.cost = cost
    self.policy = policy
    self.admission = admission
    self.seed = seed
    self.observer = observer
  }
}

import EvictionCore

extension ReplayedCache {
  /// A cache that does nothing and hits always: what a replay of it takes is the generator's and the
  /// machine's.
  static let idle = ReplayedCache(
    value: { $0.id }, set: { _, _, _, _ in }, removeValue: { _ in }, cost: { _ in nil },
    setCost: { _, _ in }, statistics: { CacheStatistics() })
}

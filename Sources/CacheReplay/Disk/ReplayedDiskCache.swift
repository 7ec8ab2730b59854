import DiskTier
import EvictionCore

/// A disk cache of bytes that an experiment drives, behind closures that were compiled for its policy.
@usableFromInline
package struct ReplayedDiskCache: Sendable {
  /// Opens the cache in a folder.
  @usableFromInline package typealias Open =
    @Sendable (String, DiskCacheOptions) throws(DiskCacheError) -> ReplayedDiskCache
  /// The operations on the entries.
  typealias Entries = any Cache<String, [UInt8], DiskCacheError>

  let entries: Entries
  let count: @Sendable () throws(DiskCacheError) -> Int
  let evictions: @Sendable () -> Int
  /// The transactions that its store has committed.
  let commits: @Sendable () -> Int
  let waitForBackgroundWork: @Sendable () -> Void
  let close: @Sendable () -> Void

  @usableFromInline
  init<Policy: ReplacementPolicy & ~Copyable>(_ cache: DiskCache<[UInt8], Policy>) {
    entries = cache
    count = { () throws(DiskCacheError) in try cache.count }
    evictions = { cache.statistics.evictions }
    commits = { cache.storeStatistics.commits }
    waitForBackgroundWork = { cache.waitForBackgroundWork() }
    close = { cache.close() }
  }
}

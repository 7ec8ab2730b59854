import EvictionCore
import Parameters

/// How a ``TieredCache`` keeps values in memory, and when it writes them to disk.
public struct TieredCacheOptions: Sendable {
  /// When a set reaches the disk.
  public enum Writing: Sendable, Equatable {
    /// Before it returns.
    case through
    /// Soon after, in the background; of several sets of a key meanwhile only the latest. At most `limit`
    /// values wait: then a set writes before it returns. Closing the disk
    /// writes what waits; a process that dies loses it. A value that cannot be encoded is not written, and
    /// only counted, in ``TieredCacheStatistics/failedWrites``.
    ///
    /// A shared path refuses it: a late write could undo a newer one of another process.
    case back(limit: Int)
  }

  /// The most entries in memory; nil for no limit.
  public var memoryCountLimit: Int?
  /// The largest sum of costs in memory; nil for no limit.
  public var memoryCostLimit: Int?
  /// The parameters of the policy in memory.
  public var memoryParameters: Specification?
  /// What the cache in memory does beyond its limits. Its expiration holds beside the times to live that
  /// values have on the disk.
  public var memory = MemoryCacheOptions()
  /// The seed of the memory policy's random draws and of the hashes of keys; nil for a random one for each
  /// cache. See ``DiskCacheOptions/seed``.
  public var seed: UInt64?
  /// When a set reaches the disk.
  public var writing = Writing.through
  /// How long it is remembered, in memory, that a load found nothing; nil for not at all.
  public var negativeTimeToLive: Duration?
  /// The cost, in memory, of remembering that a load found nothing; 1 or more.
  ///
  /// By default it is 1 where every value costs 1. Where the cache has a `memoryCost`, which is taken to count
  /// bytes, it is the bytes of the key and ``absenceOverhead``.
  public var negativeCost: Int?
  /// The bytes in memory of a remembered absence besides its key, as measured.
  public static let absenceOverhead = 200

  /// The defaults: no limits, writing through.
  public init() {}
}

/// What the tiers of a ``TieredCache`` have counted.
public struct TieredCacheStatistics: Equatable, Sendable {
  /// The cache in memory; its misses are what was asked of the disk.
  public var memory = CacheStatistics()
  /// The cache on disk.
  public var disk = DiskCacheStatistics()
  /// Values that came from the disk, or from among those that wait to be written, into memory.
  public var promotions = 0
  /// Gets that were answered by a remembered absence; in memory they are hits.
  public var negativeHits = 0
  /// Values that wait to be written.
  public var waitingWrites = 0
  /// Sets that were never written, since another set of the key or its removal came before.
  public var savedWrites = 0
  /// Writes that failed: in the background, where they are tried again, or of loaded values.
  public var failedWrites = 0

  /// Nothing counted yet.
  public init() {}
}

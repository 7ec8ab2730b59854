import EvictionCore

/// The options of a ``TieredCache``: of its memory, and of its writes to disk.
public struct TieredCacheOptions: Sendable {
  /// The moment at which a set reaches the disk.
  public enum Writing: Sendable, Equatable {
    /// Before it returns.
    case through
    /// Soon after, in the background; of several sets of a key meanwhile only the latest. At most `limit`
    /// values wait: then a set, or a load, writes before it returns. Closing the disk
    /// writes what waits, and after that a set throws; a process that dies loses it. A value that cannot be
    /// encoded is not written: it is counted in ``TierStatistics/failedWrites``, and reported to
    /// ``DiskCacheOptions/onFailedWrite``.
    ///
    /// A shared path refuses it: a late write could undo a newer one of another process.
    case back(limit: Int)
  }

  /// The options of the cache in memory. Its expiration holds beside the times to live that values have on the
  /// disk, and beside the times after which loads renew them: the earlier one counts.
  public var memory = MemoryCacheOptions()
  /// The moment at which a set reaches the disk.
  public var writing = Writing.through
  /// The time for which memory remembers that a load found nothing; nil for not at all.
  public var negativeTimeToLive: Duration?
  /// The cost, in memory, of remembering that a load found nothing; 1 or more.
  ///
  /// By default it is 1 where every value costs 1. Where the cache has a `memoryCost`, which is taken to count
  /// bytes, it is the bytes of the key and ``absenceOverhead``.
  public var negativeCost: Int?
  /// The bytes in memory of a remembered absence besides its key, as measured.
  public static let absenceOverhead = 200

  /// The defaults: writing through, and no absence remembered.
  public init() {}

  /// Throws if an option of the tiers is out of its range; the memory looks at its own.
  func check() throws(PolicyError) {
    if let negativeCost, negativeCost < 1 {
      throw .option(name: "negativeCost", problem: "must be 1 or more; is \(negativeCost)")
    }
    if case .back(let limit) = writing, limit < 1 {
      throw .option(name: "writing", problem: "at least 1 value must be let wait; is \(limit)")
    }
  }
}

/// The counts of the tiers of a ``TieredCache``.
public struct TierStatistics: Equatable, Sendable {
  /// The cache in memory; its misses are what was asked of the disk. Its `loads` are 0: those of the whole are in
  /// ``TieredCache/statistics``.
  public var memory = CacheStatistics()
  /// The cache on disk. Its `loads` are those that went past the memory.
  public var disk = CacheStatistics()
  /// Values that came from the disk, or from among those that wait to be written, into memory.
  public var promotions = 0
  /// Gets that were answered by a remembered absence; in memory they are hits.
  public var negativeHits = 0
  /// Values that wait to be written.
  public var waitingWrites = 0
  /// Sets that were never written, since another set of the key or its removal came before.
  public var savedWrites = 0
  /// Writes that failed: of values that are written back, which are tried again, or of loaded values. Those of
  /// other tiers over the same disk are counted, too.
  public var failedWrites = 0

  /// Nothing counted yet.
  public init() {}
}

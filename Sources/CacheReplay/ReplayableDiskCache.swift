import DiskTier

/// A disk cache of bytes whose policy is erased: what the experiments on disk drive.
public protocol ReplayableDiskCache: AnyObject, Sendable {
  /// The value of a key, or nil.
  func value(forKey key: String) throws(DiskCacheError) -> [UInt8]?
  /// Stores a value; returns whether it is in the cache.
  func set(
    _ value: [UInt8], forKey key: String, extended: [UInt8]?, cost: Int?, timeToLive: Duration?
  ) throws(DiskCacheError) -> Bool
  /// Removes a key; returns whether it was there.
  func removeValue(forKey key: String) throws(DiskCacheError) -> Bool
  /// Whether a key has a value.
  func contains(_ key: String) throws(DiskCacheError) -> Bool
  /// The number of entries.
  var count: Int { get throws(DiskCacheError) }
  /// What the cache has counted.
  var statistics: DiskCacheStatistics { get }
  /// What its store has counted.
  var storeStatistics: StoreStatistics { get }
  /// Waits until what opening started is done.
  func waitForBackgroundWork()
  /// Closes the cache.
  func close()
}

extension DiskCache: ReplayableDiskCache where Value == [UInt8], Policy: ~Copyable {}

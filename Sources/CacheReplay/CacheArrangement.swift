import EvictionCore

/// How a real cache is put together beyond its policy and its locks.
@usableFromInline
struct CacheArrangement {
  /// How many shards; nil for a cache in one part.
  @usableFromInline let shards: Int?
  @usableFromInline let options: MemoryCacheOptions

  init(_ options: ReplayOptions) {
    shards = options.shards
    var cacheOptions = MemoryCacheOptions()
    cacheOptions.reads = options.reads
    self.options = cacheOptions
  }
}

/// What a replay does to a cache.
@usableFromInline
protocol ReplayableCache: AnyObject, Sendable {
  associatedtype Key
  associatedtype Value
  func value(forKey key: Key) -> Value?
  func set(_ value: Value, forKey key: Key, cost: Int, missCost: Double) -> Bool
  func removeValue(forKey key: Key) -> Value?
  func cost(forKey key: Key) -> Int?
  func setCost(_ cost: Int, forKey key: Key)
  var statistics: CacheStatistics { get }
}

extension MemoryCache: ReplayableCache where Policy: ~Copyable {}
extension ShardedCache: ReplayableCache where Policy: ~Copyable {}

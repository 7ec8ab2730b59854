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

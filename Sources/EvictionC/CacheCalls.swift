import CEvictionLab
import EvictionCore
import Runner

/// Makes an empty cache.
@_cdecl("evl_cache_create")
public func createCache(
  _ policy: UnsafePointer<CChar>?, _ options: UnsafePointer<evl_cache_options>?,
  _ cache: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(cache, "cache")
    let options = try Argument.present(options, "options")
    let choice = try policy.map { (text) throws(CallFailure) in
      try PolicyChoice(named: try Argument.text(text, "policy"))
    }
    place.pointee = Handle.make(try CacheObject(choice, options.pointee))
  }
}

/// Looks a key up.
@_cdecl("evl_cache_get")
public func cacheGet(
  _ cache: OpaquePointer?, _ key: UnsafeRawPointer?, _ keyLength: UInt64,
  _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ length: UnsafeMutablePointer<UInt64>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(value, "value")
    let length = try Argument.present(length, "length")
    let (cache, key) = try request(cache, key, keyLength)
    try hand(cache.cache.value(forKey: key), to: place, length)
  }
}

/// Stores a copy of a value.
@_cdecl("evl_cache_set")
public func cacheSet(
  _ cache: OpaquePointer?, _ key: UnsafeRawPointer?, _ keyLength: UInt64,
  _ value: UnsafeRawPointer?, _ length: UInt64, _ cost: UInt64, _ ttl: UInt64,
  _ stored: UnsafeMutablePointer<UInt32>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let (cache, key) = try request(cache, key, keyLength)
    let value = ShortBytes(try Argument.bytes(value, length, "value"))
    let isStored = try cache.set(value, forKey: key, cost: cost, ttl: ttl)
    stored?.pointee = isStored ? 1 : 0
  }
}

/// Removes a key.
@_cdecl("evl_cache_remove")
public func cacheRemove(
  _ cache: OpaquePointer?, _ key: UnsafeRawPointer?, _ keyLength: UInt64,
  _ removed: UnsafeMutablePointer<UInt32>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let (cache, key) = try request(cache, key, keyLength)
    let wasThere = cache.cache.remove(key)
    removed?.pointee = wasThere ? 1 : 0
  }
}

/// Looks whether a key has a value.
@_cdecl("evl_cache_contains")
public func cacheContains(
  _ cache: OpaquePointer?, _ key: UnsafeRawPointer?, _ keyLength: UInt64,
  _ contained: UnsafeMutablePointer<UInt32>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.present(contained, "contained")
    let (cache, key) = try request(cache, key, keyLength)
    place.pointee = cache.cache.contains(key) ? 1 : 0
  }
}

/// Takes a value that left.
@_cdecl("evl_cache_take_removed")
public func cacheTakeRemoved(
  _ cache: OpaquePointer?, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ length: UnsafeMutablePointer<UInt64>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(value, "value")
    let length = try Argument.present(length, "length")
    let cache = try Handle.object(cache, CacheObject.self, named: "cache")
    guard let removed = cache.removed else {
      throw .usage("the cache keeps no values that left; make it with keeps_removed = 1")
    }
    try hand(removed.takeFirst(), to: place, length)
  }
}

/// Reads the counts of a cache.
@_cdecl("evl_cache_get_statistics")
public func cacheStatistics(
  _ cache: OpaquePointer?, _ statistics: UnsafeMutablePointer<evl_cache_statistics>?,
  _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.present(statistics, "statistics")
    let cache = try Handle.object(cache, CacheObject.self, named: "cache")
    place.pointee = evl_cache_statistics(cache.cache.statistics)
  }
}

/// Removes every entry.
@_cdecl("evl_cache_clear")
public func clearCache(_ cache: OpaquePointer?, _ error: ErrorPlace) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    try Handle.object(cache, CacheObject.self, named: "cache").cache.removeAll()
  }
}

/// Frees a cache.
@_cdecl("evl_cache_free")
public func freeCache(_ cache: OpaquePointer?) { Handle.free(cache, CacheObject.self) }

/// Returns the cache and the key of a call.
private func request(
  _ cache: OpaquePointer?, _ key: UnsafeRawPointer?, _ length: UInt64
) throws(CallFailure) -> (CacheObject, ShortBytes) {
  let cache = try Handle.object(cache, CacheObject.self, named: "cache")
  return (cache, ShortBytes(try Argument.bytes(key, length, "key")))
}

/// Writes a copy of a value for the caller; NULL for none.
private func hand(
  _ value: ShortBytes?, to place: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ length: UnsafeMutablePointer<UInt64>
) throws(CallFailure) {
  place.pointee = try value.map { (value) throws(CallFailure) in try value.copied() }
  length.pointee = UInt64(value?.count ?? 0)
}

extension evl_cache_statistics {
  fileprivate init(_ counts: CacheStatistics) {
    self.init()
    hits = UInt64(counts.hits)
    misses = UInt64(counts.misses)
    insertions = UInt64(counts.insertions)
    evictions = UInt64(counts.evictions)
    expirations = UInt64(counts.expirations)
    replacements = UInt64(counts.replacements)
    rejections = UInt64(counts.rejections)
    removals = UInt64(counts.removals)
    count = UInt64(counts.count)
    cost = UInt64(counts.totalCost)
  }
}

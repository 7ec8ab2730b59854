import CEvictionLab
import EvictionCore

/// Looks a number up.
@_cdecl("evl_cache_touch")
public func cacheTouch(_ cache: OpaquePointer?, _ key: UInt64) -> Int32 {
  guard let cache else { return -1 }
  let value = Handle.object(cache, CacheObject.self).cache.value(forKey: ShortBytes(number: key))
  return value == nil ? 0 : 1
}

/// Stores a number under another.
@_cdecl("evl_cache_put")
public func cachePut(
  _ cache: OpaquePointer?, _ key: UInt64, _ value: UInt64, _ cost: UInt64, _ ttl: UInt64,
  _ error: ErrorPlace
) -> Int32 {
  var isStored = false
  let status = attempt(error) { () throws(CallFailure) in
    let cache = try Handle.object(cache, CacheObject.self, named: "cache")
    isStored = try cache.set(
      ShortBytes(number: value), forKey: ShortBytes(number: key), cost: cost, ttl: ttl)
  }
  return status != EVL_OK ? -1 : isStored ? 1 : 0
}

/// Takes numbers that left.
@_cdecl("evl_cache_take_numbers")
public func cacheTakeNumbers(
  _ cache: OpaquePointer?, _ values: UnsafeMutablePointer<UInt64>?, _ capacity: UInt64
) -> UInt64 {
  guard let cache, let values else { return 0 }
  guard let removed = Handle.object(cache, CacheObject.self).removed else { return 0 }
  var count: UInt64 = 0
  while count < capacity, let number = removed.takeFirst(where: { $0.number != nil })?.number {
    values[Int(count)] = number
    count += 1
  }
  return count
}

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
  let removed = Handle.object(cache, CacheObject.self).removed
  return removed?.takeNumbers(to: values, capacity) ?? 0
}

/// Looks numbers up.
@_cdecl("evl_cache_touch_all")
public func cacheTouchAll(
  _ cache: OpaquePointer?, _ keys: UnsafePointer<UInt64>?, _ count: UInt64
) -> UInt64 {
  guard let cache, let keys, let count = Int(exactly: count) else { return 0 }
  let object = Handle.object(cache, CacheObject.self)
  return object.touch(UnsafeBufferPointer(start: keys, count: count))
}

/// Looks numbers up, then stores one, and takes those that left.
@_cdecl("evl_cache_run_batch")
public func cacheRunBatch(_ batch: UnsafePointer<evl_cache_batch>?) -> Int64 {
  // Members are read where they lie: behind the last get there may be no more memory.
  guard let batch, let cache = batch.pointee.cache, let gets = batch.pointer(to: \.gets),
    batch.pointee.get_count <= EVL_BATCH_GETS,
    batch.pointee.cost == .max || batch.pointee.cost <= Int.max,
    batch.pointee.removed != nil || batch.pointee.removed_capacity == 0
  else { return .min }
  let object = Handle.object(cache, CacheObject.self)
  let keys = UnsafeRawPointer(gets).assumingMemoryBound(to: UInt64.self)
  _ = object.touch(UnsafeBufferPointer(start: keys, count: Int(batch.pointee.get_count)))
  let isStored = try? object.set(
    ShortBytes(number: batch.pointee.value), forKey: ShortBytes(number: batch.pointee.key),
    cost: batch.pointee.cost, ttl: batch.pointee.ttl)
  let taken = batch.pointee.removed.flatMap {
    object.removed?.takeNumbers(to: $0, batch.pointee.removed_capacity)
  }
  let count = Int64(taken ?? 0)
  return isStored == true ? count : ~count
}

extension CacheObject {
  /// Looks numbers up, and returns how many have a value.
  fileprivate func touch(_ keys: UnsafeBufferPointer<UInt64>) -> UInt64 {
    var hits: UInt64 = 0
    for key in keys where cache.value(forKey: ShortBytes(number: key)) != nil { hits += 1 }
    return hits
  }
}

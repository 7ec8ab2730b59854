/// An operation on a cache in a test; keys are small numbers.
public enum CacheOperation: Equatable, Sendable {
  /// A request for an object of that size; a miss inserts it.
  case request(key: Int, size: Int)
  /// The user removes the key, resident or not.
  case remove(key: Int)
  /// The user removes everything.
  case removeAll
  /// The host evicts for no newcomer, if anything is resident.
  case trim
  /// The capacity changes, and the host evicts for no newcomer until what is used fits.
  case resize(capacity: Int)
}

/// An event of a cache, in its order: two runs are the same when their events are.
public enum CacheEvent: Equatable, Sendable {
  /// The request found its object resident.
  case hit(Int)
  /// The request missed, and its object is resident now.
  case admitted(Int)
  /// The request missed, and its object was refused or larger than the cache.
  case rejected(Int)
  /// The object lost its place to another, or to a trim.
  case evicted(Int)
}

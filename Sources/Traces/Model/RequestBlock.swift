/// Consecutive requests that are to be written: what every encoding is handed.
final class RequestBlock {
  static let capacity = 8192

  var count = 0
  /// The texts of the keys, by id, where they are written and not ``keys``.
  var texts: KeyTexts?
  /// The keys' ids; set where there are ``texts``.
  let ids = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  let keys = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
  /// Bytes; 1 where the source has no sizes.
  let sizes = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
  /// Nanoseconds; 0 where the source has no times.
  let times = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
  let operations = UnsafeMutablePointer<TraceOperation>.allocate(capacity: capacity)
  /// Nanoseconds; 0 where objects never expire.
  let ttls = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
  let classes = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  /// The number from 1 of the request that asks for the same object next; −1 where there is none
  /// or it isn't known.
  let next = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)

  init() {
    sizes.initialize(repeating: 1, count: Self.capacity)
    times.initialize(repeating: 0, count: Self.capacity)
    operations.initialize(repeating: .get, count: Self.capacity)
    ttls.initialize(repeating: 0, count: Self.capacity)
    classes.initialize(repeating: 0, count: Self.capacity)
    next.initialize(repeating: -1, count: Self.capacity)
  }

  deinit {
    ids.deallocate()
    keys.deallocate()
    sizes.deallocate()
    times.deallocate()
    operations.deallocate()
    ttls.deallocate()
    classes.deallocate()
    next.deallocate()
  }
}

/// A source of requests that are written.
protocol RequestSource {
  /// The number of requests.
  var requests: Int { get }

  /// The texts of the keys, where they are to be written.
  var texts: KeyTexts? { get }

  /// Fills a block, whose count is set, with the requests from `first` on.
  mutating func fill(_ block: RequestBlock, from first: Int)
}

extension RequestSource {
  var texts: KeyTexts? { nil }
}

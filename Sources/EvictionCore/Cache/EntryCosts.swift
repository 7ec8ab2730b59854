/// The costs that entries have when a set names none: a cache with a cost limit has to know.
///
///     MemoryCache<String, [UInt8]>(costLimit: 64 << 20, costs: .bytes)
///     MemoryCache<String, Page>(costLimit: 1_000, costs: .weighed { $0.links.count })
///     MemoryCache<String, Image>(costLimit: 64 << 20, costs: .given)
///
/// A cost that a set names goes before.
public struct EntryCosts<Value: Sendable>: Sendable {
  /// Nil where every set names the cost.
  private let weigh: (@Sendable (Value) -> Int)?

  /// Every set names its cost, and so does every load; one that names none traps, instead of counting as something that
  /// was never said.
  public static var given: EntryCosts { EntryCosts(weigh: nil) }

  /// An entry costs what `weigh` says of its value, 0 or more. It is called on the thread that sets the value, or loads
  /// it, without the cache's lock.
  public static func weighed(_ weigh: @escaping @Sendable (Value) -> Int) -> EntryCosts {
    EntryCosts(weigh: weigh)
  }

  /// Returns the cost of a value for which none is named; nil if every set names it.
  func weight<Key>(of value: Value, forKey key: Key) -> Int? {
    guard let cost = weigh?(value) else { return nil }
    CostBounds.demand(cost, forKey: key)
    return cost
  }

  /// Returns the cost of a value for which none is named, which must not be where costs are given.
  func cost<Key>(of value: Value, forKey key: Key) -> Int {
    guard let cost = weight(of: value, forKey: key) else {
      fatalError("costs are given, and a set or a load of “\(key)” names no cost")
    }
    return cost
  }
}

extension EntryCosts {
  /// Unavailable: the values are neither a collection of plain bits nor text.
  @available(
    *, unavailable,
    message: "only collections of plain bits and texts have bytes; use .weighed { … }"
  )
  public static var bytes: EntryCosts { .given }
}

extension EntryCosts where Value: Collection, Value.Element: BitwiseCopyable {
  /// An entry costs the bytes of its value's elements: of an array, or of Foundation's `Data`.
  public static var bytes: EntryCosts {
    .weighed { $0.count * MemoryLayout<Value.Element>.stride }
  }
}

extension EntryCosts where Value: StringProtocol {
  /// An entry costs the bytes of its value in UTF-8.
  public static var bytes: EntryCosts { .weighed { $0.utf8.count } }
}

/// The range of a cost.
@usableFromInline
package enum CostBounds {
  /// Stops the program if a cost that is named for `key` is negative. The message is there in a release build, too.
  @inlinable @inline(__always)
  package static func demand<Key>(_ cost: Int?, forKey key: Key) {
    if let cost, cost < 0 { stop(cost, key) }
  }

  @usableFromInline @inline(never)
  static func stop<Key>(_ cost: Int, _ key: Key) -> Never {
    fatalError("a cost is 0 or more; that of “\(key)” is \(cost)")
  }
}

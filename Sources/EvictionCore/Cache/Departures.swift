/// A value that left a cache, and why.
@usableFromInline
struct Departure<Key, Value> {
  /// Nil where no caller asks for it.
  @usableFromInline let key: Key?
  @usableFromInline let value: Value
  @usableFromInline let cause: RemovalCause

  @inlinable @inline(__always)
  init(key: Key?, value: Value, cause: RemovalCause) {
    self.key = key
    self.value = value
    self.cause = cause
  }
}

/// The entries that one operation takes out of a cache, kept until the lock is given back. The first costs no
/// allocation.
@usableFromInline
struct Departures<Key, Value> {
  @usableFromInline var first: Departure<Key, Value>?
  @usableFromInline var rest: [Departure<Key, Value>] = []

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  var isEmpty: Bool { first == nil }

  @inlinable @inline(__always)
  mutating func append(_ departure: Departure<Key, Value>) {
    if first == nil {
      first = departure
    } else {
      rest.append(departure)
    }
  }

  /// Hands everything over and starts again.
  @inlinable @inline(__always)
  mutating func takeAll() -> Departures {
    if isEmpty { return Departures() }
    let all = self
    self = Departures()
    return all
  }

  /// In the order in which they left.
  @inlinable
  func forEach(_ body: (Departure<Key, Value>) -> Void) {
    if let first { body(first) }
    rest.forEach(body)
  }
}

/// The cause for which a value left a cache.
public enum RemovalCause: UInt8, Sendable, CaseIterable {
  /// A limit, a trim or a purge needed its room, or it grew too large to stay.
  case size
  /// Its time was over, or it was older than the age limit.
  case expired
  /// A set gave its key another value.
  case replaced
  /// The user removed its key, or everything.
  case removed
  /// It had discarded its own content.
  case discarded
}

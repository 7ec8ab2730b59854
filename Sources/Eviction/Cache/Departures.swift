/// What one operation takes out of a cache, kept until the lock is given back.
@usableFromInline
struct Departures<Key, Value> {
  /// Entries that the limits pushed out.
  @usableFromInline var evicted = OneOrMore<(key: Key, value: Value)>()
  /// Values that were replaced or removed.
  @usableFromInline var discarded = OneOrMore<Value>()

  @inlinable @inline(__always)
  init() {}

  /// Hands everything over and starts again.
  @inlinable @inline(__always)
  mutating func takeAll() -> Departures {
    if evicted.isEmpty && discarded.isEmpty { return Departures() }
    let all = self
    self = Departures()
    return all
  }
}

/// A few elements, of which the first costs no allocation.
@usableFromInline
struct OneOrMore<Element> {
  @usableFromInline var first: Element?
  @usableFromInline var rest: [Element] = []

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  var isEmpty: Bool { first == nil }

  @inlinable @inline(__always)
  mutating func append(_ element: Element) {
    if first == nil {
      first = element
    } else {
      rest.append(element)
    }
  }

  @inlinable
  func forEach(_ body: (Element) -> Void) {
    if let first { body(first) }
    rest.forEach(body)
  }
}

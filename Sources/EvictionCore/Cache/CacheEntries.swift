/// The entries of a cache in memory, in no promised order, read a few at a time.
///
/// Other operations go on in between: what is set or leaves meanwhile may be among the entries or not, and a key that
/// leaves and comes back may be there twice. An entry that stays is there once. For all of one moment, take
/// a ``InMemoryCache/snapshot()``.
///
/// - Complexity: O(1) to make; O(n) to read all, with a shared lock held for at most 256 entries at a time.
public struct CacheEntries<Key: Hashable & Sendable, Value: Sendable>: Sequence, Sendable {
  let caches: [MemoryCache<Key, Value>]

  /// The number of slots that are read while the lock is held once.
  static var step: Int { 256 }

  /// Begins with the first entry.
  public func makeIterator() -> Iterator { Iterator(caches: caches[...]) }

  /// Reads entries a few at a time.
  public struct Iterator: IteratorProtocol {
    fileprivate var caches: ArraySlice<MemoryCache<Key, Value>>
    private var slot = 0
    private var read: ArraySlice<CacheEntry<Key, Value>> = []

    fileprivate init(caches: ArraySlice<MemoryCache<Key, Value>>) { self.caches = caches }

    /// The next entry, or nil at the end.
    public mutating func next() -> CacheEntry<Key, Value>? {
      while read.isEmpty, let cache = caches.first {
        let (entries, isLast) = cache.entries(from: &slot)
        read = entries[...]
        if isLast {
          caches.removeFirst()
          slot = 0
        }
      }
      return read.popFirst()
    }
  }
}

extension MemoryCache {
  /// The entries of a step from `slot` on, and true if there are none behind them.
  fileprivate func entries(
    from slot: inout Int
  ) -> (entries: [CacheEntry<Key, Value>], isLast: Bool) {
    var next = slot
    defer { slot = next }
    return read { core in
      let entries = core.entries(
        from: &next, slots: CacheEntries<Key, Value>.step, policy.inspection)
      return (entries, next >= core.store.touched)
    }
  }
}

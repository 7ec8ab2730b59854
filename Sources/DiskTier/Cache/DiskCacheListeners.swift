import EvictionCore

/// The listeners of a cache on disk or in tiers.
package struct DiskCacheListeners<Key: DiskKey, Value: Sendable>: Sendable {
  package var onRemoval: (@Sendable (Key, RemovalCause) -> Void)?
  package var events: CacheEvents<Key, Value>?

  package init(
    onRemoval: (@Sendable (Key, RemovalCause) -> Void)? = nil,
    events: CacheEvents<Key, Value>? = nil
  ) {
    self.onRemoval = onRemoval
    self.events = events
  }

  /// Tells of an entry that left; nil without listeners.
  var removal: (@Sendable (TextKey, RemovalCause) -> Void)? {
    if onRemoval == nil && events == nil { return nil }
    return { [onRemoval, events] name, cause in
      guard let key = name.key(as: Key.self) else { return }
      onRemoval?(key, cause)
      events?.send(.removed(key: key, value: nil, cause: cause))
    }
  }

  /// A load brought a value.
  func loaded(_ value: Value, _ name: TextKey) {
    if let events, let key = name.key(as: Key.self) { events.send(.loaded(key: key, value: value)) }
  }

  /// The load of some keys threw an error.
  func loadFailed(_ error: any Error, _ names: some Sequence<TextKey>) {
    guard let events else { return }
    for name in names {
      if let key = name.key(as: Key.self) { events.send(.loadFailed(key: key, error: error)) }
    }
  }
}

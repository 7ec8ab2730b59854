import Synchronization

/// The observer of a sharded cache's shards: it passes on their operations one at a time.
final class SharedObserver: CacheObserver {
  private let observer: any CacheObserver
  private let telling = Mutex(())

  init(_ observer: any CacheObserver) { self.observer = observer }

  /// All parts are made.
  func begin() { observer.cacheBegins() }

  var observedKeys: SpatialSample { observer.observedKeys }

  func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
    telling.withLock { _ in observer.cacheDid(event, keyHash: keyHash, cost: cost) }
  }
}

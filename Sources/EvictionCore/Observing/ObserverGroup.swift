/// Several observers of one cache: each learns of the operations on the keys that it observes.
///
///     let recorder = try TraceRecorder(path: "images.evtrace")
///     let curve = LiveMissRatioCurve()
///     let images = MemoryCache<Int, [UInt8]>(
///       costLimit: 64 << 20, costs: .bytes, observer: ObserverGroup(recorder, curve))
///
/// They are called one after the other, in the given order, with the cache's lock held.
public final class ObserverGroup: CacheObserver {
  private let observers: [(observer: any CacheObserver, keys: SpatialSample)]

  /// A group.
  public init(_ observers: any CacheObserver...) {
    self.observers = observers.map { ($0, $0.observedKeys) }
  }

  /// Lets each observer know.
  public func cacheBegins() {
    for (observer, _) in observers { observer.cacheBegins() }
  }

  /// Passes an operation on. O(observers), besides their own work.
  public func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
    for (observer, keys) in observers where keys.contains(keyHash) {
      observer.cacheDid(event, keyHash: keyHash, cost: cost)
    }
  }
}

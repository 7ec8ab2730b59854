/// Learns of a cache's operations as they happen: to record them, or to count what the cache does not.
///
/// A cache calls its observer with its lock held, so that the order of the calls is the order in which the
/// policy saw the operations, and no two calls overlap. An observer must be quick and must not use the cache.
/// It never sees a key or a value. A cache without an observer pays one branch an operation, and one with an
/// observer of few keys a multiplication more for the others.
public protocol CacheObserver: AnyObject, Sendable {
  /// The keys that it observes; all by default. Read once, when the cache is made.
  var observedKeys: SpatialSample { get }

  /// A cache is made that will call it; by default nothing is done.
  ///
  /// Two caches call at once, as each holds a lock of its own: an observer that cannot bear that traps here
  /// at the second one.
  func cacheBegins()

  /// An operation is done.
  ///
  /// - Parameters:
  ///   - event: The operation and what it found.
  ///   - keyHash: The hash of the key under the cache's seed.
  ///   - cost: The object's cost, 0 where there is none.
  func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int)
}

extension CacheObserver {
  /// Every key.
  public var observedKeys: SpatialSample { .all }

  /// Nothing is done.
  public func cacheBegins() {}
}

/// The kind of an operation of a cache, and what it found.
public enum CacheAccess: UInt8, Sendable, CaseIterable {
  /// A get that found a value.
  case hit
  /// A get that found none.
  case miss
  /// A set of a key that had no value, stored or refused.
  case insertion
  /// A set of a key that had a value.
  case update
  /// A removal: by the user, of a value or of what the policy remembered; or of a value whose time was over
  /// or that had discarded its content, when the cache notices. An eviction does not count as one.
  case removal
}

/// An observer that only appends the operations to a ring, which the cache then does without a call.
package protocol RingObserver: CacheObserver {
  /// The ring, for as long as the observer lives.
  var ring: EventRing { get }
}

extension RingObserver {
  /// Takes an operation of the cache. O(1), never waits, allocates nothing.
  public func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
    ring.append(EventRing.Event(event, keyHash: keyHash, cost: cost))
  }
}

/// An observer as a cache keeps it: who is not to hear of a key is not called.
@usableFromInline
struct CacheObservation: Sendable {
  @usableFromInline let observer: any CacheObserver
  @usableFromInline let keys: SpatialSample
  /// The observer's, if it is a ``RingObserver``. Unmanaged, as counting a reference to it at each operation
  /// takes longer than the operation's event.
  @usableFromInline let ring: Unmanaged<EventRing>?

  init(_ observer: any CacheObserver) {
    observer.cacheBegins()
    self.observer = observer
    keys = observer.observedKeys
    ring = (observer as? any RingObserver).map { Unmanaged.passUnretained($0.ring) }
  }

  @inlinable @inline(__always)
  func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
    if !keys.contains(keyHash) { return }
    if let ring {
      ring._withUnsafeGuaranteedRef {
        $0.append(EventRing.Event(event, keyHash: keyHash, cost: cost))
      }
    } else {
      observer.cacheDid(event, keyHash: keyHash, cost: cost)
    }
  }
}

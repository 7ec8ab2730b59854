import Synchronization

/// The error of a load.
struct LoadFailure: Sendable {
  let error: any Error
}

/// The loads of a cache: those under way, and the failures that are remembered.
@usableFromInline
final class CacheLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let flights: SingleFlight<Key, Value>
  /// Once there was a failure to remember.
  private let failures = Mutex<MemoryCache<Key, LoadFailure>?>(nil)
  @usableFromInline let hasFailures = Atomic(false)
  private let clock: CacheClock

  init(clock: CacheClock, waitLimit: Duration?) {
    self.clock = clock
    flights = SingleFlight(waitLimit: waitLimit)
  }

  /// True if there is something to forget.
  @inlinable @inline(__always)
  var isInUse: Bool { flights.count > 0 || hasFailures.load(ordering: .acquiring) }

  /// Makes the load of `key` that is under way, or has failed, outdated.
  ///
  /// Called with the cache's lock held.
  @usableFromInline
  func forget(_ key: Key) {
    flights.forget(key)
    forgetFailure(of: key)
  }

  /// The load of `key` has not failed, or not as the latest.
  @usableFromInline
  func forgetFailure(of key: Key) {
    if hasFailures.load(ordering: .acquiring) { failures.withLock { $0 }?[key] = nil }
  }

  /// All of it is out of date.
  @usableFromInline
  func forgetAll() {
    flights.forgetAll()
    failures.withLock { $0 }?.removeAll()
  }

  /// Throws what the last load of `key` threw, if that is remembered.
  @usableFromInline
  func throwFailure(of key: Key) throws {
    if !hasFailures.load(ordering: .acquiring) { return }
    if let failure = failures.withLock({ $0 })?.value(forKey: key) { throw failure.error }
  }

  /// Remembers for `duration` that the load of `key` failed. The thousand latest failures are kept. Called
  /// with the cache's lock held.
  func remember(_ error: any Error, of key: Key, for duration: Duration) {
    var options = MemoryCacheOptions()
    options.clock = clock
    // An error may use the cache as it dies, whose lock is held here.
    options.release = .background
    let known = failures.withLock { failures in
      if failures == nil {
        failures = MemoryCache(countLimit: 1_000, policy: .lru, options: options)
      }
      return failures
    }
    hasFailures.store(true, ordering: .releasing)
    known?.set(LoadFailure(error: error), forKey: key, expiration: .after(duration))
  }
}

import Synchronization

/// The error of a load.
struct LoadFailure: Sendable {
  let error: any Error
}

/// The loads of a cache: those under way, and the failures that are remembered; and its updates under way.
@usableFromInline
final class CacheLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let flights: SingleFlight<Key, Value>
  /// Once there was a failure to remember.
  private let failures = Mutex<MemoryCache<Key, LoadFailure>?>(nil)
  /// Twice the number of updates that run or wait, plus 1 once there was a failure to remember: one number, so that
  /// every set looks at two.
  @usableFromInline let others = Atomic(0)
  private let turns = KeyTurns<Key>()
  private let clock: CacheClock
  @usableFromInline let refreshUse: RefreshUse

  init(clock: CacheClock, waitLimit: Duration?, refreshUse: RefreshUse) {
    self.clock = clock
    self.refreshUse = refreshUse
    flights = SingleFlight(waitLimit: waitLimit)
  }

  /// True if there is something to forget.
  @inlinable @inline(__always)
  var isInUse: Bool { flights.count > 0 || others.load(ordering: .acquiring) > 0 }

  private var hasFailures: Bool { others.load(ordering: .acquiring) & 1 == 1 }

  /// Makes the load of `key` that is under way, or has failed, outdated, and what an update has read.
  ///
  /// Called with the cache's lock held.
  @usableFromInline
  func forget(_ key: Key) {
    flights.forget(key)
    forgetFailure(of: key)
    turns.forget(key)
  }

  /// The load of `key` has not failed, or not as the latest.
  @usableFromInline
  func forgetFailure(of key: Key) {
    if hasFailures { failures.withLock { $0 }?[key] = nil }
  }

  /// All of it is out of date.
  @usableFromInline
  func forgetAll() {
    flights.forgetAll()
    turns.forgetAll()
    failures.withLock { $0 }?.removeAll()
  }

  /// Throws what the last load of `key` threw, if that is remembered.
  @usableFromInline
  func throwFailure(of key: Key) throws {
    if !hasFailures { return }
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
    if !hasFailures { others.add(1, ordering: .acquiringAndReleasing) }
    known?.set(LoadFailure(error: error), forKey: key, expiration: .after(duration))
  }
}

// MARK: - Updates

extension CacheLoads {
  /// Waits until no other update of `key` runs.
  @usableFromInline
  func beginUpdate(of key: Key) -> KeyTurn {
    others.add(2, ordering: .acquiringAndReleasing)
    return turns.begin(key)
  }

  /// Has the next update of `key` run.
  @usableFromInline
  func end(_ turn: KeyTurn, of key: Key) {
    turns.end(turn, of: key)
    others.subtract(2, ordering: .acquiringAndReleasing)
  }

  /// Returns true if an update of `key` runs or waits, so that a load brings nothing new.
  ///
  /// Called with the cache's lock held.
  @usableFromInline
  func isUpdating(_ key: Key) -> Bool { turns.contains(key) }
}

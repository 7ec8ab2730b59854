import EvictionCore
import Synchronization

extension TieredCache {
  /// A value found below the memory, with its lifetime.
  struct Found {
    var held: Held
    var life: Duration?
    /// The time left until a load renews it.
    var refreshAfter: Duration?
    var tags: Set<String> = []
  }

  /// The value that a look below the memory brought; a hit if it was there.
  func counted(_ held: Held) -> Value? {
    if held.isValue { counters.withLock { $0.lowerHits += 1 } }
    return held.value
  }

  /// Returns the value of a key below the memory, and brings it to memory.
  ///
  /// - Parameters:
  ///   - flight: The look that others may join; nil if none can, and nothing is brought.
  ///   - expiration: That of a load, which says when the value is to be renewed; nil for the disk's own.
  func look(
    for key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight?, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Held {
    bring(try lookBelow(for: key, expiration: expiration), to: key, of: flight)
  }

  /// Returns the value of a key below the memory, with its tags and the time that it has left.
  func lookBelow(
    for key: TextKey, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Found {
    if let waiting = waiting(key) { return waiting }
    let found = try disk.entry(key).map {
      Found(
        held: .value($0.value), life: disk.timeLeft($0.metadata, of: key),
        refreshAfter: disk.timeToRefresh($0.metadata, expiration), tags: $0.tags)
    }
    return found ?? Found(held: .unknown)
  }

  /// Returns the value or the absence that memory knows for a key; nil for nothing.
  func heldInMemory(_ key: TextKey) -> Held? {
    let held = memory.value(forKey: key)
    if case .absent = held { counters.withLock { $0.negativeHits += 1 } }
    return held
  }

  /// A value that waits to be written.
  private func waiting(_ key: TextKey) -> Found? {
    guard let waiting = writeBack[key] else { return nil }
    if waiting.isOver { return Found(held: .unknown) }
    return Found(
      held: .value(waiting.value), life: waiting.life, refreshAfter: refreshTime(nil),
      tags: waiting.tags)
  }

  /// Keeps in memory what was found, unless the key has changed since.
  private func bring(
    _ found: Found, to key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight?
  ) -> Held {
    guard case .value = found.held, let flight else { return found.held }
    locks.withLock(for: key) { removed in
      if !flights.isCurrent(flight, tagged: found.tags) { return }
      let change = removals?.beginChange(of: key)
      defer {
        if let change { removals?.end(change, isStored: false, otherwise: .size) }
      }
      // It was reported as gone meanwhile.
      if change?.wasThere == false { return }
      keep(
        found.held, key: key, tags: found.tags, life: found.life,
        refreshAfter: found.refreshAfter, removed)
      counters.withLock { $0.promotions += 1 }
    }
    return found.held
  }
}

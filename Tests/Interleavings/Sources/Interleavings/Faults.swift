import Interleaving
import Synchronization

@testable import EvictionCore

// Faults that the explorer must find, each in seconds.
extension Scenario {
  static var faults: [Scenario] {
    [
      exclusion("fault-wakeup", isFaulty: true) { DeafLock() },
      // Who drains holds the lock as a reader does.
      buffers("fault-note", isFaulty: true) {
        BigReaderLock()
      } drain: { lock, body in
        lock.withSharedLock(body)
      },
      loads("fault-load", isFaulty: true, hastyValue),
    ]
  }

  /// As ``MemoryCache/value(forKey:orLoad:)``, but without the look whether another load has ended since the miss.
  private static func hastyValue(
    of cache: MemoryCache<Int, Int>, key: Int, load: () throws -> Int
  ) throws -> Int {
    if let value = cache.value(forKey: key) { return value }
    return try cache.loads.flights.value(forKey: key) { flight in
      cache.insert(LoadedEntry(try load()), forKey: key, of: flight)
    }
  }
}

/// A lock whose waiters lose a wake-up that comes between their look at it and their sleep.
private final class DeafLock: CacheLock {
  static let information = LockInformation(name: "deaf", summary: "loses wake-ups")

  private let isHeld = Atomic(false)
  private let asleep = Mutex<[Sleeper]>([])

  private final class Sleeper: @unchecked Sendable { var isAwake = false }

  func withLock(_ body: () -> Void) {
    while isHeld.exchange(true, ordering: .acquiring) {
      let sleeper = Sleeper()
      asleep.withLock { $0.append(sleeper) }
      Exploration.wait("sleep") { sleeper.isAwake }
    }
    body()
    isHeld.store(false, ordering: .releasing)
    asleep.withLock { $0.popLast() }?.isAwake = true
  }
}

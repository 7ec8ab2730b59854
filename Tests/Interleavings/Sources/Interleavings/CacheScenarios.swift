import Interleaving

@testable import EvictionCore

extension Scenario {
  static var caches: [Scenario] {
    let locks = LockCatalog.all.filter { $0.information.isThreadSafe }
    return CacheReads.allCases.flatMap { reads in
      locks.filter { reads == .strict || $0.information.sharesReads }.map { lock in
        cache("cache-\(reads)-\(lock.information.name)", reads: reads, lock: lock)
      }
    } + [upkeep, background]
  }

  /// Threads that get, set and remove a few keys, of which not all have room: what they are answered is what one
  /// thread could have been.
  private static func cache(_ name: String, reads: CacheReads, lock: any CacheLock.Type) -> Scenario
  {
    Scenario(name) {
      var options = MemoryCacheOptions()
      options.reads = reads
      let limit = 2 + Exploration.draw(below: 2)
      let policy: CachePolicy = Exploration.draw(below: 2) == 0 ? .lru : .s3FIFO()
      let removals = Count()
      let cache = MemoryCache<Int, Int>(
        countLimit: limit, policy: policy, lock: lock.init(), seed: 1, options: options,
        onRemoval: { _, _, _ in removals.value += 1 })
      let histories = (0..<3).map { _ in History() }
      var (latest, gets, sets) = (0, 0, 0)
      Exploration.threads(3) { _ in
        for _ in 0..<4 {
          let key = Exploration.draw(below: histories.count)
          switch Exploration.draw(below: 8) {
          case 0: histories[key].add { .remove(cache.removeValue(forKey: key)) }
          case 1, 2, 3:
            latest += 1
            let value = latest
            sets += 1
            histories[key].add { .set(value, isStored: cache.set(value, forKey: key)) }
          default:
            gets += 1
            histories[key].add { .get(cache.value(forKey: key)) }
          }
          Exploration.require(cache.count <= limit, "\(cache.count) entries, of \(limit)")
        }
      }
      for (key, history) in histories.enumerated() {
        history.check(key: key, forgets: limit < histories.count)
      }
      Exploration.require(
        cache.count + removals.value <= sets, "more values left than were set")
      let statistics = cache.statistics
      Exploration.require(
        statistics.hits + statistics.misses == gets,
        "\(gets) gets are counted as \(statistics.hits) hits and \(statistics.misses) misses")
    }
  }

  /// A cache that trims itself, by a timer and by events, until it is released.
  private static var upkeep: Scenario {
    Scenario("upkeep") {
      var options = MemoryCacheOptions()
      options.trimInterval = .milliseconds(1)
      options.expiration = .after(.milliseconds(2))
      options.events = SystemEvents()
      options.memoryPressure = .removeAll
      options.release = .background
      final class Value: Sendable {
        let count: Count

        init(_ count: Count) {
          self.count = count
          count.value += 1
        }

        deinit { count.value -= 1 }
      }
      let values = Count()
      let events = options.events
      var cache: MemoryCache? = MemoryCache<Int, Value>(
        countLimit: 2, policy: .lru, seed: 1, options: options)
      Exploration.threads(3) { [cache] number in
        for key in 0..<3 {
          switch number {
          case 0: events.post(.memoryPressure(.warning))
          default:
            cache!.set(Value(values), forKey: key)
            _ = cache!.value(forKey: key)
          }
        }
      }
      Exploration.require(cache!.count <= 2, "\(cache!.count) entries")
      cache = nil
      Exploration.wait("for values to be released") { values.value == 0 }
    }
  }

  /// Background work is done once, whatever number of threads asks for it.
  private static var background: Scenario {
    Scenario("background") {
      let done = (0..<9).map { _ in Count() }
      Exploration.threads(3) { number in
        for work in 0..<3 {
          BackgroundThreads.memory.async {
            Exploration.point("work")
            done[3 * number + work].value += 1
          }
        }
      }
      Exploration.wait("for the work") { done.allSatisfy { $0.value > 0 } }
      Exploration.require(done.allSatisfy { $0.value == 1 }, "work is done twice")
    }
  }
}

/// A number that threads with the baton change.
private final class Count: @unchecked Sendable { var value = 0 }

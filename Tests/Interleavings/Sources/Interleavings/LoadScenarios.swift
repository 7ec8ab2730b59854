import Interleaving
import Synchronization

@testable import EvictionCore

extension Scenario {
  static var loads: [Scenario] {
    [
      flights("flights", waitLimit: nil), flights("flights-limit", waitLimit: .microseconds(3)),
      circle,
    ]
      + [
        loads("loads") { cache, key, load in try cache.value(forKey: key, orLoad: load) },
        outdated("outdated") { try $0.value(forKey: 1, orLoad: $1) },
        outdated("refreshes") { try $0.refreshValue(forKey: 1, byLoading: $1) },
        outdated("refreshes-after", expiration: Expiration(refreshAfter: .zero)) {
          try $0.value(forKey: 1, orLoad: $1)
        },
        updates,
      ]
  }

  /// One load of a key at a time, unless it was forgotten; who comes after that has a later one's result.
  private static func flights(_ name: String, waitLimit: Duration?) -> Scenario {
    Scenario(name) {
      let flights = SingleFlight<Int, Int>(waitLimit: waitLimit)
      var (loads, underWay) = (0, 0)
      var isForgetting = false
      var forgotten = 0
      Exploration.threads(4) { number in
        if number == 3 {
          isForgetting = true
          let begin = Exploration.points
          flights.forget(1)
          forgotten = begin
          return
        }
        for _ in 0..<2 {
          let least = forgotten
          do {
            let begin = try flights.value(forKey: 1) { _ in
              Exploration.require(
                underWay == 0 || (isForgetting && underWay == 1), "a key is loaded twice at once")
              loads += 1
              underWay += 1
              let begin = Exploration.points
              Exploration.point("load")
              underWay -= 1
              return begin
            }
            Exploration.require(
              begin >= least,
              "a load of \(begin) is the result of a call after the key was forgotten at \(least)")
          } catch { Exploration.require(waitLimit != nil, "\(error)") }
        }
      }
      Exploration.require(flights.count == 0, "\(flights.count) loads are left")
      Exploration.require((1...6).contains(loads), "\(loads) loads")
    }
  }

  /// Updates of a key, which come one at a time, beside sets, removals and gets of it.
  private static var updates: Scenario {
    Scenario("updates") {
      let cache = MemoryCache<Int, Int>(countLimit: 4, lock: MutexLock())
      let history = History()
      var inside = 0
      Exploration.threads(3) { number in
        for step in 0..<2 {
          let new = 10 * number + step + 1
          history.add {
            if number == 2 {
              switch Exploration.draw(below: 3) {
              case 0: return .get(cache.value(forKey: 1))
              case 1: return .set(new, isStored: cache.set(new, forKey: 1))
              default: return .remove(cache.removeValue(forKey: 1))
              }
            }
            return cache.update(forKey: 1) { value in
              inside += 1
              Exploration.require(inside == 1, "two updates of a key run at once")
              Exploration.point("update")
              inside -= 1
              defer { value = step == 0 ? new : value.map { $0 + 100 } }
              return .update(from: value, to: step == 0 ? new : value.map { $0 + 100 })
            }
          }
        }
      }
      history.check(key: 1, forgets: false)
    }
  }

  /// Two loads that want each other's key: none waits for ever.
  private static var circle: Scenario {
    Scenario("circle") {
      let flights = SingleFlight<Int, Int>(waitLimit: nil)
      Exploration.threads(2) { number in
        _ = try? flights.value(forKey: number) { _ in
          try flights.value(forKey: 1 - number) { _ in 1 }
        }
      }
      Exploration.require(flights.count == 0, "a load is left")
    }
  }

  /// A cache without removals: a key is loaded once, whoever wants it.
  static func loads(
    _ name: String, isFaulty: Bool = false,
    _ value: @escaping (MemoryCache<Int, Int>, Int, () throws -> Int) throws -> Int
  ) -> Scenario {
    Scenario(name, isFaulty: isFaulty) {
      let cache = MemoryCache<Int, Int>(countLimit: 4, policy: .lru, seed: 1)
      var loads = 0
      Exploration.threads(3) { _ in
        for _ in 0..<2 {
          let found = try? value(cache, 1) {
            loads += 1
            Exploration.point("load")
            return loads
          }
          Exploration.require(found == 1, "the value is \(found.map(String.init) ?? "none")")
        }
      }
      Exploration.require(loads == 1, "the key was loaded \(loads) times")
      Exploration.require(
        cache.statistics.loads == 1, "\(cache.statistics.loads) loads are counted")
    }
  }

  /// The source changes, and then the key is removed or set: from then on the new value is found.
  private static func outdated(
    _ name: String, expiration: Expiration = .never,
    _ value: @escaping (MemoryCache<Int, Int>, () throws -> Int) throws -> Int
  ) -> Scenario {
    Scenario(name) {
      var options = MemoryCacheOptions()
      options.expiration = expiration
      // A minute passes between two readings, so that no pause keeps a load from renewing a value.
      let minutes = Atomic<UInt64>(0)
      options.clock = CacheClock {
        minutes.add(1, ordering: .relaxed).newValue * 60_000_000_000
      }
      let cache = MemoryCache<Int, Int>(countLimit: 4, policy: .lru, seed: 1, options: options)
      var source = 1
      var known = 1
      Exploration.threads(3) { number in
        for _ in 0..<2 {
          if number == 0 {
            source += 1
            Exploration.point("change the source")
            if Exploration.draw(below: 2) == 0 {
              cache.remove(1)
            } else {
              cache.set(source, forKey: 1)
            }
            known = source
          } else {
            let least = known
            let found = try? value(cache) {
              let value = source
              Exploration.point("load")
              return value
            }
            Exploration.require(
              found ?? 0 >= least, "\(found ?? 0) is found after \(least) was known")
          }
          Exploration.point("next")
        }
      }
      let left = cache.value(forKey: 1)
      Exploration.require(
        left == nil || left == source, "\(left ?? 0) is left, and \(source) was set")
    }
  }
}

import Eviction
import Foundation
import TestConditions
import Testing

/// Runs `action` as it dies.
private final class Link: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void = {}) { self.action = action }

  deinit { action() }
}

private typealias LinkCache = MemoryCache<Int, Link>

@Suite("A chain of values, each of which has the next one leave as it dies", .endsWhenItHangs)
struct ChainOfRemovalsTests {
  /// A way in which key 0 leaves a cache of one entry.
  enum Way: String, CaseIterable {
    case removal, removalOfAll, replacement, eviction, insertion, subscripting, trim, limit
    case expiredForAGet, expiredForATrim, expiredAtOnce, load

    fileprivate func callAsFunction(_ cache: LinkCache, time: ManualClock) {
      switch self {
      case .removal: cache.remove(0)
      case .removalOfAll: cache.removeAll()
      case .replacement: cache.set(Link(), forKey: 0)
      case .eviction: cache.set(Link(), forKey: 1)
      case .insertion: cache.insert(Link(), forKey: 1)
      case .subscripting: cache[0] = nil
      case .trim: cache.trim(toCount: 0)
      case .limit: cache.setLimits(count: 0, cost: nil)
      case .expiredForAGet:
        time.advance(bySeconds: 1)
        _ = cache.value(forKey: 0)
      case .expiredForATrim:
        time.advance(bySeconds: 1)
        cache.trim()
      case .expiredAtOnce: cache.setExpiration(.after(.zero), forKey: 0)
      case .load:
        _ = try? cache.value(forKey: 1) { Link() }
        cache.remove(1)
      }
    }
  }

  @Test("F10: needs no more of the stack than one of them", arguments: Way.allCases, [false, true])
  func needsNoStack(way: Way, hasCallback: Bool) async {
    let length = isOptimized ? 100_000 : 5_000
    let deaths = Counter()
    await onSmallStack { Self.run(length, by: way, hasCallback: hasCallback, deaths) }
    #expect(deaths.value == length)
  }

  private static func run(_ length: Int, by way: Way, hasCallback: Bool, _ deaths: Counter) {
    let time = ManualClock()
    let onRemoval: LinkCache.RemovalCallback = { _, _, _ in }
    let cache = LinkCache(
      countLimit: 1, policy: .lru,
      options: time.options { $0.expiration = .after(.seconds(1)) },
      onRemoval: hasCallback ? onRemoval : nil)
    @Sendable func leave(_ cache: LinkCache?) {
      guard let cache, deaths.value < length else { return }
      if way == .limit { cache.setLimits(count: 1, cost: nil) }
      cache.set(
        Link { [weak cache] in
          deaths.add()
          leave(cache)
        }, forKey: 0)
      way(cache, time: time)
    }
    leave(cache)
    // The last one of them may be there yet.
    cache.removeAll()
  }

  @Test("may have a million")
  func million() async {
    let length = isOptimized ? 1_000_000 : 20_000
    let deaths = Counter()
    await onSmallStack {
      let cache = LinkCache()
      for key in 0..<length {
        cache.set(
          Link { [weak cache] in
            deaths.add()
            cache?.remove(key + 1)
          }, forKey: key)
      }
      cache.remove(0)
    }
    #expect(deaths.value == length)
  }

  @Test("may go through the shards of one cache")
  func shards() async {
    let length = isOptimized ? 300_000 : 20_000
    let deaths = Counter()
    await onSmallStack {
      let cache = ShardedCache<Int, Link>(shards: 256)
      for key in 0..<length {
        cache.set(
          Link { [weak cache] in
            deaths.add()
            cache?.remove(key + 1)
          }, forKey: key)
      }
      cache.remove(0)
    }
    #expect(deaths.value == length)
  }

  @Test("may go through thousands of caches, and back to the first")
  func manyCaches() async {
    let deaths = Counter()
    await onSmallStack {
      let caches = (0..<5_000).map { _ in LinkCache() }
      for key in 0..<3 {
        for (number, cache) in caches.enumerated() {
          let next = number + 1 < caches.count ? (number + 1, key) : (0, key + 1)
          cache.set(
            Link {
              deaths.add()
              caches[next.0].remove(next.1)
            }, forKey: key)
        }
      }
      caches[0].remove(0)
    }
    #expect(deaths.value == 15_000)
  }

  /// Runs `body` on a thread with a stack of 512 KiB, as Darwin's secondary threads have.
  private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        body()
        continuation.resume()
      }
      thread.stackSize = 1 << 19
      thread.start()
    }
  }
}

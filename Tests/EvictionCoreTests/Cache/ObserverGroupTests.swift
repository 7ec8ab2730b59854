import Eviction
import Synchronization
import Testing

@Suite struct ObserverGroupTests {
  /// Keeps what it is called with.
  private final class Log: CacheObserver {
    let observedKeys: SpatialSample
    let begins = Atomic(0)
    let events = Mutex<[String]>([])

    init(_ keys: SpatialSample) { observedKeys = keys }

    func cacheBegins() { begins.add(1, ordering: .relaxed) }

    func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
      events.withLock { $0.append("\(event) \(keyHash) \(cost)") }
    }
  }

  /// What an observer learns in a group, and alone.
  private func events(of keys: SpatialSample, inGroup: Bool) -> [String] {
    let log = Log(keys)
    let all = Log(.all)
    let cache = MemoryCache<Int, Int>(
      costLimit: 50, costs: .given, policy: .lru, seed: 42,
      observer: inGroup ? ObserverGroup(all, log) : log)
    for key in 0..<200 {
      if cache.value(forKey: key % 23) == nil { cache.set(key, forKey: key % 23, cost: 3) }
      if key % 19 == 0 { cache.removeValue(forKey: key % 7) }
    }
    #expect(log.begins.load(ordering: .relaxed) == 1)
    #expect(all.begins.load(ordering: .relaxed) == (inGroup ? 1 : 0))
    return log.events.withLock { $0 }
  }

  @Test(arguments: [1, 0.3])
  func eachLearnsWhatItWouldAlone(share: Double) {
    let keys = SpatialSample(ratio: share, salt: 7)
    let alone = events(of: keys, inGroup: false)
    #expect(alone.count > 20)
    #expect(events(of: keys, inGroup: true) == alone)
  }
}

import Eviction
import Testing

@Suite("Lifetimes with jitter")
struct JitterTests {
  let time = ManualClock()

  /// The seconds that entries set at once have left.
  func lives(
    of expiration: Expiration, count: Int = 10_000, seed: UInt64? = 1
  ) -> [Double] {
    let cache = MemoryCache<Int, Int>(policy: .lru, seed: seed, options: time.options())
    for key in 0..<count { cache.set(key, forKey: key, expiration: expiration) }
    return (0..<count).map { key in (cache.timeRemaining(forKey: key) ?? .zero) / .seconds(1) }
  }

  @Test("end at moments that are spread evenly, none after its time to live")
  func spread() {
    let lives = lives(of: .after(.seconds(100), jitter: 0.2))
    #expect(lives.allSatisfy { $0 > 80 && $0 <= 100 })
    // Ten parts of two seconds; each has a thousand entries give or take five standard deviations.
    let parts = Dictionary(grouping: lives) { min(9, Int(($0 - 80) / 2)) }.mapValues(\.count)
    #expect(parts.count == 10 && parts.values.allSatisfy { abs($0 - 1_000) < 150 }, "\(parts)")
    // No two neighbours alike: the correlation of a life with the next one is small.
    let products = zip(lives, lives.dropFirst()).map { ($0 - 90) * ($1 - 90) }
    #expect(abs(products.reduce(0, +) / Double(products.count)) < 5)
  }

  @Test("repeat with a seed, and differ without")
  func seeds() {
    let expiration = Expiration.after(.seconds(100), jitter: 0.5)
    #expect(lives(of: expiration, count: 50) == lives(of: expiration, count: 50))
    #expect(lives(of: expiration, count: 50) != lives(of: expiration, count: 50, seed: 2))
    #expect(lives(of: expiration, count: 50) != lives(of: expiration, count: 50, seed: nil))
  }

  @Test("are exact if there is none; numbers out of range are the nearest one")
  func ranges() {
    for jitter: Double in [0, -1, -.infinity, .nan] {
      let lives = lives(of: .after(.seconds(100), jitter: jitter), count: 20)
      #expect(lives.allSatisfy { $0 == 100 })
    }
    for jitter: Double in [1, 2, .infinity] {
      let lives = lives(of: .after(.seconds(100), jitter: jitter))
      #expect(lives.allSatisfy { $0 > 0 && $0 <= 100 })
      #expect((lives.min() ?? 100) < 1 && (lives.max() ?? 0) > 99)
    }
    for duration in [Duration.nanoseconds(1), .seconds(Int64.max)] {
      let cache = MemoryCache<Int, Int>(options: time.options())
      cache.set(1, forKey: 1, expiration: .after(duration, jitter: 1))
      #expect(cache.contains(1))
    }
    let cache = MemoryCache<Int, Int>(options: time.options())
    #expect(!cache.set(1, forKey: 1, expiration: .after(.zero, jitter: 0.5)))
    cache.set(2, forKey: 2, expiration: .init(jitter: 0.5))
    #expect(cache.timeRemaining(forKey: 2) == nil)
  }

  @Test("are what a policy sees that looks at them")
  func policy() {
    let removals = Removals<Int>()
    let cache = MemoryCache<Int, Int>(
      countLimit: 100, policy: CachePolicy(ExpireSoonest.self), seed: 5,
      options: time.options { $0.expiration = .after(.seconds(100), jitter: 0.9) }
    ) { removals.append($0, $1, $2) }
    var ends: [Int: Duration] = [:]
    for key in 0..<300 {
      cache.set(key, forKey: key)
      if key % 3 == 0 { cache.setExpiration(.after(.seconds(50), jitter: 0.5), forKey: key) }
      ends[key] = cache.timeRemaining(forKey: key)
      for removal in removals.take() {
        let soonest = ends.filter { $0.key != key }.min { $0.value < $1.value }
        #expect(removal.key == soonest?.key)
        ends[removal.key] = nil
      }
    }
    #expect(ends.count == 100)
  }

  @Test("of a cache's own expiration, and of its refreshes")
  func standard() async throws {
    let cache = MemoryCache<Int, Int>(
      policy: .lru, seed: 3,
      options: time.options {
        $0.expiration = .after(.seconds(100), refreshAfter: .seconds(50), jitter: 0.4)
      })
    for key in 0..<1_000 { cache.set(key, forKey: key) }
    let lives = (0..<1_000).map { (cache.timeRemaining(forKey: $0) ?? .zero) / .seconds(1) }
    #expect(Set(lives).count > 990 && lives.allSatisfy { $0 > 60 && $0 <= 100 })
    time.advance(bySeconds: 40)
    for key in 0..<1_000 { _ = try await cache.value(forKey: key) { -1 } }
    // An entry whose life is shortened by some part is refreshed earlier by the same part.
    let isDue = (0..<1_000).map { lives[$0] / 2 <= 40 }
    try await waitUntil { cache.statistics.loads == isDue.count { $0 } }
    #expect((0..<1_000).allSatisfy { (cache.peek($0) == -1) == isDue[$0] })
  }
}

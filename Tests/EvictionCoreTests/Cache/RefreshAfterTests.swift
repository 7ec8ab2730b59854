import Eviction
import Synchronization
import Testing

private struct Failure: Error {}

/// A number that rises, each time with what follows from it.
final class Source: Sendable {
  private let state = Mutex(0)

  var number: Int { state.withLock { $0 } }

  func raise(_ body: (Int) -> Void) {
    state.withLock { number in
      number += 1
      body(number)
    }
  }
}

@Suite("Values that are to be refreshed", .endsWhenItHangs)
struct RefreshAfterTests {
  let time = ManualClock()
  let expiration = Expiration.after(.seconds(600), refreshAfter: .seconds(60))

  func makeCache(
    _ change: (inout MemoryCacheOptions) -> Void = { _ in }
  ) -> MemoryCache<Int, Int> {
    MemoryCache(countLimit: 1_000, policy: .lru, options: time.options(change))
  }

  @Test("are returned at once, and loaded anew in the background", arguments: CacheReads.allCases)
  func inTheBackground(reads: CacheReads) async throws {
    let cache = makeCache {
      $0.expiration = expiration
      $0.reads = reads
    }
    #expect(try await cache.value(forKey: 1) { 1 } == 1)
    time.advance(bySeconds: 59)
    #expect(try await cache.value(forKey: 1) { 2 } == 1)
    #expect(cache.statistics.loads == 1, "it is not time")
    time.advance(bySeconds: 1)
    let gate = Gate()
    let load: @Sendable () async throws -> Int = {
      await gate.wait()
      return 2
    }
    for _ in 0..<3 { #expect(try await cache.value(forKey: 1, orLoad: load) == 1) }
    #expect(cache.value(forKey: 1) == 1)
    gate.open()
    try await waitUntil { cache.peek(1) == 2 }
    #expect(cache.statistics.loads == 2)
    #expect(cache.timeRemaining(forKey: 1) == .seconds(600), "its life begins anew")
  }

  @Test("are loaded once, however many tasks find them at the same time")
  func once() async throws {
    let cache = makeCache { $0.expiration = expiration }
    for key in 0..<10 { cache.set(key, forKey: key) }
    time.advance(bySeconds: 60)
    let loads = Counter()
    let gate = Gate()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<200 {
        group.addTask {
          let key = task % 10
          let value = try? await cache.value(forKey: key) {
            loads.add()
            await gate.wait()
            return 100 + key
          }
          if value != key { Issue.record("got \(value ?? -1)") }
        }
      }
    }
    try await waitUntil { loads.value == 10 }
    gate.open()
    try await waitUntil { (0..<10).allSatisfy { cache.peek($0) == 100 + $0 } }
    #expect(loads.value == 10 && cache.statistics.replacements == 10)
  }

  @Test("stay if the load fails, which is tried again after a pause that grows to a minute")
  func failures() throws {
    let cache = makeCache { $0.expiration = .init(refreshAfter: .seconds(60)) }
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 60)
    var tries: [Int] = []
    for second in 0..<200 {
      let value = try cache.value(forKey: 1) {
        tries.append(second)
        throw Failure()
      }
      #expect(value == 1)
      time.advance(bySeconds: 1)
    }
    #expect(tries == [0, 1, 2, 4, 8, 16, 32, 64, 124, 184])
    #expect(cache.statistics.failedLoads == tries.count)
  }

  @Test("wait for their next try in the background, too")
  func pause() async throws {
    let cache = makeCache { $0.expiration = expiration }
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 60)
    #expect(try await cache.value(forKey: 1) { throw Failure() } == 1)
    try await waitUntil { cache.statistics.failedLoads == 1 }
    for _ in 0..<10 { #expect(try await cache.value(forKey: 1) { 2 } == 1) }
    #expect(cache.statistics.loads == 0)
    // The load that failed may still be on its last steps.
    while try await cache.value(forKey: 1, orLoad: { 3 }) == 1 {
      time.advance(bySeconds: 1)
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(cache.peek(1) == 3 && cache.statistics.failedLoads == 1)
  }

  @Test("are found until their own end, and not beyond it")
  func ends() async throws {
    let cache = makeCache { $0.expiration = expiration }
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 599)
    #expect(try await cache.value(forKey: 1) { throw Failure() } == 1)
    try await waitUntil { cache.statistics.failedLoads == 1 }
    time.advance(bySeconds: 1)
    await #expect(throws: Failure.self) { try await cache.value(forKey: 1) { throw Failure() } }
    #expect(!cache.contains(1))
  }

  @Test("are no news for what was set or removed while they are loaded", arguments: [false, true])
  func changes(removes: Bool) async throws {
    let cache = makeCache { $0.expiration = expiration }
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 60)
    let gate = Gate()
    _ = try await cache.value(forKey: 1) {
      await gate.wait()
      return 2
    }
    if removes { cache.remove(1) } else { cache.set(3, forKey: 1) }
    gate.open()
    try await waitUntil { cache.statistics.loads == 1 }
    #expect(cache.value(forKey: 1) == (removes ? nil : 3))
    #expect(try await cache.value(forKey: 1) { 4 } == (removes ? 4 : 3), "it is new")
  }

  @Test("have a time of their own, which another lifetime changes")
  func perEntry() async throws {
    let cache = makeCache()
    cache.set(1, forKey: 1, expiration: expiration)
    cache.set(1, forKey: 2)
    cache.set(1, forKey: 3, expiration: expiration)
    cache.setExpiration(.never, forKey: 3)
    cache.set(1, forKey: 4)
    cache.setExpiration(expiration, forKey: 4)
    cache.set(1, forKey: 5, expiration: expiration)
    cache.update(forKey: 5) { $0 = 5 }
    cache.set(1, forKey: 6, expiration: expiration)
    cache.remove(6)
    cache.set(1, forKey: 6)
    time.advance(bySeconds: 60)
    for key in 1...6 { _ = try await cache.value(forKey: key) { 2 } }
    try await waitUntil { cache.statistics.loads == 3 }
    #expect((1...6).filter { cache.peek($0) == 2 } == [1, 4, 5])
    cache.removeAll()
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 600)
    #expect(try await cache.value(forKey: 1) { 3 } == 1)
    #expect(cache.statistics.loads == 3)
  }

  @Test("are loaded by the first thread that finds them, if it blocks; others get the old ones")
  func onThreads() throws {
    let cache = makeCache { $0.expiration = expiration }
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 60)
    var others: Int?
    let value = try cache.value(forKey: 1) {
      others = try cache.value(forKey: 1, orLoad: { 3 })
      return 2
    }
    #expect(value == 2 && others == 1)
    #expect(cache.value(forKey: 1) == 2)
    time.advance(bySeconds: 60)
    #expect(try cache.value(forKey: 1, orLoad: { throw Failure() }) == 2)
    #expect(try cache.value(forKey: 1, orLoad: { 3 }) == 2, "the source has a pause")
    time.advance(bySeconds: 1)
    #expect(try cache.value(forKey: 1, orLoad: { 3 }) == 3)
    #expect(cache.statistics.loads == 2 && cache.statistics.failedLoads == 1)
  }

  @Test("are loaded together, if they were wanted together")
  func many() async throws {
    let cache = ShardedCache<Int, Int>(
      shards: 3, policy: .lru,
      options: time.options { $0.expiration = Expiration(refreshAfter: .seconds(60)) })
    for key in 0..<6 { cache.set(key, forKey: key) }
    time.advance(bySeconds: 60)
    cache.set(0, forKey: 0)
    let calls = Mutex<[[Int]]>([])
    let values = try await cache.values(forKeys: 0..<8) { keys in
      calls.withLock { $0.append(keys.sorted()) }
      return Dictionary(uniqueKeysWithValues: keys.filter { $0 != 3 }.map { ($0, 10 + $0) })
    }
    #expect((0..<6).allSatisfy { values[$0] == $0 } && values[6] == 16 && values[7] == 17)
    try await waitUntil { cache.statistics.loads == 6 }
    #expect(calls.withLock { $0.sorted { $0[0] < $1[0] } } == [[1, 2, 3, 4, 5], [6, 7]])
    try await waitUntil { cache.peek(5) == 15 }
    #expect(cache.peek(0) == 0 && cache.peek(3) == 3 && cache.peek(1) == 11)
    // The load before may still be on its last steps.
    while cache.statistics.failedLoads == 0 {
      time.advance(bySeconds: 60)
      #expect(try await cache.values(forKeys: [1]) { _ in throw Failure() } == [1: 11])
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(cache.peek(1) == 11)
  }

  @Test("may be wanted by other loads, which they are no part of")
  func withinLoads() async throws {
    let cache = makeCache { $0.expiration = expiration }
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 60)
    let value = try await cache.value(forKey: 2) {
      try await cache.value(forKey: 1) { try await cache.value(forKey: 2) { 7 } } + 1
    }
    #expect(value == 2)
    try await waitUntil { cache.peek(1) != 1 }
    #expect(cache.peek(1) == 2, "it waited for the other load, and did not run a second one")
  }

  @Test("read no clock where there are none")
  func noClockIsRead() async throws {
    let readings = Counter()
    var options = MemoryCacheOptions()
    options.clock = CacheClock {
      readings.add()
      return 0
    }
    let cache = MemoryCache<Int, Int>(countLimit: 100, policy: .lru, options: options)
    for key in 0..<200 { #expect(try await cache.value(forKey: key) { key } == key) }
    #expect(readings.value == 0)
    cache.set(1, forKey: 1, expiration: .init(refreshAfter: .seconds(1)))
    let before = readings.value
    for key in 0..<200 { _ = cache.value(forKey: key) }
    #expect(before > 0 && readings.value == before, "nothing expires: gets read no clock")
  }
}

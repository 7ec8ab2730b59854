import Dispatch
import Eviction
import Testing

private struct Failure: Error, Equatable {
  var number = 0
}

@Suite("Values that are loaded when they are missing", .endsWhenItHangs)
struct MemoryCacheLoadingTests {
  let time = ManualClock()

  func makeCache(
    countLimit: Int? = 10, _ change: (inout MemoryCacheOptions) -> Void = { _ in }
  ) -> MemoryCache<Int, Int> {
    MemoryCache(countLimit: countLimit, policy: .lru, options: time.options(change))
  }

  @Test("are stored, counted, and found from then on")
  func stored() throws {
    let cache = makeCache()
    #expect(try cache.value(forKey: 1, cost: 3, orLoad: { 10 }) == 10)
    #expect(try cache.value(forKey: 1, orLoad: { 20 }) == 10)
    #expect(cache.totalCost == 3)
    let statistics = cache.statistics
    #expect(statistics.loads == 1 && statistics.hits == 1 && statistics.misses == 1)
  }

  @Test("live as long as the load says")
  func expirationOnLoad() throws {
    let cache = makeCache()
    _ = try cache.value(forKey: 1, expiration: .after(.seconds(5)), orLoad: { 1 })
    _ = try cache.value(
      forKey: 2, orLoadEntry: { LoadedEntry(2, cost: 4, expiration: .after(.seconds(9))) })
    #expect(cache.totalCost == 5)
    time.advance(bySeconds: 5)
    #expect(try cache.value(forKey: 1, orLoad: { 11 }) == 11)
    #expect(try cache.value(forKey: 2, orLoad: { 12 }) == 2)
  }

  @Test("are returned even if the cache refuses them")
  func refused() throws {
    let cache = makeCache(countLimit: 0)
    #expect(try cache.value(forKey: 1, orLoad: { 10 }) == 10)
    #expect(cache.count == 0 && cache.statistics.loads == 1)
  }

  @Test("are loaded once for all who want them at the same time")
  func once() throws {
    let cache = makeCache()
    let loads = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let value = try? cache.value(forKey: 1) {
        loads.add()
        return 7
      }
      if value != 7 { Issue.record("got another value") }
    }
    #expect(loads.value == 1, "who comes later finds it in the cache")
  }

  @Test("may be asked for by their own load, in a task as on a thread")
  func reentrantLoad() async throws {
    let cache = makeCache()
    let value = try await cache.value(forKey: 1) {
      try await cache.value(forKey: 1, orLoad: { 5 }) + 1
    }
    #expect(value == 6)
    #expect(cache.value(forKey: 1) == 5, "the inner load was stored first")
  }

  @Test("are loaded once for tasks too")
  func onceForTasks() async throws {
    let cache = makeCache()
    let loads = Counter()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await cache.value(forKey: 1) {
            loads.add()
            try await Task.sleep(for: .milliseconds(1))
            return 7
          }
        }
      }
      for try await value in group { #expect(value == 7) }
    }
    #expect(loads.value == 1)
    #expect(cache.statistics.loads == 1 && cache.contains(1))
  }

  @Test("may fail: the next caller loads again")
  func failures() throws {
    let cache = makeCache()
    #expect(throws: Failure(number: 1)) {
      try cache.value(forKey: 1, orLoad: { throw Failure(number: 1) })
    }
    #expect(try cache.value(forKey: 1, orLoad: { 2 }) == 2)
    #expect(cache.statistics.failedLoads == 1)
  }

  @Test("may fail for a while, if asked for")
  func rememberedFailures() throws {
    let cache = makeCache()
    #expect(throws: Failure(number: 1)) {
      try cache.value(
        forKey: 1, rememberingFailuresFor: .seconds(5), orLoad: { throw Failure(number: 1) })
    }
    #expect(throws: Failure(number: 1)) { try cache.value(forKey: 1, orLoad: { 2 }) }
    time.advance(bySeconds: 5)
    #expect(try cache.value(forKey: 1, orLoad: { 3 }) == 3)
    for key in [2, 3] {
      _ = try? cache.value(
        forKey: key, rememberingFailuresFor: .seconds(5), orLoad: { throw Failure() })
    }
    cache.removeValue(forKey: 2)
    #expect(try cache.value(forKey: 2, orLoad: { 4 }) == 4, "removed, the failure is forgotten")
    cache.removeAll()
    #expect(try cache.value(forKey: 3, orLoad: { 5 }) == 5)
  }

  @Test("may fail for a while in tasks too")
  func rememberedFailuresOfTasks() async throws {
    let cache = makeCache()
    for number in 1...2 {
      await #expect(throws: Failure(number: 1)) {
        try await cache.value(forKey: 1, rememberingFailuresFor: .seconds(5)) {
          throw Failure(number: number)
        }
      }
    }
    time.advance(bySeconds: 5)
    #expect(try await cache.value(forKey: 1, orLoad: { 3 }) == 3)
  }

  @Test("are not stored if their key was removed meanwhile, nor over what was set meanwhile")
  func outOfDate() throws {
    let cache = makeCache()
    #expect(
      try cache.value(forKey: 1) {
        cache.removeValue(forKey: 1)
        return 10
      } == 10)
    #expect(
      try cache.value(forKey: 1) {
        cache.removeAll()
        return 20
      } == 20)
    #expect(!cache.contains(1))
    #expect(
      try cache.value(forKey: 1) {
        cache.set(31, forKey: 1)
        return 30
      } == 30)
    #expect(cache.value(forKey: 1) == 31)
  }

  /// A write of key 1 to a cache of one entry, after which the key has no value.
  enum PassingWrite: CaseIterable {
    case set, setForSomeTime, insertion, subscripting, tooLarge, overAtOnce

    func callAsFunction(_ cache: MemoryCache<Int, Int>) {
      switch self {
      case .set: cache.set(2, forKey: 1)
      case .setForSomeTime: cache.set(2, forKey: 1, expiration: .after(.seconds(5)))
      case .insertion: cache.insert(2, forKey: 1)
      case .subscripting: cache[1] = 2
      case .tooLarge: cache.set(2, forKey: 1, cost: .max)
      case .overAtOnce: cache.set(2, forKey: 1, expiration: .after(.zero))
      }
      cache.set(9, forKey: 9)
    }
  }

  @Test(
    "are not stored after their key was set, though what was set is gone",
    arguments: PassingWrite.allCases)
  func olderThanASet(write: PassingWrite) throws {
    let cache = makeCache(countLimit: 1)
    #expect(
      try cache.value(forKey: 1) {
        write(cache)
        return 10
      } == 10)
    #expect(!cache.contains(1) && cache.contains(9))
    #expect(try cache.value(forKey: 1, orLoad: { 20 }) == 20)
  }

  @Test("are loaded anew for who asks after a set of their key; who waits gets what is on its way")
  func loadsAcrossASet() async throws {
    let cache = makeCache(countLimit: 1)
    let gate = Gate()
    let started = Counter()
    let older = Task {
      try await cache.value(forKey: 1) {
        started.add()
        await gate.wait()
        return 10
      }
    }
    try await waitUntil { started.value > 0 }
    PassingWrite.set(cache)
    #expect(try await cache.value(forKey: 1) { 20 } == 20)
    gate.open()
    #expect(try await older.value == 10)
    #expect(cache.value(forKey: 1) == 20)
  }

  @Test("may have failed before their key was set, or loaded: that is forgotten")
  func failureBeforeAValue() throws {
    let cache = makeCache(countLimit: 1)
    func fail() {
      #expect(throws: Failure.self) {
        try cache.value(
          forKey: 1, rememberingFailuresFor: .seconds(5), orLoad: { throw Failure() })
      }
    }
    for write in PassingWrite.allCases {
      fail()
      write(cache)
      #expect(try cache.value(forKey: 1, orLoad: { 3 }) == 3, "\(write)")
      cache.removeAll()
    }
    #expect(
      try cache.value(forKey: 1) {
        fail()
        return 4
      } == 4)
    cache.set(9, forKey: 9)
    #expect(try cache.value(forKey: 1, orLoad: { 5 }) == 5, "the latest load had not failed")
  }

  @Test("may load others, and even themselves")
  func nested() throws {
    let cache = makeCache()
    func fibonacci(_ n: Int) throws -> Int {
      try cache.value(forKey: n) {
        n < 2 ? n : try fibonacci(n - 1) + fibonacci(n - 2)
      }
    }
    #expect(try fibonacci(60) == 1_548_008_755_920)
    var depth = 0
    func deep() throws -> Int {
      depth += 1
      return depth == 3 ? 5 : try cache.value(forKey: -1, orLoad: deep)
    }
    #expect(try deep() == 5)
  }

  @Test("stop loading when nobody waits any more")
  func cancelled() async throws {
    let cache = makeCache()
    let started = Counter()
    let task = Task {
      try await cache.value(forKey: 1, rememberingFailuresFor: .seconds(9)) {
        started.add()
        try await Task.sleep(for: .seconds(60))
        return 1
      }
    }
    try await waitUntil { started.value > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await cache.value(forKey: 1, orLoad: { 2 }) == 2)
  }
}

import Eviction
import Testing

private struct Failure: Error, Equatable {}

@Suite("Values that are loaded anew though the cache has them", .endsWhenItHangs)
struct RefreshingTests {
  func makeCache(countLimit: Int? = 10, removals: Removals<Int>? = nil) -> MemoryCache<Int, Int> {
    MemoryCache(countLimit: countLimit, policy: .lru, options: ManualClock().options()) {
      removals?.append($0, $1, $2)
    }
  }

  @Test("replace the old value when they are there; gets find that meanwhile")
  func replacement() async throws {
    let removals = Removals<Int>()
    let cache = makeCache(removals: removals)
    cache.set(10, forKey: 1, cost: 5)
    let gate = Gate()
    let started = Counter()
    let refresh = Task {
      try await cache.refreshValue(forKey: 1, cost: 7) {
        started.add()
        await gate.wait()
        return 20
      }
    }
    try await waitUntil { started.value > 0 }
    #expect(cache.value(forKey: 1) == 10)
    #expect(try await cache.value(forKey: 1, orLoad: { 30 }) == 10)
    gate.open()
    #expect(try await refresh.value == 20)
    #expect(cache.value(forKey: 1) == 20 && cache.cost(forKey: 1) == 7)
    #expect(removals.takeTexts() == ["1 replaced"])
    let statistics = cache.statistics
    #expect(statistics.loads == 1 && statistics.replacements == 1 && statistics.misses == 0)
  }

  @Test("are stored if there was none, and expire as the refresh says")
  func insertion() async throws {
    let time = ManualClock()
    let cache = MemoryCache<Int, Int>(countLimit: 10, options: time.options())
    let value = try await cache.refreshValue(forKey: 1, expiration: .after(.seconds(5))) { 10 }
    #expect(value == 10 && cache.value(forKey: 1) == 10)
    #expect(cache.statistics.insertions == 1)
    try await cache.refreshValue(forKey: 1) {
      LoadedEntry(11, cost: 3, expiration: .after(.seconds(9)))
    }
    #expect(cache.cost(forKey: 1) == 3 && cache.timeRemaining(forKey: 1) == .seconds(9))
    time.advance(bySeconds: 9)
    #expect(!cache.contains(1))
  }

  @Test("may fail: the old value stays, and the callers of the refresh get the error")
  func failure() async throws {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    await #expect(throws: Failure.self) {
      try await cache.refreshValue(forKey: 1) { throw Failure() }
    }
    #expect(cache.value(forKey: 1) == 10 && cache.statistics.failedLoads == 1)
    #expect(try await cache.refreshValue(forKey: 1) { 11 } == 11)
  }

  @Test("are loaded once for many callers at the same time")
  func once() async throws {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    let gate = Gate()
    let (started, loads) = (Counter(), Counter())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask {
          started.add()
          return try await cache.refreshValue(forKey: 1) {
            loads.add()
            await gate.wait()
            return 20
          }
        }
      }
      try await waitUntil { started.value == 100 && loads.value == 1 }
      gate.open()
      for try await value in group where value != 20 { Issue.record("got \(value)") }
    }
    // A caller that joins after the end starts another one.
    #expect(loads.value < 100 && cache.value(forKey: 1) == 20)
  }

  /// A change of key 1 while it is loaded anew.
  enum Change: CaseIterable {
    case set, removal, removalOfAll, update, removingUpdate, tooLarge

    func callAsFunction(_ cache: MemoryCache<Int, Int>) {
      switch self {
      case .set: cache.set(31, forKey: 1)
      case .removal: cache.removeValue(forKey: 1)
      case .removalOfAll: cache.removeAll()
      case .update: cache.update(forKey: 1) { $0 = 31 }
      case .removingUpdate: cache.update(forKey: 1) { $0 = nil }
      case .tooLarge: cache.set(31, forKey: 1, expiration: .after(.zero))
      }
    }

    var rest: Int? { self == .set || self == .update ? 31 : nil }
  }

  @Test("leave what was set or removed meanwhile", arguments: Change.allCases)
  func outOfDateInTasks(change: Change) async throws {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    #expect(
      try await cache.refreshValue(forKey: 1) {
        change(cache)
        return 20
      } == 20)
    #expect(cache.value(forKey: 1) == change.rest)
  }

  @Test("leave what was changed while a thread loads them", arguments: Change.allCases)
  func outOfDate(change: Change) throws {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    try cache.refreshValue(forKey: 1) {
      change(cache)
      return 20
    }
    #expect(cache.value(forKey: 1) == change.rest)
  }

  @Test("yield to an update of their key that runs when they are there")
  func update() {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    var loaded: Int?
    cache.update(forKey: 1) { value in
      loaded = try? cache.refreshValue(forKey: 1, byLoading: { 20 })
      value = 1 + (value ?? 0)
    }
    #expect(loaded == 20 && cache.value(forKey: 1) == 11)
  }

  @Test("are those of a load that is under way")
  func sharedLoad() async throws {
    let cache = makeCache()
    let gate = Gate()
    let started = Counter()
    let load = Task {
      try await cache.value(forKey: 1) {
        started.add()
        await gate.wait()
        return 10
      }
    }
    try await waitUntil { started.value > 0 }
    let refresh = Task {
      started.add()
      return try await cache.refreshValue(forKey: 1) { 20 }
    }
    try await waitUntil { started.value > 1 }
    try await Task.sleep(for: .milliseconds(5))
    gate.open()
    #expect(try await load.value == 10)
    let value = try await refresh.value
    #expect(value == 10 || value == 20, "the refresh may have come after the end of the load")
    #expect(cache.value(forKey: 1) == value)
  }

  @Test("go on for others when a caller loses patience")
  func patience() async throws {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    let gate = Gate()
    let started = Counter()
    let load: @Sendable () async throws -> Int = {
      started.add()
      await gate.wait()
      return Task.isCancelled ? 30 : 20
    }
    let patient = Task { try await cache.refreshValue(forKey: 1, byLoading: load) }
    try await waitUntil { started.value > 0 }
    let impatient = Task {
      try await withThrowingTaskGroup(of: Int.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await cache.refreshValue(forKey: 1, byLoading: load) }
        group.addTask {
          try await Task.sleep(for: .milliseconds(5))
          throw Failure()
        }
        return try await group.next() ?? 0
      }
    }
    await #expect(throws: Failure.self) { try await impatient.value }
    gate.open()
    #expect(try await patient.value == 20)
    #expect(cache.value(forKey: 1) == 20 && started.value == 1)
  }

  @Test("may be loaded by threads that block")
  func blocking() throws {
    let cache = makeCache()
    cache.set(10, forKey: 1)
    #expect(try cache.refreshValue(forKey: 1, cost: 2, byLoading: { 20 }) == 20)
    #expect(cache.cost(forKey: 1) == 2)
    #expect(throws: Failure.self) {
      try cache.refreshValue(forKey: 1, byLoading: { throw Failure() })
    }
    #expect(cache.value(forKey: 1) == 20)
    let outer = try cache.refreshValue(forKey: 1) {
      try cache.refreshValue(forKey: 1, byLoading: { 5 }) + 1
    }
    #expect(outer == 6 && cache.value(forKey: 1) == 6)
  }

  @Test("may be wanted by their own load")
  func reentrant() async throws {
    let cache = makeCache()
    let outer = try await cache.refreshValue(forKey: 1) {
      try await cache.refreshValue(forKey: 1, byLoading: { 7 }) + 1
    }
    #expect(outer == 8 && cache.value(forKey: 1) == 8)
  }

  @Test("never bring back an older value, whatever tasks set and refresh at once")
  func neverOlder() async throws {
    let cache = makeCache()
    let source = Source()
    cache.set(0, forKey: 1)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<300 { _ = try? await cache.refreshValue(forKey: 1) { source.number } }
        }
      }
      group.addTask {
        for _ in 0..<300 {
          source.raise { cache.set($0, forKey: 1) }
          await Task.yield()
        }
      }
      group.addTask {
        var latest = 0
        for _ in 0..<3_000 {
          let value = cache.value(forKey: 1) ?? 0
          if value < latest { Issue.record("\(value) after \(latest)") }
          latest = value
          if value % 10 == 0 { await Task.yield() }
        }
      }
    }
    #expect(cache.value(forKey: 1) == 300)
  }

  @Test("of caches in shards, and through the protocol")
  func shards() async throws {
    let cache = ShardedCache<Int, Int>(shards: 3, countLimit: 30, policy: .fifo)
    for key in 0..<9 { cache.set(key, forKey: key) }
    for key in 0..<9 {
      #expect(try await cache.refreshValue(forKey: key) { 10 * key } == 10 * key)
    }
    #expect((0..<9).allSatisfy { cache.value(forKey: $0) == 10 * $0 })
    try refreshBlocking(cache)
    try await cache.refreshValue(forKey: 3, byLoadingEntry: { LoadedEntry(9) })
    #expect(cache[1] == 7 && cache[2] == 8 && cache[3] == 9 && cache.cost(forKey: 2) == 2)
    try await refresh(1, to: 5, in: cache)
    #expect(cache[1] == 5)
  }

  private func refreshBlocking(_ cache: ShardedCache<Int, Int>) throws {
    try cache.refreshValue(forKey: 1, byLoading: { 7 })
    try cache.refreshValue(forKey: 2, byLoadingEntry: { LoadedEntry(8, cost: 2) })
  }

  private func refresh<Failure: Error>(
    _ key: Int, to value: Int, in cache: some Cache<Int, Int, Failure>
  ) async throws {
    #expect(try await cache.refreshValue(forKey: key) { value } == value)
    try await cache.refreshValue(forKey: key, expiration: .after(.seconds(60))) { value }
    try await cache.refreshValue(forKey: key, cost: 1, expiration: nil) { value }
  }
}

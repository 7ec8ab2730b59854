import Eviction
import Synchronization
import Testing

@Suite("Several keys at once")
struct LoadingManyTests {
  /// The keys of each call of a loader.
  private final class Calls: Sendable {
    private let all = Mutex<[[Int]]>([])

    func add(_ keys: [Int]) { all.withLock { $0.append(keys.sorted()) } }

    func take() -> [[Int]] {
      all.withLock { all in
        defer { all = [] }
        return all
      }
    }
  }

  /// A door that tasks wait at until it is opened.
  private final class Door: Sendable {
    private let isOpen = Atomic(false)
    private let visitors = Atomic(0)

    func open() { isOpen.store(true, ordering: .releasing) }

    func pass() async throws {
      visitors.add(1, ordering: .acquiringAndReleasing)
      try await waitUntil { isOpen.load(ordering: .acquiring) }
    }

    func waitForVisitor() async throws {
      try await waitUntil { visitors.load(ordering: .acquiring) > 0 }
    }
  }

  private struct Trouble: Error {}

  /// Tests any cache in memory that has room.
  private func useOneCall(_ cache: some Cache<Int, Int, Never>) async throws {
    let calls = Calls()
    await cache.set(-1, forKey: 1)
    let values = try await cache.values(forKeys: [1, 2, 3, 4, 2]) { missing in
      calls.add(missing)
      return [2: -2, 3: -3, 99: -99]
    }
    #expect(values == [1: -1, 2: -2, 3: -3])
    #expect(calls.take() == [[2, 3, 4]])
    #expect(await cache.peek(2) == -2)
    for key in [4, 99] { #expect(await cache.peek(key) == nil) }
    #expect(cache.statistics.loads == 2 && cache.statistics.misses == 3)
    #expect(try await cache.values(forKeys: [1, 2]) { _ in throw Trouble() } == [1: -1, 2: -2])
    await #expect(throws: Trouble.self) {
      try await cache.values(forKeys: [1, 5, 6]) { _ in throw Trouble() }
    }
    #expect(cache.statistics.failedLoads == 2)
    #expect(await cache.peek(5) == nil)
    #expect(try await cache.values(forKeys: [5]) { _ in [5: -5] } == [5: -5])
    #expect(try await cache.values(forKeys: []) { _ in throw Trouble() } == [:])
  }

  @Test("One call loads all that is missing")
  func oneCall() async throws {
    try await useOneCall(MemoryCache<Int, Int>(countLimit: 100))
    try await useOneCall(ShardedCache<Int, Int>(shards: 8, countLimit: 800))
  }

  @Test("Keys that others load are waited for, and others wait", .endsWhenItHangs)
  func sharing() async throws {
    let cache = MemoryCache<Int, Int>(countLimit: 100, options: ManualClock().options())
    let (calls, first, second) = (Calls(), Door(), Door())
    async let one = cache.value(forKey: 1) {
      try await first.pass()
      return -1
    }
    try await first.waitForVisitor()
    async let many = cache.values(forKeys: [1, 2, 3]) { missing in
      calls.add(missing)
      try await second.pass()
      return [2: -2]
    }
    try await second.waitForVisitor()
    async let other = cache.values(forKeys: [2, 3, 4]) { missing in
      calls.add(missing)
      return Dictionary(uniqueKeysWithValues: missing.map { ($0, -$0) })
    }
    async let single = cache.value(forKey: 2) { 0 }
    async let leftOut = cache.value(forKey: 3) { 33 }
    try await waitUntil { cache.peek(4) != nil }
    try await Task.sleep(for: .milliseconds(20))
    first.open()
    second.open()
    #expect(try await one == -1)
    #expect(try await many == [1: -1, 2: -2])
    #expect(try await single == -2)
    // The third key is loaded anew by one of two.
    let third = try await leftOut
    #expect(third == 33 || third == -3)
    #expect(try await other == [2: -2, 3: third, 4: -4])
    #expect(calls.take().prefix(2) == [[2, 3], [4]])
  }

  @Test("An error goes to all who wait for one of the keys", .endsWhenItHangs)
  func errors() async throws {
    let cache = MemoryCache<Int, Int>(countLimit: 100, options: ManualClock().options())
    let door = Door()
    let many = Task {
      try await cache.values(forKeys: [1, 2]) { _ in
        try await door.pass()
        throw Trouble()
      }
    }
    try await door.waitForVisitor()
    let single = Task { try await cache.value(forKey: 2) { 0 } }
    let other = Task { try await cache.values(forKeys: [1, 3]) { _ in [3: 3] } }
    try await waitUntil { cache.peek(3) != nil }
    try await Task.sleep(for: .milliseconds(20))
    door.open()
    await #expect(throws: Trouble.self) { _ = try await many.value }
    await #expect(throws: Trouble.self) { _ = try await single.value }
    await #expect(throws: Trouble.self) { _ = try await other.value }
  }

  @Test(
    "A caller that is cancelled leaves the load to the others; the last one ends it",
    .endsWhenItHangs)
  func cancellation() async throws {
    let cache = MemoryCache<Int, Int>(countLimit: 100, options: ManualClock().options())
    let door = Door()
    let wasCancelled = Counter()
    @Sendable func load(_ missing: [Int]) async throws -> [Int: Int] {
      do { try await door.pass() } catch {
        wasCancelled.add()
        throw error
      }
      return [1: -1, 2: -2]
    }
    let many = Task { try await cache.values(forKeys: [1, 2], orLoad: load) }
    try await door.waitForVisitor()
    let single = Task { try await cache.value(forKey: 2) { 0 } }
    try await Task.sleep(for: .milliseconds(50))
    many.cancel()
    await #expect(throws: CancellationError.self) { _ = try await many.value }
    #expect(wasCancelled.value == 0)
    single.cancel()
    await #expect(throws: CancellationError.self) { _ = try await single.value }
    try await waitUntil { wasCancelled.value == 1 }
    #expect(try await cache.values(forKeys: [1, 2]) { _ in [1: 1, 2: 2] } == [1: 1, 2: 2])
  }

  @Test("A key that is set while it is loading keeps what was set", .endsWhenItHangs)
  func setMeanwhile() async throws {
    let cache = MemoryCache<Int, Int>(countLimit: 100)
    let values = try await cache.values(forKeys: [1, 2, 3]) { _ in
      cache.set(7, forKey: 1)
      cache.remove(2)
      return [1: -1, 2: -2, 3: -3]
    }
    #expect(values == [1: -1, 2: -2, 3: -3])
    #expect(cache.peek(1) == 7 && cache.peek(2) == nil && cache.peek(3) == -3)
  }

  @Test("A load of several keys that wants one of them runs within itself, and circles end")
  func circles() async throws {
    let cache = MemoryCache<Int, Int>(countLimit: 100)
    let values = try await cache.values(forKeys: [1, 2]) { _ in
      let inner = try await cache.values(forKeys: [1, 3]) { missing in
        Dictionary(uniqueKeysWithValues: missing.map { ($0, 10 * $0) })
      }
      return inner.merging([2: 2]) { $1 }
    }
    #expect(values == [1: 10, 2: 2] && cache.peek(3) == 30)
    @Sendable func endless(_ missing: [Int]) async throws -> [Int: Int] {
      try await cache.values(forKeys: [9], orLoad: endless)
    }
    await #expect(throws: LoadError.self) {
      try await cache.values(forKeys: [9], orLoad: endless)
    }
  }

  @Test("Entries that are loaded say what they cost and how long they live")
  func entries() async throws {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(
      costLimit: 100, costs: .weighed { _ in 1 }, options: clock.options())
    _ = try await cache.values(forKeys: [1, 2]) { missing in
      Dictionary(
        uniqueKeysWithValues: missing.map {
          ($0, LoadedEntry($0, cost: 10 * $0, expiration: .after(.seconds($0))))
        })
    }
    #expect(cache.cost(forKey: 2) == 20)
    _ = try await cache.values(forKeys: [3], expiration: .after(.seconds(1))) { _ in [3: 3] }
    clock.advance(bySeconds: 1.5)
    #expect(Array(cache.keys) == [2])
  }

  @Test("Pairs are set one after the other; entries are removed by what they are")
  func pairsAndRemovals() {
    let cache = MemoryCache<Int, Int>(countLimit: 100)
    #expect(cache.set(contentsOf: (0..<50).map { ($0, -$0) }) == 50)
    #expect(cache.removeEntries { $0.value < -39 } == 10)
    #expect(cache.keys.sorted() == Array(0..<40))
    let small = ShardedCache<Int, Int>(shards: 2, countLimit: 4)
    #expect(small.set(contentsOf: (0..<50).map { ($0, -$0) }) == 50 && small.count <= 4)
    #expect(small.set(contentsOf: [(1, 1)], expiration: .after(.zero)) == 0)
  }
}

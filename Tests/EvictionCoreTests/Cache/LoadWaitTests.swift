import Dispatch
import Eviction
import Testing

@Suite("A wait for the load of another caller", .endsWhenItHangs)
struct LoadWaitTests {
  /// Without a limit: while other tests run, a load's task may wait for minutes.
  let flights = SingleFlight<String, Int>(waitLimit: nil)

  /// The circles that two loads can close, by the one that begins.
  private static func circles(_ keys: String...) -> [LoadError] {
    keys.indices.map { first in
      let keys = keys[first...] + keys[..<first]
      return .circle(keys: keys + [keys.first ?? ""])
    }
  }

  private func loadError(_ result: Result<Int, any Error>) -> LoadError? {
    if case .failure(let error as LoadError) = result { error } else { nil }
  }

  // MARK: Limits

  @Test("ends at its limit, for a thread and for a task; the load goes on for the others")
  func limit() async throws {
    let flights = SingleFlight<String, Int>(waitLimit: .milliseconds(20))
    let gate = Gate()
    let first = Task {
      try await flights.value(forKey: "a") { _ in
        await gate.wait()
        return 7
      }
    }
    try await waitUntil { flights.count > 0 }
    let error = LoadError.waitedTooLong(key: "a", limit: .milliseconds(20), blocksThread: false)
    for _ in 0..<3 {
      await #expect(throws: error) { try await flights.value(forKey: "a") { _ in 8 } }
    }
    let blocking = LoadError.waitedTooLong(key: "a", limit: .milliseconds(20), blocksThread: true)
    await #expect(throws: blocking) {
      try await onThread { try flights.value(forKey: "a") { _ in 9 } }
    }
    #expect(
      "\(error)"
        == "“a” is being loaded by another caller, and was not there after 0.02 seconds; see that its "
        + "load does not wait for itself, or raise loadWaitLimit")
    #expect("\(blocking)".contains("await the value instead of blocking a thread"))
    gate.open()
    #expect(try await first.value == 7)
    #expect(try await flights.value(forKey: "a") { _ in 10 } == 10)
  }

  @Test("of a task for the load of a thread ends at its limit too")
  func limitOfAThreadsLoad() async throws {
    let flights = SingleFlight<String, Int>(waitLimit: .milliseconds(20))
    let gate = DispatchSemaphore(value: 0)
    let first = Task {
      try await onThread {
        try flights.value(forKey: "a") { _ in
          gate.wait()
          return 7
        }
      }
    }
    try await waitUntil { flights.count > 0 }
    let error = LoadError.waitedTooLong(key: "a", limit: .milliseconds(20), blocksThread: false)
    await #expect(throws: error) { try await flights.value(forKey: "a") { _ in 8 } }
    await #expect(throws: error) {
      try await onThread { try flights.value(forKey: "a") { _ in 8 } }
    }
    gate.signal()
    #expect(try await first.value == 7)
  }

  @Test("of the last who wants the value abandons the load when it ends")
  func lastOne() async throws {
    let flights = SingleFlight<String, Int>(waitLimit: .milliseconds(20))
    let (joined, cancelled) = (Counter(), Counter())
    let first = Task {
      try await flights.value(forKey: "a") { _ in
        do { try await Task.sleep(for: .seconds(600)) } catch {
          cancelled.add()
          throw error
        }
        return 1
      }
    }
    try await waitUntil { flights.count > 0 }
    let second = Task {
      joined.add()
      return try await flights.value(forKey: "a") { _ in 2 }
    }
    try await waitUntil { joined.value > 0 }
    first.cancel()
    // It waited, or began a load of its own.
    let result = await second.result
    #expect(loadError(result) != nil || (try? result.get()) == 2)
    try await waitUntil { cancelled.value == 1 }
    #expect(try await flights.value(forKey: "a") { _ in 3 } == 3)
  }

  @Test("of many threads that keep the load's task from running ends, and so does the load")
  func blockedPool() async throws {
    var options = MemoryCacheOptions()
    options.loadWaitLimit = .milliseconds(200)
    let cache = MemoryCache<Int, Int>(options: options)
    let started = Counter()
    let ended = Counter()
    let load = Task {
      try await cache.value(forKey: 1) {
        started.add()
        // Each needs a thread once more.
        while ended.value < 32 { try await Task.sleep(for: .milliseconds(5)) }
        return 7
      }
    }
    try await waitUntil { started.value > 0 }
    @Sendable func block() {
      do {
        if try cache.value(forKey: 1, orLoad: { 8 }) != 7 { Issue.record("another value") }
      } catch is LoadError {} catch { Issue.record(error) }
      ended.add()
    }
    for _ in 0..<64 { DispatchQueue.global().async { block() } }
    #expect(try await load.value == 7)
    try await waitUntil { ended.value == 64 }
  }

  @Test("through a detached task for the load that waits for it ends at the limit")
  func detached() async throws {
    let flights = SingleFlight<String, Int>(waitLimit: .milliseconds(20))
    let error = LoadError.waitedTooLong(key: "a", limit: .milliseconds(20), blocksThread: false)
    await #expect(throws: error) {
      try await flights.value(forKey: "a") { _ in
        try await Task.detached { try await flights.value(forKey: "a") { _ in 1 } }.value
      }
    }
    #expect(flights.count == 0)
  }

  // MARK: Circles

  @Test("that would close a circle throws, and so do the loads in it")
  func circleOfTasks() async throws {
    let started = [Counter(), Counter(), Counter()]
    let keys = ["a", "b", "c"]
    let tasks = keys.indices.map { own in
      Task { [flights] in
        try await flights.value(forKey: keys[own]) { _ in
          started[own].add()
          try await waitUntil { started.allSatisfy { $0.value > 0 } }
          let next = keys[(own + 1) % 3]
          // A child task is part of the load as well.
          async let value = flights.value(forKey: next) { _ in 1 }
          return try await value
        }
      }
    }
    let circles = Self.circles("a", "b", "c")
    for task in tasks {
      let error = try #require(loadError(await task.result))
      #expect(circles.contains(error), "\(error)")
    }
    #expect(
      "\(circles[0])"
        == "loads wait for each other: “a” → “b” → “c” → “a”; load one of these keys without the cache"
    )
    #expect(flights.count == 0)
    let later = try await flights.value(forKey: "a") { [flights] _ in
      try await flights.value(forKey: "b") { _ in 3 }
    }
    #expect(later == 3)
  }

  @Test("of threads that would close a circle throws, across caches and shards")
  func circleOfThreads() async throws {
    let first = MemoryCache<String, Int>()
    let second = ShardedCache<String, Int>(shards: 4)
    let (one, two) = (Counter(), Counter())
    let left = Task {
      try await onThread {
        try first.value(forKey: "a") {
          one.add()
          while two.value == 0 {}
          return try second.value(forKey: "b", orLoad: { 1 })
        }
      }
    }
    let right = Task {
      try await onThread {
        try second.value(forKey: "b") {
          two.add()
          while one.value == 0 {}
          return try first.value(forKey: "a", orLoad: { 2 })
        }
      }
    }
    let circles = Self.circles("a", "b")
    for result in [await left.result, await right.result] {
      let error = try #require(loadError(result))
      #expect(circles.contains(error), "\(error)")
    }
    #expect(first.count == 0 && second.count == 0)
    #expect(try await second.value(forKey: "b", orLoad: { 3 }) == 3)
  }

  @Test("of a task and a thread that would close a circle throws")
  func circleOfTaskAndThread() async throws {
    let (one, two) = (Counter(), Counter())
    let task = Task { [flights] in
      try await flights.value(forKey: "a") { _ in
        // Within another load; the circle does not hold that one.
        try await flights.value(forKey: "x") { _ in
          one.add()
          try await waitUntil { two.value > 0 }
          return try await flights.value(forKey: "b") { _ in 1 }
        }
      }
    }
    try await waitUntil { one.value > 0 }
    let thread = Task { [flights] in
      try await onThread {
        try flights.value(forKey: "b") { _ in
          two.add()
          return try flights.value(forKey: "a") { _ in 2 }
        }
      }
    }
    let circles = Self.circles("a", "x", "b") + Self.circles("a", "b")
    for result in [await task.result, await thread.result] {
      let error = try #require(loadError(result))
      #expect(circles.contains(error), "\(error)")
    }
  }

  @Test("for what a load does not need ends no load: many loads may want one")
  func noCircle() async throws {
    let gate = Gate()
    let started = Counter()
    let common = Task { [flights] in
      try await flights.value(forKey: "common") { _ in
        await gate.wait()
        return 1
      }
    }
    try await waitUntil { flights.count == 1 }
    let tasks = (0..<200).map { number in
      Task { [flights] in
        try await flights.value(forKey: "\(number)") { _ in
          started.add()
          return try await flights.value(forKey: "common") { _ in 1 }
            + flights.value(forKey: "\(number / 2)") { _ in 1 }
        }
      }
    }
    try await waitUntil { started.value == 200 }
    gate.open()
    for task in tasks { #expect(try await task.value > 0) }
    _ = try await common.value
  }

  @Test("has no place in a load that wants its own key for ever: that throws after a while")
  func endlessly() async throws {
    func block() throws -> Int {
      try flights.value(forKey: "a") { _ in try flights.value(forKey: "b") { _ in try block() } }
    }
    #expect(throws: LoadError.circle(keys: ["a", "b", "a"])) { try block() }
    @Sendable func load() async throws -> Int {
      try await flights.value(forKey: "a") { _ in try await load() }
    }
    await #expect(throws: LoadError.circle(keys: ["a", "a"])) { try await load() }
    #expect(flights.count == 0)
  }

  @Test("may be as deep as the stack is")
  func deep() throws {
    func load(_ number: Int) throws -> Int {
      try flights.value(forKey: "\(number)") { _ in number == 0 ? 1 : try load(number - 1) + 1 }
    }
    #expect(try load(300) == 301)
  }
}

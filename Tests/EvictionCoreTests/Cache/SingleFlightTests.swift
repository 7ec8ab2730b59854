import Dispatch
import Eviction
import Synchronization
import Testing

private struct Failure: Error, Equatable {}

@Suite("One load per key", .endsWhenItHangs)
struct SingleFlightTests {
  /// Without a limit: while other tests run, a load's task may wait for minutes.
  let flights = SingleFlight<Int, Int>(waitLimit: nil)

  @Test("Threads that want a key at once share a load, and its result")
  func threads() async throws {
    let loads = Counter()
    let wrong = Counter()
    try await onThread { [flights] in
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for key in 0..<200 {
          let value = try? flights.value(forKey: key) { _ in
            loads.add()
            return 10 * key
          }
          if value != 10 * key { wrong.add() }
        }
      }
    }
    #expect(wrong.value == 0)
    #expect((200...800).contains(loads.value))
    #expect(flights.count == 0)
  }

  @Test("Tasks and a thread that want a key while it loads wait for it")
  func tasksAndThread() async throws {
    let gate = Gate()
    let loads = Counter()
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await flights.value(forKey: 1) { _ in
            loads.add()
            await gate.wait()
            return 7
          }
        }
      }
      let thread = Task { try await onThread { try flights.value(forKey: 1) { _ in 8 } } }
      try await waitUntil { loads.value > 0 }
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) } + [thread.value]
    }
    // Who came after the load was over had one of his own.
    #expect(values.allSatisfy { $0 == 7 || $0 == 8 } && values.dropLast().contains(7))
    #expect(flights.count == 0)
  }

  @Test("An error goes to all who wait, and is not kept")
  func errors() async throws {
    let gate = Gate()
    let first = Task {
      try await flights.value(forKey: 1) { _ in
        await gate.wait()
        throw Failure()
      }
    }
    try await waitUntil { flights.count > 0 }
    let second = Task { try await flights.value(forKey: 1) { _ in 2 } }
    gate.open()
    await #expect(throws: Failure.self) { try await first.value }
    _ = await second.result
    #expect(try await flights.value(forKey: 1) { _ in 3 } == 3)
  }

  @Test("An error of a thread's load is the thread's")
  func errorOfAThread() throws {
    #expect(throws: Failure.self) { try flights.value(forKey: 1) { _ in throw Failure() } }
    #expect(try flights.value(forKey: 1) { _ in 4 } == 4)
  }

  @Test("A caller that is cancelled stops waiting; the load goes on for the others")
  func oneIsCancelled() async throws {
    let gate = Gate()
    let cancelled = Counter()
    let load: @Sendable (SingleFlight<Int, Int>.Flight) async throws -> Int = { _ in
      await gate.wait()
      if Task.isCancelled { cancelled.add() }
      return 7
    }
    let first = Task { try await flights.value(forKey: 1, load: load) }
    try await waitUntil { flights.count > 0 }
    let second = Task { try await flights.value(forKey: 1, load: load) }
    // The second waits, or will start a load of its own at once; either way it gets its value.
    for _ in 0..<100 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value == 7)
    #expect(cancelled.value == 0)
  }

  @Test("When all are cancelled the load is cancelled too, and the next caller starts anew")
  func allAreCancelled() async throws {
    let cancelled = Counter()
    let task = Task {
      try await flights.value(forKey: 1) { _ in
        do { try await Task.sleep(for: .seconds(60)) } catch {
          cancelled.add()
          throw error
        }
        return 1
      }
    }
    try await waitUntil { flights.count > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await flights.value(forKey: 1) { _ in 2 } == 2)
    try await waitUntil { cancelled.value > 0 }
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await flights.value(forKey: 1) { _ in 3 }
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test("A key that is forgotten while it loads is loaded anew by the next caller")
  func forgotten() throws {
    let value = try flights.value(forKey: 1) { outer in
      #expect(outer.isCurrent && flights.count == 1)
      flights.forget(1)
      flights.forget(2)
      #expect(!outer.isCurrent && flights.count == 0)
      let inner = try flights.value(forKey: 1) { flight in
        #expect(flight.isCurrent)
        return 2
      }
      flights.forgetAll()
      return 10 + inner
    }
    #expect(value == 12)
  }

  @Test("A load that wants its own key does not wait for itself")
  func reentrant() throws {
    var depth = 0
    func load() throws -> Int {
      depth += 1
      if depth == 3 { return 5 }
      return try flights.value(forKey: 1) { _ in try load() }
    }
    #expect(try flights.value(forKey: 1) { _ in try load() } == 5)
    #expect(flights.count == 0)
  }

  @Test("Neither does a task's, whether it asks itself, a child task, or by another key's load")
  func reentrantTask() async throws {
    let own = try await flights.value(forKey: 1) { [flights] _ in
      try await flights.value(forKey: 1) { flight in
        #expect(flight.isCurrent && flights.count == 1)
        return 5
      }
    }
    let child = try await flights.value(forKey: 1) { [flights] _ in
      try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { try await flights.value(forKey: 1) { _ in 6 } }
        return try await group.next() ?? 0
      }
    }
    let detour = try await flights.value(forKey: 1) { [flights] _ in
      try await flights.value(forKey: 2) { _ in
        try await flights.value(forKey: 1) { _ in 7 }
      }
    }
    @Sendable func block() throws -> Int { try flights.value(forKey: 1) { _ in 8 } }
    let blocking = try await flights.value(forKey: 1) { _ in
      await Task.yield()
      return try block()
    }
    #expect(own == 5 && child == 6 && detour == 7 && blocking == 8)
    #expect(flights.count == 0)
  }

  @Test("A load that is abandoned is out of date, and its key free, before anybody hears of it")
  func freeOnceAbandoned() async throws {
    let (started, free) = (Counter(), Counter())
    let task = Task {
      try await flights.value(forKey: 1) { [flights] flight in
        try await withTaskCancellationHandler {
          started.add()
          try await Task.sleep(for: .seconds(60))
        } onCancel: {
          if flights.count == 0 && !flight.isCurrent { free.add() }
        }
        return 1
      }
    }
    try await waitUntil { started.value > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(free.value == 1)
  }
}

/// Lets tasks wait until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      let waiting = state.waiting
      state.waiting = []
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Runs what blocks on a thread that may; a test that has used up its time does not wait for it.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  let results = AsyncThrowingStream<Value, any Error> { continuation in
    DispatchQueue.global().async {
      continuation.yield(with: Result { try body() })
      continuation.finish()
    }
  }
  for try await value in results { return value }
  throw CancellationError()
}

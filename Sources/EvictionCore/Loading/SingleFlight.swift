import CInline
import Dispatch
import Synchronization

/// Runs one load per key, however many callers want its result: the first one starts it, the others wait
/// for the same.
///
///     let flights = SingleFlight<String, [UInt8]>()
///     let page = try await flights.value(forKey: path) { _ in try await download(path) }
///
/// Synchronous and asynchronous callers of a key share a load. A synchronous caller runs it on its own
/// thread, or blocks until another's is done, so it must not be a task. An asynchronous caller suspends;
/// the load runs in a task of its own, which is cancelled when all who wait for it are, and keeps the priority
/// of the caller that started it: a more urgent caller that joins does not raise it. A caller that is cancelled
/// stops waiting at once and throws `CancellationError`.
///
/// Results and errors go to all who wait, and are not kept. A load that wants its own key runs a second load
/// within the first, so that it never waits for itself: on its own thread, or anywhere in its task and those
/// that it starts, other keys' loads among them. Loads that two callers have started and that want each
/// other's keys wait forever.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let flights = Mutex<[Key: Flight]>([:])
  @usableFromInline let flightCount = Atomic(0)

  /// Creates one without loads.
  public init() {}

  /// The number of loads under way that a caller could join.
  @inlinable
  public var count: Int { flightCount.load(ordering: .acquiring) }

  /// Has the next caller of `key` start a load of its own: what is being loaded is out of date.
  public func forget(_ key: Key) {
    // Who forgets has changed the source and then looks for loads; who loads has said so and then looks at
    // the source. Of these four in one order, one sees the other.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if count > 0 { update { $0.removeValue(forKey: key)?.forget() } }
  }

  /// Forgets every key.
  public func forgetAll() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if count == 0 { return }
    update { flights in
      for flight in flights.values { flight.forget() }
      flights = [:]
    }
  }

  /// The flight of `key`, the caller's number among those who wait for it, and whether it is new. Who is part
  /// of the load itself must not wait for it, and has no number.
  private func join(_ key: Key, thread: UInt?) -> (flight: Flight, waiter: Int?, isNew: Bool) {
    // Before the load looks at its source; see ``forget(_:)``.
    defer { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    return update { flights in
      if let flight = flights[key] {
        return (flight, flight.isRun(by: thread) ? nil : flight.board(), false)
      }
      let flight = Flight(thread: thread)
      flights[key] = flight
      return (flight, flight.board(), true)
    }
  }

  /// A waiter gives up. No caller joins a load that was abandoned.
  private func leave(_ flight: Flight, _ waiter: Int, key: Key) {
    let finish = update { flights in
      let (isAbandoned, finish) = flight.leave(waiter)
      if isAbandoned && flights[key] === flight { flights[key] = nil }
      return finish
    }
    finish()
  }

  /// No caller joins the flight any more.
  private func remove(_ flight: Flight, key: Key) {
    update { flights in
      if flights[key] === flight { flights[key] = nil }
    }
  }

  private func update<Result>(_ body: (inout sending [Key: Flight]) -> sending Result) -> Result {
    flights.withLock { flights in
      let result = body(&flights)
      flightCount.store(flights.count, ordering: .releasing)
      return result
    }
  }
}

// MARK: - Callers that block

extension SingleFlight {
  /// The result of the load of `key` that is under way, or else of `load`, run here.
  ///
  /// - Throws: The error of the load.
  @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the asynchronous form")
  public func value(forKey key: Key, load: (Flight) throws -> Value) throws -> Value {
    let (flight, waiter, isNew) = join(key, thread: UInt(evl_thread_identity()))
    if isNew {
      let result = Result { try load(flight) }
      remove(flight, key: key)
      flight.land(result)
      return try result.get()
    }
    guard let waiter else { return try load(flight) }
    let landed = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    flight.wait(as: waiter) { result in
      outcome.withLock { $0 = result }
      landed.signal()
    }
    landed.wait()
    return try outcome.withLock { $0 }.get()
  }
}

// MARK: - Callers that suspend

extension SingleFlight {
  /// The result of the load of `key` that is under way, or else of `load`, run in a task of its own.
  ///
  /// - Throws: The error of the load, or `CancellationError` if this caller is cancelled.
  public func value(
    forKey key: Key, load: @escaping @Sendable (Flight) async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let (flight, waiter, isNew) = join(key, thread: nil)
    guard let waiter else { return try await load(flight) }
    if isNew {
      flight.depart(
        Task {
          let result: Result<Value, any Error>
          do {
            result = .success(
              try await LoadsUnderWay.$all.withValue(LoadsUnderWay.adding(flight)) {
                try await load(flight)
              })
          } catch { result = .failure(error) }
          remove(flight, key: key)
          flight.land(result)
        })
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        flight.wait(as: waiter) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      leave(flight, waiter, key: key)
    }
    return try result.get()
  }
}

/// A load that is run by a task.
private protocol TaskLoad: AnyObject, Sendable {
  var isOver: Bool { get }
}

/// The loads that the current task is part of.
private enum LoadsUnderWay {
  @TaskLocal static var all: [any TaskLoad] = []

  /// Those and one more, without any that are over: a task that a load leaves behind may load again, and
  /// leave another one behind.
  static func adding(_ load: any TaskLoad) -> [any TaskLoad] { all.filter { !$0.isOver } + [load] }
}

extension SingleFlight.Flight: TaskLoad {}

// MARK: - Flights

extension SingleFlight {
  /// A load under way.
  public final class Flight: Sendable {
    private struct State {
      /// The number of callers that have joined and not left.
      var passengers = 0
      var lastWaiter = 0
      var waiters: [Int: @Sendable (Result<Value, any Error>) -> Void] = [:]
      /// Those that left before they waited.
      var leavers: Set<Int> = []
      var task: Task<Void, Never>?
      var result: Result<Value, any Error>?
    }

    private let current = Atomic(true)
    /// The thread of a synchronous load; nil if it is a task.
    fileprivate let thread: UInt?
    private let state = Mutex(State())

    fileprivate init(thread: UInt?) { self.thread = thread }

    /// False once the key was forgotten, or the load abandoned: the result is still for those who wait, but
    /// out of date.
    public var isCurrent: Bool { current.load(ordering: .acquiring) }

    fileprivate func forget() { current.store(false, ordering: .releasing) }

    fileprivate var isOver: Bool { state.withLock { $0.result != nil } }

    /// Returns true if the caller is part of the load, and would wait for itself.
    fileprivate func isRun(by thread: UInt?) -> Bool {
      if let own = self.thread { return own == thread }
      return LoadsUnderWay.all.contains { $0 === self }
    }

    /// Counts in one who wants the result.
    fileprivate func board() -> Int {
      state.withLock { state in
        state.passengers += 1
        state.lastWaiter += 1
        return state.lastWaiter
      }
    }

    /// Has `tell` called with the result, at once if there is one or if the waiter left.
    fileprivate func wait(
      as waiter: Int, _ tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
      let result = state.withLock { state -> Result<Value, any Error>? in
        if state.leavers.remove(waiter) != nil { return .failure(CancellationError()) }
        if state.result == nil { state.waiters[waiter] = tell }
        return state.result
      }
      if let result { tell(result) }
    }

    /// A waiter gives up. The last one to do so abandons a load that is a task, which is out of date from
    /// then on, as no change of the key would tell it.
    ///
    /// - Returns: True if the load was abandoned, and what is to be done then without a lock.
    fileprivate func leave(_ waiter: Int) -> (isAbandoned: Bool, finish: @Sendable () -> Void) {
      state.withLock { state in
        let tell = state.waiters.removeValue(forKey: waiter)
        if tell == nil { state.leavers.insert(waiter) }
        state.passengers -= 1
        let isAbandoned = state.passengers == 0 && state.result == nil && thread == nil
        if isAbandoned { forget() }
        let task = isAbandoned ? state.task : nil
        return (
          isAbandoned,
          {
            task?.cancel()
            tell?(.failure(CancellationError()))
          }
        )
      }
    }

    /// The load has become `task`.
    fileprivate func depart(_ task: Task<Void, Never>) {
      state.withLock { state in
        if state.result == nil { state.task = task }
      }
    }

    /// The load is over: all who wait have the result.
    fileprivate func land(_ result: Result<Value, any Error>) {
      let waiters = state.withLock { state in
        let waiters = state.waiters
        state.waiters = [:]
        state.task = nil
        state.result = result
        return waiters
      }
      for tell in waiters.values { tell(result) }
    }
  }
}

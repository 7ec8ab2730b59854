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
/// the load runs in a task of its own, which is cancelled when all who wait for it are. A caller that is
/// cancelled stops waiting at once and throws `CancellationError`.
///
/// Results and errors go to all who wait, and are not kept. A synchronous load that wants its own key runs
/// a second load within the first, so that a thread never waits for itself; loads of two threads that
/// want each other's keys wait forever.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let flights = Mutex<[Key: Flight]>([:])
  @usableFromInline let flightCount = Atomic(0)

  /// Creates one without loads.
  public init() {}

  /// How many loads are under way that a caller could join.
  @inlinable
  public var count: Int { flightCount.load(ordering: .acquiring) }

  /// Has the next caller of `key` start a load of its own: what is being loaded is out of date.
  public func forget(_ key: Key) {
    if count > 0 { update { $0.removeValue(forKey: key)?.forget() } }
  }

  /// Forgets every key.
  public func forgetAll() {
    if count == 0 { return }
    update { flights in
      for flight in flights.values { flight.forget() }
      flights = [:]
    }
  }

  /// The flight of `key`, and whether it is new.
  private func join(_ key: Key, thread: UInt?) -> (flight: Flight, isNew: Bool) {
    update { flights in
      if let flight = flights[key] { return (flight, false) }
      let flight = Flight(thread: thread)
      flights[key] = flight
      return (flight, true)
    }
  }

  /// Nobody joins the flight any more.
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
  /// - Throws: What the load throws.
  @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the asynchronous form")
  public func value(forKey key: Key, load: (Flight) throws -> Value) throws -> Value {
    let thread = UInt(evl_thread_identity())
    while true {
      let (flight, isNew) = join(key, thread: thread)
      if isNew {
        let result = Result { try load(flight) }
        remove(flight, key: key)
        flight.land(result)
        return try result.get()
      }
      if flight.thread == thread { return try load(flight) }
      guard let waiter = flight.board() else { continue }
      let landed = DispatchSemaphore(value: 0)
      let result = Mutex<Result<Value, any Error>?>(nil)
      flight.wait(as: waiter) { outcome in
        result.withLock { $0 = outcome }
        landed.signal()
      }
      landed.wait()
      if let result = result.withLock({ $0 }) { return try result.get() }
    }
  }
}

// MARK: - Callers that suspend

extension SingleFlight {
  /// The result of the load of `key` that is under way, or else of `load`, run in a task of its own.
  ///
  /// - Throws: What the load throws, or `CancellationError` if this caller is cancelled.
  public func value(
    forKey key: Key, load: @escaping @Sendable (Flight) async throws -> Value
  ) async throws -> Value {
    while true {
      try Task.checkCancellation()
      let (flight, isNew) = join(key, thread: nil)
      let waiter = flight.board()
      if isNew {
        flight.depart(
          Task {
            let result: Result<Value, any Error>
            do { result = .success(try await load(flight)) } catch { result = .failure(error) }
            remove(flight, key: key)
            flight.land(result)
          })
      }
      guard let waiter else { continue }
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          flight.wait(as: waiter) { continuation.resume(returning: $0) }
        }
      } onCancel: {
        // Forgotten before it is removed: from then on no change of the key would tell it.
        if flight.leave(waiter) {
          flight.forget()
          remove(flight, key: key)
        }
      }
      return try result.get()
    }
  }
}

// MARK: - Flights

extension SingleFlight {
  /// A load under way.
  public final class Flight: Sendable {
    private struct State {
      /// How many have boarded and not left.
      var passengers = 0
      var lastWaiter = 0
      var waiters: [Int: @Sendable (Result<Value, any Error>) -> Void] = [:]
      /// Those that left before they waited.
      var leavers: Set<Int> = []
      var task: Task<Void, Never>?
      var isAbandoned = false
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

    /// Counts in one who wants the result; nil if the load was abandoned.
    fileprivate func board() -> Int? {
      state.withLock { state in
        if state.isAbandoned { return nil }
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

    /// A waiter gives up. The last one to do so abandons a load that is a task.
    ///
    /// - Returns: Whether the load was abandoned.
    fileprivate func leave(_ waiter: Int) -> Bool {
      let (tell, isAbandoned, task) = state.withLock { state in
        let tell = state.waiters.removeValue(forKey: waiter)
        if tell == nil { state.leavers.insert(waiter) }
        state.passengers -= 1
        if state.passengers == 0 && state.result == nil && thread == nil {
          state.isAbandoned = true
        }
        return (tell, state.isAbandoned, state.isAbandoned ? state.task : nil)
      }
      task?.cancel()
      tell?(.failure(CancellationError()))
      return isAbandoned
    }

    /// The load has become `task`.
    fileprivate func depart(_ task: Task<Void, Never>) {
      let isAbandoned = state.withLock { state in
        if state.result == nil { state.task = task }
        return state.isAbandoned
      }
      if isAbandoned { task.cancel() }
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

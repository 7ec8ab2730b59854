import Dispatch
import Synchronization

/// Runs one load per key, however many callers want its result: the first one starts it, the others wait
/// for the same.
///
///     let flights = SingleFlight<String, [UInt8]>()
///     let page = try await flights.value(forKey: path) { _ in try await download(path) }
///
/// Synchronous and asynchronous callers of a key share a load. A synchronous caller runs it on its own
/// thread, or blocks until another's is done, so it must be neither a task nor on a thread of a pool that the
/// load may need. An asynchronous caller suspends; the load runs in a task of its own, which is cancelled when
/// all who wait for it are, and keeps the priority of the caller that started it: a more urgent caller that
/// joins does not raise it. A caller that is cancelled stops waiting at once and throws `CancellationError`.
///
/// Results and errors go to all who wait, and are not kept. A load that wants its own key runs a second load
/// within the first, so that it never waits for itself: on its own thread, or anywhere in its task and those
/// that it starts, other keys' loads among them. One that does so without end throws ``LoadError/circle(keys:)``
/// after 100 times, as do loads that callers have started and that want each other's keys, whatever flights
/// they belong to: the caller throws whose wait would close the circle. A task that a load starts, even if it
/// does not wait for it, is part of the load until that is over. Detached tasks and other threads are not;
/// circles through them end by ``waitLimit``.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var flights: [Key: Flight] = [:]
    /// Counts the removals of tags; of each tag since when there were flights, the last one.
    var removals = 0
    var removedTags: [String: Int] = [:]
    /// The last removal of those that are no longer told apart: of any tag.
    var lastOfOthers = 0
  }

  private let state = Mutex(State())
  @usableFromInline let flightCount = Atomic(0)

  /// The time that a caller waits for the load of another one, which goes on without it; nil for no limit. The
  /// caller that starts a load has no limit except for its own. A suspended caller may wait a twentieth longer.
  public let waitLimit: Duration?

  /// Creates one without loads.
  public init(waitLimit: Duration? = .seconds(60)) { self.waitLimit = waitLimit }

  /// The number of loads under way that a caller could join.
  @inlinable
  public var count: Int { flightCount.load(ordering: .acquiring) }

  /// Has the next caller of `key` start a load of its own: what is being loaded is out of date.
  public func forget(_ key: Key) {
    // Who forgets has changed the source and then looks for loads; who loads has said so and then looks at
    // the source. Of these four in one order, one sees the other.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if count > 0 { update { $0.flights.removeValue(forKey: key)?.forget() } }
  }

  /// Forgets every key.
  public func forgetAll() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if count == 0 { return }
    update { state in
      for flight in state.flights.values { flight.forget() }
      state.flights = [:]
    }
  }

  /// Makes outdated what loads under way bring with `tag`: it is for those alone who wait by now.
  package func forget(tag: String) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if count == 0 { return }
    update { state in
      state.removals += 1
      if state.removedTags.count >= SingleFlight.maximumTags {
        state.removedTags = [:]
        state.lastOfOthers = state.removals
      }
      state.removedTags[tag] = state.removals
    }
  }

  /// The most tags that are told apart.
  private static var maximumTags: Int { 10_000 }

  /// Returns true if the result of a flight, which has these tags, is not out of date. If it is, those who joined after the
  /// removal of a tag load the key anew.
  @usableFromInline
  package func isCurrent(_ flight: Flight, tagged tags: Set<String>) -> Bool {
    if !flight.isCurrent { return false }
    if tags.isEmpty { return true }
    return state.withLock { state in
      var last = state.lastOfOthers
      for tag in tags { last = max(last, state.removedTags[tag] ?? 0) }
      if last <= flight.start { return true }
      flight.outdate(by: last)
      return false
    }
  }

  /// The keys of the loads under way.
  package var keys: [Key] {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return count == 0 ? [] : state.withLock { Array($0.flights.keys) }
  }

  /// The flight of `key`, the caller's number among those who wait for it, and whether it is new. Who is part
  /// of the load itself must not wait for it, and has no number.
  func join(
    _ key: Key, asTask: Bool, refreshes isRefresh: Bool = false
  ) -> (flight: Flight, waiter: Int?, isNew: Bool) {
    // Before the load looks at its source; see ``forget(_:)``.
    defer { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    return update { state in
      if let flight = state.flights[key] {
        let isOutside = !LoadUnderWay.includes(flight)
        return (flight, isOutside ? flight.board(at: state.removals) : nil, false)
      }
      let flight = Flight(
        key: key, isTask: asTask, isRefresh: isRefresh, start: state.removals)
      state.flights[key] = flight
      return (flight, flight.board(at: state.removals), true)
    }
  }

  /// A waiter gives up. No caller joins a load that was abandoned.
  func leave(_ flight: Flight, _ waiter: Int, key: Key, throwing error: any Error) {
    let finish = update { state in
      let (isAbandoned, finish) = flight.leave(waiter, throwing: error)
      if isAbandoned && state.flights[key] === flight { state.flights[key] = nil }
      return finish
    }
    finish()
  }

  /// A waiter begins to wait for the load of another caller, or gives up if that waits for the waiter's own.
  func beginWait(
    for flight: Flight, _ waiter: Int, key: Key
  ) throws(LoadError) -> LoadWait? {
    do { return try LoadWait.begin(for: flight) } catch {
      leave(flight, waiter, key: key, throwing: error)
      throw error
    }
  }

  /// No caller joins the flight any more.
  func remove(_ flight: Flight, key: Key) {
    update { state in
      if state.flights[key] === flight { state.flights[key] = nil }
    }
  }

  /// Returns true if a load of `key` is under way that was begun though it may have a value.
  package func isRefreshing(_ key: Key) -> Bool {
    count > 0 && state.withLock { $0.flights[key]?.isRefresh ?? false }
  }

  /// A refresh of `key` that the caller is to start and waits for; nil if a load is under way.
  func makeRefresh(of key: Key, asTask: Bool) -> (flight: Flight, waiter: Int)? {
    defer { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    return update { state in
      if state.flights[key] != nil { return nil }
      let flight = Flight(key: key, isTask: asTask, isRefresh: true, start: state.removals)
      state.flights[key] = flight
      return (flight, flight.board(at: state.removals))
    }
  }

  private func update<Result>(_ body: (inout sending State) -> sending Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      if state.flights.isEmpty && !state.removedTags.isEmpty { state.removedTags = [:] }
      flightCount.store(state.flights.count, ordering: .releasing)
      return result
    }
  }
}

// MARK: - Callers that block

extension SingleFlight {
  /// The result of the load of `key` that is under way, or else of `load`, run here.
  ///
  /// - Throws: The error of the load, or ``LoadError``.
  @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(forKey key: Key, load: (Flight) throws -> Value) throws -> Value {
    try value(forKey: key, isNew: false, load: load)
  }

  /// - Parameter isNew: True if the key may have a value, and the result must be that of a load.
  @_disfavoredOverload
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  func value(
    forKey key: Key, isNew mustBeNew: Bool, load: (Flight) throws -> Value
  ) throws -> Value {
    let (flight, waiter, isNew) = join(key, asTask: false, refreshes: mustBeNew)
    if isNew {
      let result = Result {
        try LoadUnderWay.$innermost.withValue(.adding(flight)) { try load(flight) }
      }
      remove(flight, key: key)
      flight.land(result)
      return try result.get()
    }
    guard let waiter else {
      return try LoadUnderWay.$innermost.withValue(.repeating(flight)) { try load(flight) }
    }
    let wait = try beginWait(for: flight, waiter, key: key)
    defer { wait?.end() }
    let landed = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    flight.wait(as: waiter) { result in
      outcome.withLock { $0 = result }
      landed.signal()
    }
    if let waitLimit, landed.wait(timeout: .now() + waitLimit.dispatchInterval) == .timedOut {
      leave(
        flight, waiter, key: key,
        throwing: LoadError.waitedTooLong(
          key: flight.keyText, limit: waitLimit, blocksThread: flight.isTask))
      // It may have landed meanwhile.
      landed.wait()
    } else if waitLimit == nil {
      landed.wait()
    }
    do {
      let value = try outcome.withLock { $0 }.get()
      return mustBeNew && !flight.isLoad
        ? try self.value(forKey: key, isNew: true, load: load) : value
    } catch is KeyWasLeftOut {
      return try value(forKey: key, isNew: mustBeNew, load: load)
    }
  }
}

// MARK: - Callers that suspend

extension SingleFlight {
  /// The result of the load of `key` that is under way, or else of `load`, run in a task of its own.
  ///
  /// - Throws: The error of the load, ``LoadError``, or `CancellationError` if this caller is cancelled.
  public func value(
    forKey key: Key, load: @escaping @Sendable (Flight) async throws -> Value
  ) async throws -> Value {
    try await value(forKey: key, isNew: false, load: load)
  }

  /// - Parameter isNew: True if the key may have a value, and the result must be that of a load.
  package func value(
    forKey key: Key, isNew mustBeNew: Bool,
    load: @escaping @Sendable (Flight) async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let (flight, waiter, isNew) = join(key, asTask: true, refreshes: mustBeNew)
    guard let waiter else {
      return try await LoadUnderWay.$innermost.withValue(.repeating(flight)) {
        try await load(flight)
      }
    }
    if isNew {
      let task =
        Task {
          let result: Result<Value, any Error>
          do {
            result = .success(
              try await LoadUnderWay.$innermost.withValue(.adding(flight)) {
                try await load(flight)
              })
          } catch { result = .failure(error) }
          remove(flight, key: key)
          flight.land(result)
        }
      flight.depart { task.cancel() }
    }
    let wait = isNew ? nil : try beginWait(for: flight, waiter, key: key)
    defer { wait?.end() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        flight.wait(
          as: waiter, atMost: isNew ? nil : waitLimit,
          giveUp: { [self] in giveUp(flight, $0, key: key) }
        ) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      leave(flight, waiter, key: key, throwing: CancellationError())
    }
    do {
      let value = try result.get()
      return mustBeNew && !flight.isLoad
        ? try await self.value(forKey: key, isNew: true, load: load) : value
    } catch is KeyWasLeftOut {
      return try await value(forKey: key, isNew: mustBeNew, load: load)
    }
  }

  func giveUp(_ flight: Flight, _ waiter: Int, key: Key) {
    guard let waitLimit else { return }
    leave(
      flight, waiter, key: key,
      throwing: LoadError.waitedTooLong(
        key: flight.keyText, limit: waitLimit, blocksThread: false))
  }
}

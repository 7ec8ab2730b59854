import Synchronization

/// A load of several keys brought nothing for one of them: another caller that waits for it loads it by itself.
struct KeyWasLeftOut: Error {}

extension SingleFlight {
  /// A caller's place among those who wait for a load.
  private struct Seat: Sendable {
    let key: Key
    let flights: SingleFlight
    let flight: Flight
    let waiter: Int

    func leave(throwing error: any Error) {
      flights.leave(flight, waiter, key: key, throwing: error)
    }
  }

  /// The flights of a load of several keys that someone still waits for.
  private final class Awaited: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) { self.count = Atomic(count) }

    /// Returns true for the last one.
    func removeOne() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
  }

  /// Returns the results of the loads of `keys`: of those that are under way, and for all the others of one call of
  /// `load`, which gets them with their flights and runs in a task of its own. Keys that it leaves out have none. It is
  /// called again for keys that another caller's load has left out.
  ///
  /// - Parameters:
  ///   - keys: The keys, each once.
  ///   - flights: The flights that a key belongs to.
  ///   - load: Makes the values.
  /// - Throws: The error of a load, ``LoadError``, or `CancellationError` if this caller is cancelled.
  package static func values(
    forKeys keys: [Key], in flights: (Key) -> SingleFlight,
    load: @escaping @Sendable ([Key: Flight]) async throws -> [Key: Value]
  ) async throws -> [Key: Value] {
    try Task.checkCancellation()
    var own: [Seat] = []
    var others: [Seat] = []
    var inner: [Key: Flight] = [:]
    for key in keys {
      let flights = flights(key)
      let (flight, waiter, isNew) = flights.join(key, asTask: true)
      guard let waiter else {
        inner[key] = flight
        continue
      }
      let seat = Seat(key: key, flights: flights, flight: flight, waiter: waiter)
      if isNew { own.append(seat) } else { others.append(seat) }
    }
    if !own.isEmpty { depart(own, load) }
    var (values, leftOut) = try await results(own: own, others: others)
    if !leftOut.isEmpty {
      values.merge(try await self.values(forKeys: leftOut, in: flights, load: load)) { $1 }
    }
    if let flight = inner.values.first {
      let repeated = try await LoadUnderWay.$innermost.withValue(.repeating(flight)) {
        [inner] in try await load(inner)
      }
      values.merge(repeated) { $1 }
    }
    return values
  }

  /// Starts a load of those of `keys` that are not being loaded, for which no caller waits.
  package static func begin(
    _ keys: [Key], in flights: (Key) -> SingleFlight,
    load: @escaping @Sendable ([Key: Flight]) async throws -> [Key: Value]
  ) {
    let seats = keys.compactMap { key in
      let flights = flights(key)
      return flights.makeRefresh(of: key, asTask: true).map { flight, waiter in
        Seat(key: key, flights: flights, flight: flight, waiter: waiter)
      }
    }
    if seats.isEmpty { return }
    // The caller's own loads do not wait for this one.
    LoadUnderWay.$innermost.withValue(nil) { depart(seats, load) }
  }

  /// Starts the load of new flights.
  private static func depart(
    _ seats: [Seat], _ load: @escaping @Sendable ([Key: Flight]) async throws -> [Key: Value]
  ) {
    let flights = Dictionary(uniqueKeysWithValues: seats.map { ($0.key, $0.flight) })
    let task = Task {
      let result: Result<[Key: Value], any Error>
      do {
        result = .success(
          try await LoadUnderWay.$innermost.withValue(.adding(seats.map(\.flight))) {
            try await load(flights)
          })
      } catch { result = .failure(error) }
      for seat in seats {
        seat.flights.remove(seat.flight, key: seat.key)
        seat.flight.land(
          result.flatMap { values in
            values[seat.key].map { .success($0) } ?? .failure(KeyWasLeftOut())
          })
      }
    }
    let awaited = Awaited(seats.count)
    for seat in seats { seat.flight.depart { if awaited.removeOne() { task.cancel() } } }
  }

  /// Waits for all of a caller's loads; gives up those that are left when one fails.
  ///
  /// - Returns: The values, and the keys that the loads of others have left out.
  private static func results(
    own: [Seat], others: [Seat]
  ) async throws -> (values: [Key: Value], leftOut: [Key]) {
    let start = ContinuousClock.now
    let seats = own + others
    return try await withTaskCancellationHandler {
      var values: [Key: Value] = [:]
      var leftOut: [Key] = []
      for (number, seat) in seats.enumerated() {
        let isOwn = number < own.count
        do {
          values[seat.key] = try await result(seat, isOwn: isOwn, since: start).get()
        } catch is KeyWasLeftOut {
          if !isOwn { leftOut.append(seat.key) }
        } catch {
          for rest in seats[(number + 1)...] { rest.leave(throwing: error) }
          throw error
        }
      }
      return (values, leftOut)
    } onCancel: {
      for seat in seats { seat.leave(throwing: CancellationError()) }
    }
  }

  private static func result(
    _ seat: Seat, isOwn: Bool, since start: ContinuousClock.Instant
  ) async throws -> Result<Value, any Error> {
    let flights = seat.flights
    let wait = isOwn ? nil : try flights.beginWait(for: seat.flight, seat.waiter, key: seat.key)
    defer { wait?.end() }
    let limit = isOwn ? nil : flights.waitLimit.map { max($0 - (.now - start), .milliseconds(1)) }
    return await withCheckedContinuation { continuation in
      seat.flight.wait(
        as: seat.waiter, atMost: limit,
        giveUp: { flights.giveUp(seat.flight, $0, key: seat.key) }
      ) { continuation.resume(returning: $0) }
    }
  }
}

// Loads that a caller starts if no other one runs, and that no other caller need wait for.
extension SingleFlight {
  /// Starts the load of `key` in a task of its own, for which no caller waits, unless one is under way.
  package func begin(
    _ key: Key, load: @escaping @Sendable (Flight) async throws -> Value
  ) {
    SingleFlight.begin([key], in: { _ in self }) { flights in
      guard let flight = flights[key] else { return [:] }
      return [key: try await load(flight)]
    }
  }

  /// Runs the load of `key` on this thread, unless one is under way.
  ///
  /// - Returns: The value; nil if another load is under way.
  /// - Throws: The error of the load.
  func valueIfFirst(forKey key: Key, load: (Flight) throws -> Value) throws -> Value? {
    guard let (flight, _) = makeRefresh(of: key, asTask: false) else { return nil }
    let result = Result {
      try LoadUnderWay.$innermost.withValue(.adding(flight)) { try load(flight) }
    }
    remove(flight, key: key)
    flight.land(result)
    return try result.get()
  }
}

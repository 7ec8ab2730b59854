#if Lifecycle
  import DiskTier
  import ServiceLifecycle

  /// Ends a cache with the group of services that it belongs to: what waits is written, and the disk closed.
  ///
  ///     let group = ServiceGroup(
  ///       services: [CacheService(closing: pages), server],
  ///       gracefulShutdownSignals: [.sigterm], logger: logger)
  ///
  /// A group stops its services in reverse order, each once the one after it has stopped: name the cache before
  /// the services that use it. When a service fails, and the group is cancelled, the cache is closed as well,
  /// though others may still use it then.
  public struct CacheService: Service {
    private let end: @Sendable () async throws -> Void

    /// A service that does something once, at the end: writes a recording, for example.
    ///
    /// - Parameter end: Its error is the service's. Cancelling the group does not cancel it.
    public init(ending end: @escaping @Sendable () async throws -> Void) { self.end = end }

    /// A service that writes the values that wait, and closes the disk.
    public init<Key, Value>(closing cache: TieredCache<Key, Value>) {
      self.init { try await cache.close() }
    }

    /// A service that writes the access times, and closes the disk.
    public init<Key, Value>(closing cache: DiskCache<Key, Value>) {
      self.init { await cache.close() }
    }

    /// Waits until the group stops, and ends the cache.
    public func run() async throws {
      // Cancelling ends the waiting alone.
      try? await gracefulShutdown()
      try await Task { try await end() }.value
    }
  }
#endif

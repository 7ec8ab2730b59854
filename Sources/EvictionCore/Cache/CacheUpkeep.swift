/// The work that a cache does by itself: a timer, and the system's events that it listens to. It ends with it.
final class CacheUpkeep: Sendable {
  private let trimming: RepeatedWork?
  private let observation: SystemEvents.Observation?

  /// - Parameters:
  ///   - interval: The interval at which `trim` is called; nil for never.
  ///   - events: The source of the events that `respond` is called with; nil for none.
  init(
    interval: Duration?, trim: @escaping @Sendable () -> Void, events: SystemEvents?,
    respond: @escaping @Sendable (SystemEvent) -> Void
  ) {
    trimming = interval.map { RepeatedWork(every: $0, on: .memory, trim) }
    observation = events?.observe(respond)
  }
}

extension MemoryCache {
  /// Returns the work that the options request; nil if there is none. It does not keep the cache alive.
  func makeUpkeep() -> CacheUpkeep? {
    let listens = options.memoryPressure != .nothing || options.background != .nothing
    if options.trimInterval == nil && !listens { return nil }
    if options.memoryPressure != .nothing && options.events === SystemEvents.shared {
      // Where the system does not tell, the program still can.
      try? options.events.watchMemory()
    }
    return CacheUpkeep(
      interval: options.trimInterval, trim: { [weak self] in _ = self?.trim() },
      events: listens ? options.events : nil,
      respond: { [weak self] event in
        guard let self else { return }
        switch event {
        case .memoryPressure: respond(options.memoryPressure)
        case .background: respond(options.background)
        }
      })
  }
}

import Dispatch

/// What a cache does by itself: a timer, and the system's events that it listens to. It ends with it.
final class CacheUpkeep: @unchecked Sendable {
  private let timer: (any DispatchSourceTimer)?
  private let observation: SystemEvents.Observation?

  /// - Parameters:
  ///   - interval: How often `trim` is called; nil for never.
  ///   - events: Where the events come from that `respond` is called with; nil for nowhere.
  init(
    interval: Duration?, trim: @escaping @Sendable () -> Void, events: SystemEvents?,
    respond: @escaping @Sendable (SystemEvent) -> Void
  ) {
    timer = interval.map { interval in
      let queue = DispatchQueue(label: "EvictionLab.MemoryCache.trim", qos: .background)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let nanoseconds = Int(clamping: interval.nanoseconds)
      timer.schedule(
        deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds),
        leeway: .nanoseconds(nanoseconds / 10))
      timer.setEventHandler(handler: trim)
      timer.activate()
      return timer
    }
    observation = events?.observe(respond)
  }

  deinit { timer?.cancel() }
}

extension MemoryCache where Policy: ~Copyable {
  /// What the options ask for; nil if nothing. It does not keep the cache alive.
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

  /// Reports what left the cache, and has it released where the options say.
  @usableFromInline
  func attend(to departures: inout Departures<Key, Value>) {
    departures.forEach { departure in
      guard let key = departure.key else { return }
      if holdsDiscardables { detach(departure.value, key: key) }
      if departure.cause == .size { onEviction?(key, departure.value) }
      onRemoval?(key, departure.value, departure.cause)
    }
    guard let queue = options.release.queue else { return }
    // Nothing is left here: whoever holds the last reference releases the value.
    let parcel = Parcel(departures.takeAll())
    queue.async { parcel.release() }
  }
}

extension ValueRelease {
  /// Where; nil for here.
  fileprivate var queue: DispatchQueue? {
    switch self {
    case .caller: nil
    case .background: .global(qos: .utility)
    case .main: .main
    }
  }
}

/// Values on their way to where they are released: one thread packs them, another one opens.
private final class Parcel<Key, Value>: @unchecked Sendable {
  private var content: Departures<Key, Value>

  init(_ content: consuming Departures<Key, Value>) { self.content = content }

  func release() { content = Departures() }
}

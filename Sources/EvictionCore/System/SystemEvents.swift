import Synchronization

/// An event of the system that concerns caches.
public enum SystemEvent: Sendable, Equatable {
  /// Memory is scarce.
  case memoryPressure(Level)
  /// The app went to the background.
  case background

  /// The degree of scarcity.
  public enum Level: Sendable {
    /// Memory becomes scarce.
    case warning
    /// Memory is nearly used up.
    case critical
  }
}

/// Passes on the events of the system, and those that the program posts, to the caches that observe them.
///
///     SystemEvents.shared.post(.background)       // in the app's own notification
public final class SystemEvents: Sendable {
  /// The observers that are left, by number.
  private struct State {
    var observers: [Int: @Sendable (SystemEvent) -> Void] = [:]
    var next = 0
    var monitor: MemoryPressureMonitor?
  }

  /// That of the process, which watches the system's memory from the first cache on that wants to know:
  /// by Dispatch on Darwin, by pressure stall information on Linux.
  public static let shared = SystemEvents()

  private let state = Mutex(State())

  /// One of its own, for a test, or for caches that are told apart: knows only what is posted to it.
  public init() {}

  /// Watches the system's memory, if that was not begun before.
  ///
  /// - Throws: ``MemoryPressureError`` if the system does not tell. Posted events are passed on anyway.
  public func watchMemory() throws(MemoryPressureError) {
    try state.withLock { state throws(MemoryPressureError) in
      if state.monitor != nil { return }
      state.monitor = try MemoryPressureMonitor { [weak self] in self?.post(.memoryPressure($0)) }
    }
  }

  /// Tells every observer, one after the other, on this thread.
  public func post(_ event: SystemEvent) {
    let observers = state.withLock { $0.observers }
    for number in observers.keys.sorted() { observers[number]?(event) }
  }

  /// Calls `body` at each event until what is returned is released.
  public func observe(_ body: @escaping @Sendable (SystemEvent) -> Void) -> Observation {
    let number = state.withLock { state in
      state.next += 1
      state.observers[state.next] = body
      return state.next
    }
    return Observation { [weak self] in
      // Released without the lock: it may hold the last reference to another observation.
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
  }

  /// Keeps an observer; it ends with it.
  public final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }
}

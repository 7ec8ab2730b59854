import Dispatch
import Synchronization

/// A few threads for the work that any number of caches do by themselves.
///
/// Work begins in the order in which it comes. What takes long keeps one of the threads; the others go on.
package final class BackgroundThreads: Sendable {
  /// Those of the caches in memory.
  package static let memory = BackgroundThreads(label: "EvictionLab.MemoryCache.trim")
  /// Those of the caches on disk, for which none in memory is to wait.
  package static let disk = BackgroundThreads(label: "EvictionLab.DiskCache.background")

  /// The queue of all timers. What they do is to start work.
  static let ticks = DispatchQueue(label: "EvictionLab.ticks", qos: .utility)

  /// The number of threads.
  package static let count = 4

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// The place of the first that waits.
    var next = 0
    /// The queues without work. Each has a thread of its own while it works, even if what the program does
    /// blocks all of those that Dispatch shares.
    var idle: [DispatchQueue]
  }

  private let state: Mutex<State>

  private init(label: String) {
    // Not lower: work may hold a lock that others spin for, and must not be kept from a processor by them.
    state = Mutex(
      State(
        idle: (0..<BackgroundThreads.count).map { _ in DispatchQueue(label: label, qos: .utility) })
    )
  }

  /// Has `work` done by one of the threads.
  package func async(_ work: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state in
      state.waiting.append(work)
      return state.idle.popLast()
    }
    guard let queue else { return }
    queue.async { [self] in
      while let work = nextWork(of: queue) { work() }
    }
  }

  /// Returns the first work that waits; nil if there is none, and `queue` has no more to do.
  private func nextWork(of queue: DispatchQueue) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.next == state.waiting.count {
        (state.waiting, state.next) = ([], 0)
        state.idle.append(queue)
        return nil
      }
      if state.next == 1_024 {
        state.waiting.removeFirst(state.next)
        state.next = 0
      }
      state.next += 1
      return state.waiting[state.next - 1]
    }
  }
}

/// Work that is done again and again in the background, until this is released.
package final class RepeatedWork: @unchecked Sendable {
  private let timer: any DispatchSourceTimer

  /// Does `work` every `interval`, or every millisecond if that is shorter. If it is not done by then, or no
  /// thread had time for it, that time is left out.
  package init(
    every interval: Duration, on threads: BackgroundThreads, _ work: @escaping @Sendable () -> Void
  ) {
    let isDue = Flag()
    timer = DispatchSource.makeTimerSource(queue: BackgroundThreads.ticks)
    let interval = max(interval, .milliseconds(1))
    timer.schedule(
      deadline: .now() + interval.dispatchInterval, repeating: interval.dispatchInterval,
      leeway: (interval / 10).dispatchInterval)
    timer.setEventHandler {
      if isDue.value.exchange(true, ordering: .acquiring) { return }
      threads.async {
        work()
        isDue.value.store(false, ordering: .releasing)
      }
    }
    timer.activate()
  }

  deinit { timer.cancel() }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }
}

extension Duration {
  /// The same for Dispatch, rounded down to nanoseconds.
  package var dispatchInterval: DispatchTimeInterval { .nanoseconds(Int(clamping: nanoseconds)) }
}

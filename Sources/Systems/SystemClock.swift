import EvictionCore
import Synchronization

/// The clock of a system's ages and repeated work, which the driver of the system moves.
///
///     let clock = SystemClock()
///     clock.repeat(every: .seconds(5)) { [weak cache] in cache?.trim() }
///     clock.advance(to: 6_000_000_000)      // trims once
package final class SystemClock: Sendable {
  private struct Task {
    let interval: UInt64
    var next: UInt64
    let body: @Sendable () -> Void
  }

  private let time = Atomic<UInt64>(0)
  /// The moment of the first task that is due.
  private let due = Atomic<UInt64>(.max)
  private let tasks = Mutex<[Task]>([])

  package init() {}

  /// Nanoseconds from the start.
  package var now: UInt64 { time.load(ordering: .relaxed) }

  /// The same clock for the caches of this project.
  package var cacheClock: CacheClock { CacheClock { [self] in now } }

  /// Calls `body` at each interval from now on, on the thread that moves the clock.
  package func `repeat`(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    let nanoseconds = max(1, interval.nanoseconds)
    tasks.withLock { tasks in
      let next = now + nanoseconds
      tasks.append(Task(interval: nanoseconds, next: next, body: body))
      due.store(min(due.load(ordering: .relaxed), next), ordering: .relaxed)
    }
  }

  /// Moves the clock forward and calls what is due, once each: anyone who comes late has nothing to make up for. A
  /// time that has passed moves nothing.
  package func advance(to moment: UInt64) {
    let before = time.max(moment, ordering: .relaxed).oldValue
    if moment <= before || moment < due.load(ordering: .relaxed) { return }
    let bodies = tasks.withLock { tasks in
      var bodies: [@Sendable () -> Void] = []
      for index in tasks.indices where tasks[index].next <= moment {
        bodies.append(tasks[index].body)
        let missed = (moment - tasks[index].next) / tasks[index].interval
        tasks[index].next += (missed + 1) * tasks[index].interval
      }
      due.store(tasks.map(\.next).min() ?? .max, ordering: .relaxed)
      return bodies
    }
    for body in bodies { body() }
  }
}

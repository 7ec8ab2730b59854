import Dispatch
import Parameters
import Synchronization

/// Numbered pieces of work, taken one after another by a number of threads.
package enum WorkQueue {
  /// Calls `body` once with each number below `count`, on `jobs` threads; returns when all are done.
  package static func run(count: Int, jobs: Int, body: @escaping @Sendable (Int) -> Void) {
    let next = Counter()
    let work: @Sendable () -> Void = {
      while case let piece = next.take(), piece < count { body(piece) }
    }
    let group = DispatchGroup()
    for _ in 1..<max(1, min(jobs, count)) {
      group.enter()
      WorkThread.start {
        work()
        group.leave()
      }
    }
    work()
    group.wait()
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
  }
}

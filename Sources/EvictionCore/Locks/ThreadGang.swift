import CInline
import Dispatch
import Parameters
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Threads that start together and are waited for: real threads, as many as requested, whatever the
/// number of cores.
package enum ThreadGang {
  /// Runs `body` once on each thread and returns when all have ended. Each must ask for the start once,
  /// when it is ready: the answer comes when all are.
  ///
  /// - Parameters:
  ///   - count: The number of threads.
  ///   - poll: Called on the calling thread ten times a second while it waits.
  ///   - body: Gets the thread's number, from 0, and what waits for the common start: when it was, in
  ///     nanoseconds of the monotonic clock.
  /// - Returns: Seconds from the common start to the last end.
  package static func run(
    _ count: Int, poll: () -> Void = {},
    body: @escaping @Sendable (_ thread: Int, _ start: () -> UInt64) -> Void
  ) -> Double {
    let gate = Gate(count: count)
    for number in 0..<count {
      WorkThread.start(stackBytes: 1 << 20) {
        body(number, gate.pass)
        gate.leave()
      }
    }
    var ended = 0
    while ended < count {
      if gate.ended.wait(timeout: .now() + .milliseconds(100)) == .success {
        ended += 1
      } else {
        poll()
      }
    }
    return gate.seconds
  }

  /// Holds every thread back until all have arrived, and notes when the last one leaves.
  private final class Gate: Sendable {
    let ended = DispatchSemaphore(value: 0)
    private let missing: Atomic<Int>
    private let start = Atomic<UInt64>(0)
    private let end = Atomic<UInt64>(0)

    init(count: Int) { missing = Atomic(count) }

    /// Returns the common start.
    func pass() -> UInt64 {
      if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
        start.store(evl_monotonic_nanoseconds(), ordering: .releasing)
      }
      while true {
        let common = start.load(ordering: .acquiring)
        if common > 0 { return common }
        sched_yield()
      }
    }

    /// Makes the thread's work visible to readers of ``seconds``. (The semaphore orders that as well, but not
    /// for a thread sanitizer, which does not see into it.)
    func leave() {
      end.max(evl_monotonic_nanoseconds(), ordering: .releasing)
      ended.signal()
    }

    var seconds: Double {
      Double(end.load(ordering: .acquiring) - start.load(ordering: .acquiring)) / 1e9
    }
  }
}

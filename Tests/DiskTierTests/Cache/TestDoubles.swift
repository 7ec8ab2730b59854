import DiskTier
import Foundation
import StoreFaults
import Synchronization

/// A door that anyone who comes waits at until it is opened, or ten minutes after it was made, so that no fault
/// hangs a test.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false
  private var arrivals = 0
  private let end = Date(timeIntervalSinceNow: 600)

  /// The number of those that have come.
  var count: Int { condition.withLock { arrivals } }

  func open() {
    condition.withLock { isOpen = true }
    condition.broadcast()
  }

  func wait() {
    condition.withLock {
      arrivals += 1
      while !isOpen && condition.wait(until: end) {}
    }
  }
}

extension FaultyDisk {
  /// Has every write wait at a gate.
  func close(_ gate: Gate) {
    restart { _, call in
      if call.name == "write" { gate.wait() }
      return nil
    }
  }
}

/// A time of day that a test sets.
final class SettableClock: Sendable {
  private let offset = Atomic<Int64>(0)
  private let system = StoreEnvironment().now

  /// The seconds by which it is ahead of the system's.
  func set(aheadBy seconds: Int64) { offset.store(seconds * 1_000_000_000, ordering: .relaxed) }

  var environment: StoreEnvironment {
    var environment = StoreEnvironment()
    environment.now = { [self] in system() + offset.load(ordering: .relaxed) }
    return environment
  }
}

/// Gathers what is told from any thread.
final class Told<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Runs what blocks on a thread of its own: those of the pool are for the caches.
func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { waiting in
    Thread.detachNewThread { waiting.resume(with: Swift.Result { try body() }) }
  }
}

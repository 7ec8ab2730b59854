import Dispatch
import Synchronization

/// A serial queue of work that its callers do not wait for; anyone who comes next may wait for all of it, as behind a
/// dispatch queue's earlier blocks.
final class WorkQueue: Sendable {
  private let queue: DispatchQueue
  private let waiting = Atomic(0)

  init(_ name: String) { queue = DispatchQueue(label: name) }

  /// Has `body` run after all that was handed over before.
  func later(_ body: @escaping @Sendable () -> Void) {
    waiting.add(1, ordering: .acquiringAndReleasing)
    queue.async { [self] in
      body()
      waiting.subtract(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Waits for what was handed over before; must not be called from the queue.
  func wait() { if waiting.load(ordering: .acquiring) > 0 { queue.sync {} } }
}

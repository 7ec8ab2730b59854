import Foundation
import Synchronization

/// A value in several parts, one for each thread that can run at once: threads that write now and then
/// seldom wait for each other, and memory grows with the processors, not with the threads.
package final class ThreadParts<Value: Sendable>: Sendable {
  private final class Part: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }

  private let parts: [Part]

  /// Parts for `threads` threads; of more than twice the processors, several share one.
  package init(threads: Int, _ make: () -> Value) {
    let most = 2 * ProcessInfo.processInfo.activeProcessorCount
    parts = (0..<max(1, min(threads, most))).map { _ in Part(make()) }
  }

  /// Changes the part of the thread of that number.
  package func update(_ thread: Int, _ change: (inout Value) -> Void) {
    parts[thread % parts.count].value.withLock { change(&$0) }
  }

  /// Every part as it is now.
  package var values: [Value] { parts.map { part in part.value.withLock { $0 } } }
}

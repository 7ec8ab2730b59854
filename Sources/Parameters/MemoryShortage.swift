import CInline
import Synchronization

/// The end of a process that needs more memory than there is.
package enum MemoryShortage {
  /// Ends the process, on any thread.
  package typealias Handler = @convention(c) () -> Void

  private static let handler = Mutex<Handler?>(nil)

  /// Calls `handler` when there is no memory for a block, of this package or of the allocator.
  package static func handle(by handler: Handler) {
    self.handler.withLock { $0 = handler }
    evl_on_memory_exhaustion(handler)
  }

  /// Ends the process if there is no memory for `block`; traps where nothing else ends it.
  package static func end(_ block: @autoclosure () -> String) -> Never {
    SignsOfLife.ofThisProcess?.endOutOfMemory()
    handler.withLock { $0 }?()
    fatalError("out of memory: \(block())")
  }
}

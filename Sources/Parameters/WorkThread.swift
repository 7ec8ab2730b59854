import CInline

/// Threads for work that others wait for.
package enum WorkThread {
  /// Runs `body` on a thread of its own.
  ///
  /// The process ends (``MemoryShortage``) if the system starts none: those who wait for the work would wait for ever.
  ///
  /// - Parameters:
  ///   - stackBytes: The size of the thread's stack.
  ///   - body: The work.
  package static func start(
    stackBytes: Int = 2 << 20, _ body: @escaping @Sendable () -> Void
  ) {
    let work = Unmanaged.passRetained(Work(body))
    let code = evl_start_thread(
      { context in
        context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, work.toOpaque(), stackBytes)
    if code != 0 { MemoryShortage.end("a thread, error \(code)") }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

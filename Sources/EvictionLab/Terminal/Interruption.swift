import Foundation
import Laboratory
import Synchronization

/// Ctrl-C (SIGINT) and SIGTERM.
///
/// Until work that is worth keeping begins, they end the tool at once. Then the first one asks the
/// work to stop, so that what is finished can be written; another one ends the tool.
enum Interruption {
  /// Set by the first signal.
  static let cancellation = Cancellation()

  private static let keepsWork = Atomic<Bool>(false)

  /// Takes the signals over. One that was ignored when the tool was started stays ignored.
  static func install() {
    _ = cancellation.isCancelled
    _ = keepsWork.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      var before = sigaction()
      sigaction(number, nil, &before)
      if isIgnored(before) { continue }
      signal(number) { _ in Interruption.handle() }
    }
  }

  /// From now on the first signal only asks to stop.
  static func keepWork() { keepsWork.store(true, ordering: .relaxed) }

  /// Runs within a signal: only what is allowed there.
  private static func handle() {
    if keepsWork.load(ordering: .relaxed) && !cancellation.isCancelled {
      cancellation.cancel()
      return
    }
    let message: StaticString = "evict: stopped; nothing was kept\n"
    _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
    _exit(130)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

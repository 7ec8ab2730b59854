import Foundation
import Parameters
import Synchronization

/// Ctrl-C (SIGINT), SIGTERM, and SIGHUP, which a terminal sends that goes away.
///
/// Until work that is worth keeping begins, they end the tool at once. Then the first one asks the
/// work to stop, so that what is finished can be written; another one ends the tool.
enum Interruption {
  /// Set by the first signal.
  static let cancellation = Cancellation()

  private static let keepsWork = Atomic<Bool>(false)

  /// Takes the signals over. One that was ignored when the tool was started stays ignored.
  static func install() {
    // What a handler reads exists before the first signal comes.
    _ = cancellation.isCancelled
    _ = keepsWork.load(ordering: .relaxed)
    _ = StandardError.isTerminal
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
      if before == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      signal(number) { _ in Interruption.handle() }
    }
  }

  /// From now on the first signal only asks to stop.
  static func keepWork() { keepsWork.store(true, ordering: .relaxed) }

  /// Runs within a signal: only what is allowed there.
  private static func handle() {
    if !keepsWork.load(ordering: .relaxed) { end("evict: stopped; nothing was kept\n", code: 130) }
    if cancellation.isCancelled { end("evict: stopped at once\n", code: 130) }
    cancellation.cancel()
  }

  /// Ends the tool at once, also within a signal and where there is no memory.
  static func end(_ message: StaticString, code: Int32) -> Never {
    if StandardError.isTerminal { say("\r\u{1B}[K") }
    say(message)
    _exit(code)
  }

  private static func say(_ message: StaticString) {
    _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
  }
}

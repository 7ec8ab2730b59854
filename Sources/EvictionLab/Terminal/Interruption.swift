import CInline
import Foundation
import Parameters
import Synchronization

/// Ctrl-C (SIGINT), SIGTERM, and SIGHUP, which a terminal sends that goes away.
///
/// Until work that is worth keeping begins, they end the tool at once. Then the first one asks the
/// work to stop, so that what is finished can be written; another one ends the tool. SIGHUP does not: a terminal
/// that goes away sends several, as its shell and the system each send one. Nor does one that comes with the first,
/// as timeout(1) sends SIGTERM to the tool and then to its process group; nor one while programs that the tool has
/// started are being ended, so that none is left running.
enum Interruption {
  /// Set by the first signal.
  static let cancellation = Cancellation()

  private static let keepsWork = Atomic<Bool>(false)
  /// The time of the first signal in nanoseconds; 0 before it.
  private static let firstTime = Atomic<Int>(0)
  /// The nanoseconds after the first signal in which others are the same request.
  private static let togetherFor = 200_000_000

  /// Takes the signals over. One that was ignored when the tool was started stays ignored.
  ///
  /// - Parameter leavesTerminal: Leaves the Ctrl-C of a terminal to a program that it reaches, too.
  static func install(leavesTerminal: Bool = false) {
    // What a handler reads exists before the first signal comes.
    _ = cancellation.isCancelled
    _ = keepsWork.load(ordering: .relaxed)
    _ = firstTime.load(ordering: .relaxed)
    _ = StartedPrograms.areRunning
    _ = StandardError.isTerminal
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
      if before == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      if leavesTerminal, number == SIGINT {
        evl_handle_signal(number) { number, information, _ in
          if let information, evl_signal_was_sent(information) != 0 { Interruption.handle(number) }
        }
      } else {
        signal(number) { Interruption.handle($0) }
      }
    }
  }

  /// From now on the first signal only asks to stop.
  static func keepWork() { keepsWork.store(true, ordering: .relaxed) }

  /// Runs within a signal: only what is allowed there.
  private static func handle(_ number: Int32) {
    if !keepsWork.load(ordering: .relaxed) { end("evict: stopped; nothing was kept\n", code: 130) }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = time.tv_sec * 1_000_000_000 + time.tv_nsec
    let (isFirst, first) = firstTime.compareExchange(
      expected: 0, desired: now, ordering: .relaxed)
    if isFirst { return cancellation.cancel() }
    if number == SIGHUP || now - first < togetherFor || StartedPrograms.areRunning { return }
    end("evict: stopped at once\n", code: 130)
  }

  /// Ends the tool at once, also within a signal and where there is no memory.
  static func end(_ message: StaticString, code: Int32) -> Never {
    // The message may be one that nobody reads.
    signal(SIGPIPE, SIG_IGN)
    if StandardError.isTerminal { say("\r\u{1B}[K") }
    say(message)
    _exit(code)
  }

  private static func say(_ message: StaticString) {
    _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
  }
}

import Dispatch

/// Something done again and again in the background, until this is released.
final class RepeatedTask: @unchecked Sendable {
  private let timer: any DispatchSourceTimer

  /// Does `body` every `interval`, or every millisecond if that is shorter.
  init(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    let seconds = max(interval / .seconds(1), 0.001)
    timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: .milliseconds(100))
    timer.setEventHandler(handler: body)
    timer.activate()
  }

  deinit { timer.cancel() }
}

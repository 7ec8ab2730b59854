import CEvictionLab
import Dispatch
import Parameters
import Synchronization

/// The progress of work, and a request to stop it.
final class Watch: Sendable {
  /// Stops the work.
  let cancellation = Cancellation()
  private let done = Atomic<UInt64>(0)
  private let total = Atomic<UInt64>(0)
  private let wasStopped = Atomic<Bool>(false)

  /// Notes how far the work is.
  ///
  /// - Returns: False if it is to stop.
  @discardableResult
  func note(_ done: Int, of total: Int) -> Bool {
    self.total.store(UInt64(max(0, total)), ordering: .relaxed)
    _ = self.done.max(UInt64(max(0, done)), ordering: .relaxed)
    return !cancellation.isCancelled
  }

  /// Calls `work`, on another thread if there is a callback, which is called on this one.
  static func run<Value: Sendable>(
    _ callback: evl_progress?, _ context: UnsafeMutableRawPointer?,
    work: @escaping @Sendable (Watch) throws(CallFailure) -> Value
  ) throws(CallFailure) -> Value {
    let watch = Watch()
    guard let callback else { return try work(watch) }
    if callback(context, 0, 0) != 0 { throw .cancelled }
    let outcome = LaterOutcome<Value>()
    let end = DispatchSemaphore(value: 0)
    WorkThread.start {
      outcome.set { () throws(CallFailure) in try work(watch) }
      end.signal()
    }
    while end.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      watch.tell(callback, context)
    }
    if watch.wasStopped.load(ordering: .relaxed) { throw .cancelled }
    return try outcome.get()
  }

  private func tell(_ callback: evl_progress, _ context: UnsafeMutableRawPointer?) {
    if wasStopped.load(ordering: .relaxed) { return }
    let done = done.load(ordering: .relaxed)
    let stops = callback(context, done, total.load(ordering: .relaxed)) != 0
    if stops {
      wasStopped.store(true, ordering: .relaxed)
      cancellation.cancel()
    }
  }
}

/// The outcome of work on another thread.
private final class LaterOutcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, CallFailure>?>(nil)

  func set(_ work: () throws(CallFailure) -> Value) {
    let outcome: Result<Value, CallFailure>
    do throws(CallFailure) { outcome = .success(try work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
  }

  func get() throws(CallFailure) -> Value {
    guard let result = result.withLock({ $0 }) else { preconditionFailure("the work has ended") }
    return try result.get()
  }
}

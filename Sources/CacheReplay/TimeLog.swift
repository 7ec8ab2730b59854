/// The latest times of a thread, on their way to histograms that other threads may use as well.
///
/// To note costs less than to record, and nothing is recorded while a request is under way.
struct TimeLog {
  private let thread: Int
  private let times: ThreadParts<ReplayTimes>?
  private var events: [(event: TimedEvent, nanoseconds: UInt64)] = []

  /// Events after which it is time to hand over, where no thread waits for that.
  private static let limit = 64
  /// Events after which it is time to hand over, whether or not anyone waits.
  private static let mostEvents = 4 * limit
  /// The most events between two questions whether it is time: a batch of requests.
  private static let batchEvents = 8 * ReplayClient.batch

  /// The log of a thread; without times for one that notes nothing.
  init(of thread: Int, for times: ThreadParts<ReplayTimes>?) {
    self.thread = thread
    self.times = times
    if times != nil { events.reserveCapacity(TimeLog.mostEvents + TimeLog.batchEvents) }
  }

  mutating func note(_ nanoseconds: UInt64, of event: TimedEvent) {
    events.append((event, nanoseconds))
  }

  /// Returns true if it is time to hand over, between requests.
  ///
  /// - Parameter isIdle: True if the next request is not due yet.
  func isFull(isIdle: Bool) -> Bool {
    events.count >= (isIdle ? TimeLog.limit : TimeLog.mostEvents)
  }

  mutating func handOver() {
    times?.update(thread) { times in
      for (event, nanoseconds) in events { times.record(nanoseconds, of: event) }
    }
    events.removeAll(keepingCapacity: true)
  }
}

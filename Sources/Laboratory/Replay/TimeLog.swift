/// What a thread timed lately, on its way to histograms that other threads may use as well.
///
/// To note costs less than to record, and nothing is recorded while a request is under way.
struct TimeLog {
  private let thread: Int
  private let times: ThreadParts<ReplayTimes>?
  private var events: [(event: TimedEvent, nanoseconds: UInt64)] = []

  /// Events after which it is time to hand over.
  private static let limit = 64

  /// The log of a thread; without times for one that notes nothing.
  init(of thread: Int, for times: ThreadParts<ReplayTimes>?) {
    self.thread = thread
    self.times = times
    // What one more hand of requests brings has room as well.
    if times != nil { events.reserveCapacity(TimeLog.limit + 8 * RequestDealer.usualHand) }
  }

  mutating func note(_ nanoseconds: UInt64, of event: TimedEvent) {
    events.append((event, nanoseconds))
  }

  /// To be asked between requests.
  mutating func handOverIfFull() {
    if events.count >= TimeLog.limit { handOver() }
  }

  mutating func handOver() {
    times?.update(thread) { times in
      for (event, nanoseconds) in events { times.record(nanoseconds, of: event) }
    }
    events.removeAll(keepingCapacity: true)
  }
}

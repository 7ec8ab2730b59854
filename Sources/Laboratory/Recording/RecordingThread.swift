import Foundation
import Synchronization
import Traces

/// The thread that makes requests of events and files of requests.
///
/// Its state is the thread's own from ``start()`` to its end, which ``wait()`` waits for.
final class RecordingThread: @unchecked Sendable {
  private let ring: EventRing
  private let path: String
  private let options: TraceRecorder.Options
  private let keys: KeyedHash

  private let isStopping = Atomic(false)
  private let wake = DispatchSemaphore(value: 0)
  private let end = DispatchGroup()

  private var matcher = FillMatcher()
  private var builder: TraceBuilder
  private let beginning = ContinuousClock.now
  private var lastRound: Int64 = 0
  private var recorded = 0
  private var segments = 0
  private let writer: SegmentWriter

  init(ring: EventRing, path: String, options: TraceRecorder.Options, keys: KeyedHash) {
    self.ring = ring
    self.path = path
    self.options = options
    self.keys = keys
    builder = RecordingThread.emptyBuilder(path)
    writer = SegmentWriter()
  }

  func start() {
    end.enter()
    Thread.detachNewThread { [self] in
      run()
      end.leave()
    }
  }

  /// Lets the thread record what is there and end.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    wake.signal()
  }

  /// Writes the rest once the thread has ended.
  func wait() throws(TraceError) -> TraceRecorder.Recording {
    end.wait()
    if builder.requests > 0 { writeSegment() }
    return TraceRecorder.Recording(
      files: try writer.finish(), requests: recorded, dropped: ring.dropped,
      missesWithoutSet: matcher.missesWithoutSet)
  }

  private func run() {
    while true {
      let isLast = isStopping.load(ordering: .acquiring)
      let count = drain()
      if isLast { return }
      // A ring that fills as fast would be full before the interval is over.
      if count > ring.capacity / 8 { continue }
      _ = wake.wait(timeout: .now() + options.interval.seconds)
    }
  }

  /// Records what came since the last round, spread over the time since then.
  ///
  /// - Returns: How many events came.
  private func drain() -> Int {
    let now = Int64(beginning.duration(to: .now) / .nanoseconds(1))
    let length = now - lastRound
    let count = ring.drain { event, place, count in
      guard let request = matcher.request(event), recorded < options.requestLimit else { return }
      recorded += 1
      let time = lastRound + length / Int64(count) * Int64(place)
      append(request, key: keys.hash(of: event.keyHash), time: time)
    }
    lastRound = now
    return count
  }

  private func append(_ request: FillMatcher.Request, key: UInt64, time: Int64) {
    do throws(TraceError) {
      try builder.append(key: key)
    } catch { preconditionFailure("a segment has too many keys: \(error)") }
    builder.append(size: request.size)
    builder.append(time: time)
    builder.append(operation: request.operation)
    if builder.requests == options.segmentRequests { writeSegment() }
  }

  private func writeSegment() {
    var full = RecordingThread.emptyBuilder(path)
    swap(&full, &builder)
    segments += 1
    do throws(TraceError) {
      writer.write(try full.finish(), to: TraceRecorder.path(path, segment: segments))
    } catch {
      writer.fail(error)
    }
  }

  private static func emptyBuilder(_ path: String) -> TraceBuilder {
    TraceBuilder(
      name: path, format: "recording", keys: .integer, columns: [.sizes, .times, .operations])
  }
}

/// Writes one file at a time beside the recording, so that events go on being taken.
private final class SegmentWriter: Sendable {
  private struct State {
    var files: [String] = []
    var failure: TraceError?
  }

  private let queue = DispatchQueue(label: "recorded segments")
  private let free = DispatchSemaphore(value: 1)
  private let state = Mutex(State())

  /// Writes a segment; waits while the one before is being written.
  func write(_ trace: Trace, to path: String) {
    free.wait()
    queue.async { [self] in
      do throws(TraceError) {
        try TraceWriter.write(trace, to: path)
        state.withLock { $0.files.append(path) }
      } catch {
        fail(error)
      }
      free.signal()
    }
  }

  /// Keeps the first failure.
  func fail(_ error: TraceError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  /// The files, once all are written.
  func finish() throws(TraceError) -> [String] {
    queue.sync {}
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    return state.files
  }
}

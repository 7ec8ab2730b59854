import EvictionCore
import Foundation
import Parameters
import Synchronization
import Traces

/// The thread that makes requests of events and files of requests.
///
/// Its state is the thread's own from ``start()`` to its end, then that of one ``wait()`` after the other.
final class RecordingThread: @unchecked Sendable {
  private let ring: EventRing
  private let path: String
  private let interval: Double

  private let isStopping = Atomic(false)
  private let wake = DispatchSemaphore(value: 0)
  private let end = DispatchGroup()
  private let finishing = Mutex(())

  private var requests: RecordedRequests
  private var segments = 0
  private let writer = SegmentWriter()

  init(ring: EventRing, path: String, options: TraceRecorder.Options, keys: KeyedHash) {
    self.ring = ring
    self.path = path
    interval = options.interval.seconds
    requests = RecordedRequests(
      name: path, keys: keys, segmentRequests: options.segmentRequests,
      requestLimit: options.requestLimit)
  }

  func start() {
    end.enter()
    WorkThread.start { [self] in
      run(&requests)
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
    return try finishing.withLock { _ throws(TraceError) in
      writeSegment(&requests)
      return TraceRecorder.Recording(
        files: try writer.finish(), requests: requests.count, dropped: ring.dropped,
        missesWithoutSet: requests.missesWithoutSet)
    }
  }

  private func run(_ requests: inout RecordedRequests) {
    let beginning = ContinuousClock.now
    var lastRound: Int64 = 0
    while true {
      let isLast = isStopping.load(ordering: .acquiring)
      let now = Int64(beginning.duration(to: .now) / .nanoseconds(1))
      let words = drain(into: &requests, from: lastRound, to: now)
      lastRound = now
      if isLast { return }
      // A ring that fills as fast would be full before the interval is over.
      if words > ring.capacity / 8 { continue }
      _ = wake.wait(timeout: .now() + interval)
    }
  }

  /// Records what came since the last round, spread over the time since then.
  ///
  /// - Returns: The number of words that came.
  private func drain(into requests: inout RecordedRequests, from last: Int64, to now: Int64) -> Int
  {
    var step: Int64?
    return ring.drain { event, place, count in
      let length = step ?? (now - last) / Int64(count)
      step = length
      if requests.take(event, time: last + length * Int64(place)) { writeSegment(&requests) }
    }
  }

  private func writeSegment(_ requests: inout RecordedRequests) {
    do throws(TraceError) {
      guard let trace = try requests.takeSegment(dropped: ring.dropped) else { return }
      segments += 1
      writer.write(trace, to: TraceRecorder.path(path, segment: segments))
    } catch {
      writer.fail(error)
    }
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

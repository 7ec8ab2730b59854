import EvictionCore
import Traces

/// The requests made from events, gathered in blocks, and a trace of them when there are enough.
struct RecordedRequests: ~Copyable {
  /// Requests that are handed on at once: a trace numbers the keys of many at less cost than one by one.
  private static let block = 512

  private let name: String
  private let keys: KeyedHash
  private let segmentRequests: Int
  private let requestLimit: Int
  private var matcher = FillMatcher()
  private var builder: TraceBuilder
  private let hashes = UnsafeMutablePointer<UInt64>.allocate(capacity: block)
  private let sizes = UnsafeMutablePointer<UInt64>.allocate(capacity: block)
  private let times = UnsafeMutablePointer<Int64>.allocate(capacity: block)
  private let operations = UnsafeMutablePointer<TraceOperation>.allocate(capacity: block)
  /// Requests of the block so far.
  private var filled = 0
  /// Requests taken so far.
  private(set) var count = 0
  /// Those of the segment that grows.
  private var pending = 0
  /// The events that were dropped before it.
  private var droppedBefore = 0

  /// Nothing yet, of a recording of that name.
  init(name: String, keys: KeyedHash, segmentRequests: Int, requestLimit: Int) {
    self.name = name
    self.keys = keys
    self.segmentRequests = segmentRequests
    self.requestLimit = requestLimit
    builder = RecordedRequests.builder(name)
  }

  deinit {
    hashes.deallocate()
    sizes.deallocate()
    times.deallocate()
    operations.deallocate()
  }

  private static func builder(_ name: String) -> TraceBuilder {
    TraceBuilder(
      name: name, format: "recording", keys: .integer, columns: [.sizes, .times, .operations])
  }

  /// Misses that no set has followed.
  var missesWithoutSet: Int { matcher.missesWithoutSet }

  /// Takes an event of a time in nanoseconds.
  ///
  /// - Returns: True if the segment is full now.
  @inline(__always)
  mutating func take(_ event: EventRing.Event, time: Int64) -> Bool {
    guard let request = matcher.request(event), count < requestLimit else { return false }
    count += 1
    pending += 1
    (hashes + filled).initialize(to: event.keyHash)
    (sizes + filled).initialize(to: request.size)
    (times + filled).initialize(to: time)
    (operations + filled).initialize(to: request.operation)
    filled += 1
    let isFull = pending == segmentRequests
    if isFull || filled == RecordedRequests.block { handOn() }
    return isFull
  }

  private mutating func handOn() {
    // Not one by one: the processor works on several at a time, as no hash waits for another.
    for place in 0..<filled { hashes[place] = keys.hash(of: hashes[place]) }
    do throws(TraceError) {
      try builder.append(keysAt: hashes, stride: 8, count: filled)
    } catch { preconditionFailure("a segment has too many keys: \(error)") }
    builder.append(sizes: sizes, count: filled)
    builder.append(times: times, count: filled)
    builder.append(operations: operations, count: filled)
    filled = 0
  }

  /// The requests since the last segment as a trace, and a new segment begins; nil if there are none.
  ///
  /// - Parameter dropped: The events that were dropped so far.
  mutating func takeSegment(dropped: Int) throws(TraceError) -> Trace? {
    handOn()
    if pending == 0 { return nil }
    pending = 0
    var full = RecordedRequests.builder(name)
    swap(&full, &builder)
    let loss = RecordingLoss(droppedEvents: dropped - droppedBefore)
    droppedBefore = dropped
    return try full.finish().lacking(loss)
  }
}

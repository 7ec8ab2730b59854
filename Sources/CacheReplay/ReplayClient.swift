import CInline
import EvictionCore
import Requests
import Results
import Traces

/// One thread's share of a replay: the requests that it is dealt.
struct ReplayClient: Sendable {
  let cache: ReplayedCache
  let stream: RequestStream
  let options: ReplayOptions
  let part: ReplayPart
  /// The destination of times; nil without a clock.
  let times: ThreadParts<ReplayTimes>?
  /// The meters of the cache's locks, where these are watched.
  let meters: LockMeters?
  private let watch = Stopwatch.standard
  /// The due times of requests; nil for a closed loop.
  let schedule: ArrivalSchedule?
  /// True if a thread that spins leaves its core to others.
  let yields: Bool
  /// True if a get that hits gives the object its size.
  let resizes: Bool

  /// Requests dealt at once: few enough to keep the trace's order, enough to make dealing cheap.
  static let batch = 16

  /// The notes of a thread while it runs.
  private struct Notes {
    var record = ReplayRecord()
    var log: TimeLog
  }

  /// Runs the share.
  ///
  /// - Parameters:
  ///   - thread: The thread's number.
  ///   - common: Waits for the common start of all threads, on the ``Clock``.
  func run(thread: Int, start common: () -> UInt64) -> ReplayRecord {
    guard let meters else { return serve(thread: thread, start: common) }
    return meters.watching(thread: thread, seed: options.run.seed) {
      serve(thread: thread, start: common)
    }
  }

  /// Makes requests of the stream on this thread, whatever the client's share, and looks at no clock.
  func count(_ requests: Range<Int>) -> RequestCounts {
    let source = ColumnSource(RequestColumns(stream))
    var notes = Notes(log: TimeLog(of: 0, for: nil))
    for index in requests { serve(index, of: source, isTimed: false, notes: &notes) }
    return notes.record.counts
  }

  private func serve(thread: Int, start common: () -> UInt64) -> ReplayRecord {
    let source = ColumnSource(RequestColumns(stream))
    let isMetered = times != nil
    var sampler = Sampler(
      oneIn: options.sample(of: stream.requests),
      seed: options.run.seed &+ UInt64(thread))
    var notes = Notes(log: TimeLog(of: thread, for: times))
    // With a processor for each thread none of them moves.
    let isPinned = !yields && evl_pin_thread(UInt32(thread)) != 0
    let waited = SystemLoad.waitedNanoseconds
    let start = common()
    let allocations = evl_allocations()
    let first = Clock.now()
    while case let batch = part.dealer.deal(), !batch.isEmpty {
      for place in batch {
        let index = part.order.map { $0[place] } ?? place
        let isTimed = isMetered && sampler.choosesNext()
        if let schedule {
          let intended = start &+ schedule.start(of: index, copy: part.copy)
          serve(
            index, of: source, at: intended, quarter: part.dealer.quarter(of: place),
            isTimed: isTimed, notes: &notes)
        } else {
          serve(index, of: source, isTimed: isTimed, notes: &notes)
        }
      }
      // In a closed loop, which times nothing between requests. An open one does it where it is counted.
      if schedule == nil && notes.log.isFull(isIdle: true) { notes.log.handOver() }
    }
    let last = Clock.now()
    if allocations >= 0 { notes.record.allocations = Int(evl_allocations() - allocations) }
    notes.log.handOver()
    notes.record.start = start
    notes.record.times = [
      ClientTime(
        start: first, end: last,
        waited: SystemLoad.waitedNanoseconds.flatMap { after in waited.map { after - $0 } },
        isPinned: isPinned)
    ]
    return notes.record
  }

  /// Waits for a request's intended start, if that is to come, and makes it.
  ///
  /// What keeps a free thread from a request that is due is noted as lateness: that it woke up late, and
  /// the handing over of what it noted, which is done while it waits if it ever does.
  private func serve(
    _ index: Int, of source: ColumnSource, at intended: UInt64, quarter: Int, isTimed: Bool,
    notes: inout Notes
  ) {
    let free = Clock.now()
    var start = free
    if notes.log.isFull(isIdle: free < intended) {
      notes.log.handOver()
      start = Clock.now()
    }
    if start < intended {
      start = Waiting.precisely(
        until: intended, yields: yields, isStopped: { part.dealer.isStopped })
      if start < intended { return }
    }
    if isTimed { notes.log.note(start &- max(free, intended), of: .lateness) }
    serve(index, of: source, isTimed: isTimed, notes: &notes)
    if isTimed {
      let end = Clock.now()
      notes.log.note(end &- intended, of: .response(quarter: quarter))
      notes.log.note(end &- start, of: .service(quarter: quarter))
    }
  }

  /// Makes a request.
  @inline(__always)
  private func serve(
    _ index: Int, of source: ColumnSource, isTimed: Bool, notes: inout Notes
  ) {
    let request = source.request(at: index, needs: [.keyHash, .keyLength])
    let key = ReplayKey(request)
    cache.begins?(index)
    switch source.role(at: index) {
    case .reference:
      let isHit = get(key, request, at: index, of: source, isTimed: isTimed, notes: &notes)
      if isHit && request.size != ColumnSource.unknownSize
        && (resizes || stream.isSized && source.writes(at: index))
      {
        cache.setCost(request.size, key)
      }
      if isHit, source.writes(at: index), let setTimeToLive = cache.setTimeToLive {
        setTimeToLive(timeToLive(at: index, of: source), key)
      }
    case .update:
      if request.size == ColumnSource.unknownSize {
        if options.run.countsSets { notes.record.counts.countUnknownSize() }
        return
      }
      if options.run.countsSets {
        notes.record.counts.count(request, isHit: cache.cost(key) != nil, weighs: source.weighs)
      }
      set(
        key, request, timeToLive: timeToLive(at: index, of: source), isTimed: isTimed,
        log: &notes.log)
    case .removal:
      cache.removeValue(key)
    case .renewal:
      cache.setTimeToLive?(timeToLive(at: index, of: source), key)
    }
  }

  @inline(__always)
  private func timeToLive(at index: Int, of source: ColumnSource) -> Int64 {
    options.run.expires ? source.timeToLive(at: index) : 0
  }

  /// A get, and on a miss its penalty and the set that follows. Returns whether it hit.
  @inline(__always)
  private func get(
    _ key: ReplayKey, _ request: Request, at index: Int, of source: ColumnSource, isTimed: Bool,
    notes: inout Notes
  ) -> Bool {
    let start = isTimed ? watch.start() : 0
    let value = cache.value(key)
    let end = isTimed ? watch.end() : 0
    precondition(value == nil || value == key.id, "the cache returned another key's value")
    var request = request
    if request.size == ColumnSource.unknownSize {
      guard value != nil else {
        // Nothing can be put in: how large it is, nobody has said yet.
        notes.record.counts.countUnknownSize()
        if isTimed { notes.log.note(watch.nanoseconds(from: start, to: end), of: .miss) }
        return false
      }
      // Another thread is ahead in the trace, and has put it in.
      request.size = cache.cost(key) ?? 0
    }
    notes.record.counts.count(request, isHit: value != nil, weighs: !stream.isPlain)
    if value != nil {
      if isTimed { notes.log.note(watch.nanoseconds(from: start, to: end), of: .hit) }
      return true
    }
    if let penalty = options.conditions.missPenalty { pay(penalty) }
    let filled = set(
      key, request, timeToLive: timeToLive(at: index, of: source), isTimed: isTimed,
      log: &notes.log)
    if isTimed {
      notes.log.note(watch.nanoseconds(from: start, to: end), of: .miss)
      notes.log.note(watch.nanoseconds(from: start, to: filled), of: .fill)
    }
    return false
  }

  /// A set. Returns its end on the ``Stopwatch``, if it is timed.
  @inline(__always) @discardableResult
  private func set(
    _ key: ReplayKey, _ request: Request, timeToLive: Int64, isTimed: Bool, log: inout TimeLog
  ) -> UInt64 {
    let start = isTimed ? watch.start() : 0
    cache.set(key, request.size, request.cost, timeToLive)
    let end = isTimed ? watch.end() : 0
    if isTimed { log.note(watch.nanoseconds(from: start, to: end), of: .set) }
    return end
  }

  private func pay(_ penalty: MissPenalty) {
    let end = Clock.now() &+ UInt64(penalty.nanoseconds)
    switch penalty.wait {
    case .sleep: Waiting.sleep(until: end, isStopped: { part.dealer.isStopped })
    case .spin: Waiting.spin(until: end, yields: false, isStopped: { part.dealer.isStopped })
    }
  }
}

/// The counts of one client of a replay, or of all of them together.
struct ReplayRecord: Sendable {
  var counts = RequestCounts()
  /// The thread's allocations; nil where they are not counted.
  var allocations: Int?
  /// The common start of all threads.
  var start: UInt64 = 0
  /// The time of each client.
  var times: [ClientTime] = []

  /// Seconds from the common start to the last end.
  var seconds: Double { Double((times.map(\.end).max() ?? start) &- start) / 1e9 }

  mutating func add(_ other: ReplayRecord) {
    counts.add(other.counts)
    start = max(start, other.start)
    times += other.times
    if let more = other.allocations { allocations = (allocations ?? 0) + more }
  }
}

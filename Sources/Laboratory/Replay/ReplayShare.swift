import Eviction
import Synchronization
import Traces

/// Deals a replay's requests out to its threads, in order and a few at a time, so that no thread runs
/// ahead of the others by more than it was dealt, however they are scheduled.
final class RequestDealer: Sendable {
  /// Requests dealt at once: few enough to keep the trace's order, enough to make dealing cheap.
  private static let hand = 16

  private let next: Atomic<Int>
  private let range: Range<Int>
  private let stopped = Atomic(false)

  init(_ range: Range<Int>) {
    self.range = range
    next = Atomic(range.lowerBound)
  }

  /// The next few requests; none at the end, and after ``stop()``.
  func deal() -> Range<Int> {
    if isStopped { return 0..<0 }
    let start = next.add(RequestDealer.hand, ordering: .relaxed).oldValue
    return min(start, range.upperBound)..<min(start + RequestDealer.hand, range.upperBound)
  }

  /// How many requests were dealt.
  var dealt: Int { min(next.load(ordering: .relaxed), range.upperBound) - range.lowerBound }

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func stop() { stopped.store(true, ordering: .relaxed) }
}

/// What one thread of a replay found.
struct ReplayRecord: Sendable {
  var counts = RequestCounts()
  var hits = DurationHistogram()
  var misses = DurationHistogram()
  var sets = DurationHistogram()

  mutating func add(_ other: ReplayRecord) {
    counts.add(other.counts)
    hits.add(other.hits)
    misses.add(other.misses)
    sets.add(other.sets)
  }

  var latency: LatencyReport {
    var gets = hits
    gets.add(misses)
    return LatencyReport(
      get: gets.latency, hit: hits.latency, miss: misses.latency, set: sets.latency,
      timerOverhead: Clock.overhead)
  }
}

/// One thread's share of a replay: the requests that it is dealt.
struct ReplayShare: Sendable {
  let cache: ReplayedCache
  let stream: RequestStream
  let options: ReplayOptions
  let dealer: RequestDealer
  let isTimed: Bool

  /// Runs the share.
  func run() -> ReplayRecord {
    let source = ColumnSource(stream)
    let countsSets = options.run.countsSets
    let resizes = options.run.arguments.flag("resize")
    var record = ReplayRecord()
    while case let hand = dealer.deal(), !hand.isEmpty {
      for index in hand {
        let request = source.request(at: index, needs: [.keyHash, .keyLength])
        let key = ReplayKey(request)
        switch source.role(at: index) {
        case .reference:
          if get(key, request, into: &record), resizes { cache.setCost(request.size, key) }
        case .update:
          if countsSets {
            record.counts.count(request, isHit: cache.cost(key) != nil, weighs: source.weighs)
          }
          // A hit keeps the size the object came with, unless asked otherwise.
          let size = resizes ? request.size : cache.cost(key) ?? request.size
          set(key, cost: size, missCost: request.cost, into: &record)
        case .removal:
          cache.removeValue(key)
        }
      }
    }
    return record
  }

  /// A get, and the set that follows a miss. Returns whether it hit.
  @inline(__always)
  private func get(_ key: ReplayKey, _ request: Request, into record: inout ReplayRecord) -> Bool {
    let start = isTimed ? Clock.now() : 0
    let value = cache.value(key)
    let end = isTimed ? Clock.now() : 0
    precondition(value == nil || value == key.id, "the cache returned another key's value")
    record.counts.count(request, isHit: value != nil, weighs: !stream.isPlain)
    if value != nil {
      if isTimed { record.hits.record(end &- start) }
      return true
    }
    set(key, cost: request.size, missCost: request.cost, into: &record)
    if isTimed { record.misses.record(end &- start) }
    return false
  }

  @inline(__always)
  private func set(
    _ key: ReplayKey, cost: Int, missCost: Double, into record: inout ReplayRecord
  ) {
    let start = isTimed ? Clock.now() : 0
    cache.set(key, cost, missCost)
    if isTimed { record.sets.record(Clock.now() &- start) }
  }
}

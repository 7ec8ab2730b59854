import Eviction
import Parameters
import Synchronization
import Traces

/// The cache that a replay drives. A value is its key's id, so that a wrong one is noticed.
@usableFromInline
typealias ReplayCache<Policy: ReplacementPolicy & ~Copyable> =
  MemoryCache<ReplayKey, UInt32, Policy>

/// A trace's key in a real cache: its id, its length, and its stable hash, the one that a simulation
/// gives to policies.
@usableFromInline
struct ReplayKey: CacheKey {
  @usableFromInline let id: UInt32
  @usableFromInline let length: UInt32
  @usableFromInline let hash: UInt64

  @inlinable @inline(__always)
  init(_ request: Request) {
    id = request.slot
    length = UInt32(clamping: request.keyLength)
    hash = request.keyHash
  }

  @inlinable @inline(__always)
  static func == (left: ReplayKey, right: ReplayKey) -> Bool { left.id == right.id }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  @inlinable @inline(__always)
  func stableHash(seed: UInt64) -> UInt64 { hash }

  @inlinable @inline(__always)
  var keyLength: Int { Int(length) }
}

/// Deals a replay's requests out to its threads, in order and a few at a time, so that no thread runs
/// ahead of the others by more than it was dealt, however they are scheduled.
@usableFromInline
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
  @usableFromInline
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
@usableFromInline
struct ReplayRecord: Sendable {
  @usableFromInline var counts = RequestCounts()
  @usableFromInline var hits = DurationHistogram()
  @usableFromInline var misses = DurationHistogram()
  @usableFromInline var sets = DurationHistogram()

  @usableFromInline
  init() {}

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
@usableFromInline
struct ReplayShare<Policy: ReplacementPolicy & ~Copyable>: Sendable {
  @usableFromInline let cache: ReplayCache<Policy>
  @usableFromInline let stream: RequestStream
  @usableFromInline let options: ReplayOptions
  @usableFromInline let dealer: RequestDealer
  @usableFromInline let isTimed: Bool

  /// Whether requests differ in size or cost, so that summing them says more than counting them.
  @inlinable @inline(__always)
  var weighs: Bool { !stream.isPlain }

  /// Runs the share.
  @inlinable
  func run() -> ReplayRecord {
    let source = ColumnSource(stream)
    let countsSets = options.run.countsSets
    let resizes = options.run.arguments.flag("resize")
    var record = ReplayRecord()
    while case let hand = dealer.deal(), !hand.isEmpty {
      for index in hand {
        let request = source.request(
          at: index, needs: Policy.needs.intersection(.keyLength).union(.keyHash))
        let key = ReplayKey(request)
        switch source.role(at: index) {
        case .reference:
          if get(key, request, into: &record), resizes { cache.setCost(request.size, forKey: key) }
        case .update:
          if countsSets { record.counts.count(request, isHit: cache.contains(key), weighs: weighs) }
          // A hit keeps the size the object came with, unless asked otherwise.
          let size = resizes ? request.size : cache.cost(forKey: key) ?? request.size
          set(key, cost: size, missCost: request.cost, into: &record)
        case .removal:
          cache.removeValue(forKey: key)
        }
      }
    }
    return record
  }

  /// A get, and the set that follows a miss. Returns whether it hit.
  @inlinable @inline(__always)
  func get(_ key: ReplayKey, _ request: Request, into record: inout ReplayRecord) -> Bool {
    let start = isTimed ? Clock.now() : 0
    let value = cache.value(forKey: key)
    let end = isTimed ? Clock.now() : 0
    precondition(value == nil || value == key.id, "the cache returned another key's value")
    record.counts.count(request, isHit: value != nil, weighs: weighs)
    if value != nil {
      if isTimed { record.hits.record(end &- start) }
      return true
    }
    set(key, cost: request.size, missCost: request.cost, into: &record)
    if isTimed { record.misses.record(end &- start) }
    return false
  }

  @inlinable @inline(__always)
  func set(_ key: ReplayKey, cost: Int, missCost: Double, into record: inout ReplayRecord) {
    let start = isTimed ? Clock.now() : 0
    cache.set(key.id, forKey: key, cost: cost, missCost: missCost)
    if isTimed { record.sets.record(Clock.now() &- start) }
  }
}

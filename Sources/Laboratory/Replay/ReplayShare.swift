import CInline
import Eviction
import Traces

/// One thread's share of a replay: the requests that it is dealt.
struct ReplayShare: Sendable {
  let cache: ReplayedCache
  let stream: RequestStream
  let options: ReplayOptions
  let part: ReplayPart
  let isTimed: Bool
  /// When requests are meant to start; nil for a closed loop.
  let schedule: ArrivalSchedule?
  /// Whether a thread that spins leaves its core to others.
  let yields: Bool
  /// Whether a hit gives the object the size of the latest request.
  let resizes: Bool

  /// Runs the share.
  ///
  /// - Parameters:
  ///   - thread: The thread's number.
  ///   - common: Waits for the common start of all threads, on the ``Clock``.
  func run(thread: Int, start common: () -> UInt64) -> ReplayRecord {
    let source = ColumnSource(stream)
    var sampler = Sampler(
      oneIn: options.conditions.sample, seed: options.run.seed &+ UInt64(thread))
    var record = ReplayRecord()
    if isTimed { record.operations = OperationTimes() }
    if schedule != nil { record.arrivals = ArrivalTimes() }
    let start = common()
    let allocations = evl_allocations()
    while case let hand = part.dealer.deal(), !hand.isEmpty {
      for place in hand {
        let index = part.order.map { $0[place] } ?? place
        let isTimed = isTimed && sampler.choosesNext()
        if let schedule {
          let intended = start &+ schedule.start(of: index, copy: part.copy)
          serve(
            index, of: source, at: intended, quarter: part.dealer.quarter(of: place),
            isTimed: isTimed, into: &record)
        } else {
          serve(index, of: source, isTimed: isTimed, into: &record)
        }
      }
    }
    if allocations >= 0 { record.allocations = Int(evl_allocations() - allocations) }
    return record
  }

  /// Waits for a request's intended start, if that is to come, and makes it.
  private func serve(
    _ index: Int, of source: ColumnSource, at intended: UInt64, quarter: Int, isTimed: Bool,
    into record: inout ReplayRecord
  ) {
    var start = Clock.now()
    if start < intended {
      start = Waiting.precisely(
        until: intended, yields: yields, isStopped: { part.dealer.isStopped })
      if start < intended { return }
      if isTimed { record.arrivals?.lateness.record(start &- intended) }
    }
    serve(index, of: source, isTimed: isTimed, into: &record)
    if isTimed {
      let end = Clock.now()
      record.arrivals?.responses[quarter].record(end &- intended)
      record.arrivals?.services[quarter].record(end &- start)
    }
  }

  /// Makes a request.
  @inline(__always)
  private func serve(
    _ index: Int, of source: ColumnSource, isTimed: Bool, into record: inout ReplayRecord
  ) {
    let request = source.request(at: index, needs: [.keyHash, .keyLength])
    let key = ReplayKey(request)
    switch source.role(at: index) {
    case .reference:
      let isHit = get(key, request, isTimed: isTimed, into: &record)
      if isHit && resizes { cache.setCost(request.size, key) }
    case .update:
      if options.run.countsSets {
        record.counts.count(request, isHit: cache.cost(key) != nil, weighs: source.weighs)
      }
      // A hit keeps the size the object came with, unless asked otherwise.
      let size = resizes ? request.size : cache.cost(key) ?? request.size
      set(key, cost: size, missCost: request.cost, isTimed: isTimed, into: &record)
    case .removal:
      cache.removeValue(key)
    }
  }

  /// A get, and on a miss its penalty and the set that follows. Returns whether it hit.
  @inline(__always)
  private func get(
    _ key: ReplayKey, _ request: Request, isTimed: Bool, into record: inout ReplayRecord
  ) -> Bool {
    let start = isTimed ? Clock.now() : 0
    let value = cache.value(key)
    let end = isTimed ? Clock.now() : 0
    precondition(value == nil || value == key.id, "the cache returned another key's value")
    record.counts.count(request, isHit: value != nil, weighs: !stream.isPlain)
    if value != nil {
      if isTimed { record.operations?.hits.record(end &- start) }
      return true
    }
    if let penalty = options.conditions.missPenalty { pay(penalty) }
    set(key, cost: request.size, missCost: request.cost, isTimed: isTimed, into: &record)
    if isTimed { record.operations?.misses.record(end &- start) }
    return false
  }

  @inline(__always)
  private func set(
    _ key: ReplayKey, cost: Int, missCost: Double, isTimed: Bool, into record: inout ReplayRecord
  ) {
    let start = isTimed ? Clock.now() : 0
    cache.set(key, cost, missCost)
    if isTimed { record.operations?.sets.record(Clock.now() &- start) }
  }

  private func pay(_ penalty: MissPenalty) {
    let end = Clock.now() &+ UInt64(penalty.nanoseconds)
    switch penalty.wait {
    case .sleep: Waiting.sleep(until: end, isStopped: { part.dealer.isStopped })
    case .spin: Waiting.spin(until: end, yields: false, isStopped: { part.dealer.isStopped })
    }
  }
}

/// What one pass over the trace measured.
struct ReplayPass {
  /// The counted requests, all of them.
  var record = ReplayRecord()
  /// The parts before and after the cut, or one part.
  let phases: [ReplayPhase]
  /// Whether the cache was full at the cut.
  let isFullAtCut: Bool
  var locks: LockRecord?
  var resources: ResourceUse?

  init(phases: [ReplayPhase], isFullAtCut: Bool) {
    self.phases = phases
    self.isFullAtCut = isFullAtCut
    for phase in phases { record.add(phase.record) }
  }

  var requests: Int { phases.reduce(0) { $0 + $1.requests } }
  var seconds: Double { phases.reduce(0) { $0 + $1.seconds } }
  var requestsPerSecond: Double { seconds > 0 ? Double(requests) / seconds : 0 }
}

/// What a part of a pass measured.
struct ReplayPhase {
  var record = ReplayRecord()
  /// Requests made, whatever their operation.
  var requests = 0
  var seconds = 0.0
  /// From the first intended start to the last; nil in a closed loop.
  var scheduledSeconds: Double?
  /// The clock of the trace, where its times were followed.
  var clock: TraceClock?
}

/// Arrivals for a timed pass.
struct ArrivalPlan {
  /// What the arrivals are for.
  let options: ReplayOptions
  /// Requests a second in all copies together; nil for the trace's times.
  let rate: Double?
  /// What a closed loop reached, where it was measured.
  let capacity: Double?

  /// Arrivals at a rate that was given, or at the trace's times; nil for a closed loop.
  init?(_ options: ReplayOptions) {
    switch options.pace {
    case .closed, .capacityShare: return nil
    case .rate(let rate): self.init(options, rate: rate)
    case .trace: self.init(options, rate: nil)
    }
  }

  init(_ options: ReplayOptions, rate: Double?, capacity: Double? = nil) {
    self.options = options
    self.rate = rate
    self.capacity = capacity
  }

  func schedule(of range: Range<Int>, stream: RequestStream) -> ArrivalSchedule? {
    let copies = options.conditions.division == .copies ? options.threads : 1
    // Other arrivals after a cut than before it.
    let seed = options.run.seed &+ UInt64(range.lowerBound)
    let model = options.conditions.arrivals
    if let rate {
      return ArrivalSchedule(range, rate: rate, model: model, copies: copies, seed: seed)
    }
    guard let times = stream.times, case .trace(let speed) = options.pace else { return nil }
    return ArrivalSchedule(
      range, times: times, speed: speed, model: model, copies: copies, seed: seed)
  }
}

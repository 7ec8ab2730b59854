import Requests
import Results

/// The measurements of one pass over the trace.
struct ReplayPass {
  /// The counted requests, all of them.
  var record = ReplayRecord()
  /// Their durations; nil in a pass without a clock.
  private(set) var times: ReplayTimes?
  /// The parts before and after the cut, or one part.
  let phases: [ReplayPhase]
  /// True if the cache was full at the cut.
  let isFullAtCut: Bool
  var locks: LockRecord?
  var machine = MachineRecord()
  var resources: ResourceUse?

  init(phases: [ReplayPhase], isFullAtCut: Bool) {
    self.phases = phases
    self.isFullAtCut = isFullAtCut
    for phase in phases {
      record.add(phase.record)
      times.merge(phase.times) { $0.add($1) }
    }
  }

  var requests: Int { phases.reduce(0) { $0 + $1.requests } }
  var seconds: Double { phases.reduce(0) { $0 + $1.seconds } }
  var requestsPerSecond: Double { seconds > 0 ? Double(requests) / seconds : 0 }
}

/// The measurements of a part of a pass.
struct ReplayPhase {
  var record = ReplayRecord()
  /// The durations of the requests; nil in a pass without a clock.
  var times: ReplayTimes?
  /// Requests made, whatever their operation.
  var requests = 0
  var seconds: Double { record.seconds }
  /// From the first intended start to the last; nil in a closed loop.
  var scheduledSeconds: Double?
  /// The clock of the trace, where its times were followed.
  var clock: TraceClock?
}

/// Arrivals for a timed pass.
struct ArrivalPlan {
  /// The options that arrivals follow.
  let options: ReplayOptions
  /// Requests a second in all copies together; nil for the trace's times.
  let rate: Double?
  /// The bare throughput that the rate is a fraction of; nil for another rate.
  let capacity: Double?

  /// Arrivals at a rate, or at the trace's times; nil for a closed loop.
  ///
  /// - Parameter capacity: Requests a second in the bare pass.
  init?(_ options: ReplayOptions, capacity: Double) {
    self.options = options
    switch options.pace {
    case .closed: return nil
    case .rate(let rate): (self.rate, self.capacity) = (rate, nil)
    case .capacityShare(let share): (self.rate, self.capacity) = (share * capacity, capacity)
    case .trace: (rate, self.capacity) = (nil, nil)
    }
  }

  func schedule(of range: Range<Int>, stream: RequestStream) -> ArrivalSchedule? {
    let copies = options.conditions.division == .copies ? options.threads : 1
    let seed = options.run.seed
    let model = options.conditions.arrivals
    if let rate {
      return ArrivalSchedule(range, rate: rate, model: model, copies: copies, seed: seed)
    }
    guard let times = stream.times, case .trace(let speed) = options.pace else { return nil }
    return ArrivalSchedule(
      range, times: times, speed: speed, model: model, copies: copies, seed: seed)
  }
}

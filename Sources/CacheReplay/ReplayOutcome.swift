import EvictionCore
import Results
import Traces

/// The measurements of a replay.
package struct ReplayOutcome: Sendable {
  /// The facts that are no distribution.
  package let facts: ReplayFacts
  /// The durations of operations, in a pass with a clock around each.
  package private(set) var operations = OperationTimes()
  /// The durations of requests in an open loop.
  package private(set) var arrivals: ArrivalTimes?
  /// The times of the same requests with a cache that does nothing.
  private var idleArrivals: ArrivalTimes?
  /// The locks' acquisitions, waits and holdings, from the pass with meters.
  private var locks = LockRecord()
  private let criterion: ContentionSummary.Criterion
  /// The state of the machine during all passes of the cache.
  package private(set) var machine = MachineRecord()

  init(
    bare: ReplayPass, timed: ReplayPass, metered: ReplayPass, idle: ReplayPass?, sample: Int,
    arrivals plan: ArrivalPlan?, lock: any CacheLock.Type
  ) {
    criterion = lock is any TryableLock.Type ? .failedTry : .takersPresent
    facts = ReplayFacts(bare: bare, timed: timed, metered: metered, sample: sample, arrivals: plan)
    // Those of a pass are large, as they have room for everything.
    if let times = timed.times { operations.add(times.operations) }
    arrivals = timed.times?.arrivals.map(ArrivalTimes.init(copying:))
    idleArrivals = idle?.times?.arrivals.map(ArrivalTimes.init(copying:))
    if let record = metered.locks { locks.add(record) }
    for pass in [bare, timed, metered] { machine.add(pass.machine) }
  }

  /// The counts of hits and misses.
  package var counts: RequestCounts { facts.counts }

  /// The seconds that the counted requests took without any instrument.
  package var seconds: Double { facts.seconds }

  /// The durations of operations.
  package var latency: LatencyReport {
    LatencyReport {
      $0.get = operations.gets.latency
      $0.hit = operations.hits.latency
      $0.miss = operations.misses.latency
      $0.set = operations.sets.latency
      $0.fill = operations.fills.latency
      $0.timerOverhead = Stopwatch.standard.empty.cost
      $0.sample = facts.sample
      $0.slowdown = facts.slowdown
      $0.clock = LatencyClock(.standard)
    }
  }

  /// The offered and the served requests of an open loop; nil for a closed loop.
  package var pace: PaceReport? { facts.pace }

  /// The parts before and after the cut; nil without a cut.
  package var cut: CutReport? { facts.cut }

  /// The requests' use of the machine; nil where it was not measured.
  package var resources: ResourceUse? { facts.resources }

  /// The cost of the lock.
  package var contention: ContentionSummary {
    var summary = locks.summary
    summary.slowdown = facts.meterSlowdown
    summary.criterion = criterion
    return summary
  }

  /// From the intended starts of an open loop's requests to their ends; nil for a closed loop.
  package var response: ResponseSummary? { arrivals.flatMap { ResponseSummary($0.responses) } }

  /// From the actual starts of an open loop's requests to their ends; nil for a closed loop.
  package var service: ResponseSummary? { arrivals.flatMap { ResponseSummary($0.services) } }

  /// The response times of a cache that does nothing at the same schedule; nil for a closed loop.
  package var idle: LatencySummary? {
    idleArrivals.flatMap { DurationHistogram(merging: $0.responses).latency }
  }

  /// Takes over the histograms of another repetition: exactly, every count is added.
  package mutating func add(_ other: ReplayOutcome) {
    operations.add(other.operations)
    arrivals.merge(other.arrivals) { $0.add($1) }
    idleArrivals.merge(other.idleArrivals) { $0.add($1) }
    locks.add(other.locks)
    machine.add(other.machine)
  }

  /// Everything that was timed, by name.
  package var histograms: [(name: String, histogram: DurationHistogram)] {
    var named = [
      ("get", operations.gets), ("hit", operations.hits), ("miss", operations.misses),
      ("set", operations.sets), ("fill", operations.fills), ("wait", locks.waits),
      ("hold", locks.holdings),
    ]
    if let arrivals {
      named += [
        ("response", DurationHistogram(merging: arrivals.responses)),
        ("service", DurationHistogram(merging: arrivals.services)), ("lateness", arrivals.lateness),
      ]
    }
    if let idleArrivals {
      named.append(("idle", DurationHistogram(merging: idleArrivals.responses)))
    }
    return named.filter { $0.1.count > 0 }
  }
}

/// The measurements of a replay, without its distributions.
package struct ReplayFacts: Sendable {
  /// The counts of hits and misses.
  package let counts: RequestCounts
  /// The seconds that the counted requests took without any instrument.
  package let seconds: Double
  /// The time of the pass with a clock around operations, or of the open loop.
  package let timedSeconds: Double
  /// Requests in a second without any instrument, whatever their operation, by all threads.
  package let requestsPerSecond: Double
  /// Their use of the machine; nil where it was not measured.
  package let resources: ResourceUse?
  /// The parts before and after the cut; nil without a cut.
  package let cut: CutReport?
  /// The offered and the served requests; nil for a closed loop.
  package let pace: PaceReport?
  /// The number of requests of which one was timed.
  package let sample: Int
  /// The extra time of the timed pass; nil for an open loop.
  package let slowdown: Double?
  /// The time that meters around locks add, as a fraction of the bare time; nil for an open loop.
  package let meterSlowdown: Double?

  init(
    bare: ReplayPass, timed: ReplayPass, metered: ReplayPass, sample: Int,
    arrivals plan: ArrivalPlan?
  ) {
    self.sample = sample
    counts = bare.record.counts
    seconds = bare.seconds
    timedSeconds = timed.seconds
    requestsPerSecond = bare.requestsPerSecond
    resources = bare.resources
    cut = CutReport(bare: bare, timed: timed)
    pace = plan.map { PaceReport(timed, plan: $0) }
    let time = bare.machine.activeSeconds
    func slowdown(_ pass: ReplayPass) -> Double? {
      plan == nil && time > 0 ? pass.machine.activeSeconds / time - 1 : nil
    }
    self.slowdown = slowdown(timed)
    meterSlowdown = slowdown(metered)
  }
}

extension LatencyClock {
  /// The clock that a watch reads.
  init(_ watch: Stopwatch) {
    self.init()
    source = watch.source.rawValue
    resolution = watch.empty.resolution
    floor = watch.empty.floor
  }
}

extension ResponseSummary {
  /// Creates a summary of the quarters of a run; nil if nothing was timed.
  package init?(_ quarters: [DurationHistogram]) {
    guard let whole = DurationHistogram(merging: quarters).latency else { return nil }
    self.init()
    self.whole = whole
    self.quarters = quarters.map { $0.percentile(50) }
  }
}

extension PaceReport {
  init(_ pass: ReplayPass, plan: ArrivalPlan) {
    let scheduled = pass.phases.reduce(0) { $0 + ($1.scheduledSeconds ?? 0) }
    let clock = pass.phases.lazy.compactMap(\.clock).first
    let response = pass.times?.arrivals.flatMap { ResponseSummary($0.responses) }
    self.init()
    label = plan.options.pace.label
    arrivals = plan.options.conditions.arrivals
    offered = scheduled > 0 ? Double(pass.requests) / scheduled : 0
    achieved = pass.requestsPerSecond
    isOverload = PaceReport.isOverload(
      offered: offered, achieved: achieved, growth: response?.growth)
    capacity = plan.capacity
    tick = clock.map { Int($0.tick) }
    requestsPerReading = clock?.requestsPerReading
  }

  /// Returns true if requests came faster than they were served; see ``isOverload``.
  ///
  /// - Parameter growth: The last quarter's median response over the first's; nil where it is not known.
  package static func isOverload(offered: Double, achieved: Double, growth: Double?) -> Bool {
    achieved < 0.99 * offered && (growth ?? 1) > 1.5
  }
}

extension CutReport {
  /// The phases of a run with a cut; nil without one.
  init?(bare: ReplayPass, timed: ReplayPass) {
    guard bare.phases.count == 2 else { return nil }
    func part(_ index: Int) -> Part {
      let phase = bare.phases[index]
      let times = timed.phases.count == 2 ? timed.phases[index].times : nil
      return Part {
        $0.requests = phase.record.counts.requests
        $0.hits = phase.record.counts.hits
        $0.seconds = phase.seconds
        $0.get = times?.operations.gets.latency
      }
    }
    self.init()
    cold = part(0)
    postFill = bare.isFullAtCut ? part(1) : nil
  }
}

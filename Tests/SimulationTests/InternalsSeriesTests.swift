import Eviction
import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// The parameters that policies had learned along a run.
@Suite struct InternalsSeriesTests {
  private func run(
    _ policy: String, capacity: Int, _ trace: Trace, points: Int, limit: Int? = nil, warmup: Int = 0
  ) throws -> (counts: RequestCounts, internals: InternalsSeries) {
    let choice = try PolicyChoice.parse([policy])[0]
    let options = RunOptions(capacity: capacity, arguments: choice.arguments, warmup: warmup)
    var internals = InternalsSeries(points: points)
    let counts = try choice.entry.simulator.run(
      RequestStream(trace, limit: limit), options: SimulationOptions(options),
      internals: &internals)
    return (try #require(counts), internals)
  }

  private func trace(_ letters: String) -> Trace {
    .of(letters.split(separator: " ").map { UInt64($0.utf8.first!) })
  }

  @Test func targetOfARCFollowsTheHandTrace() throws {
    // The trace of Figure 4 in ARC's own tests: request 5 hits B1, request 6 hits B2.
    let figure = trace("a b a c b a d e c")
    let each = try run("arc", capacity: 2, figure, points: 9).internals
    #expect(each.requests == Array(1...9))
    #expect(each["p"] == [0, 0, 0, 0, 1, 0, 0, 0, 0])
    let some = try run("arc", capacity: 2, figure, points: 2).internals
    #expect(some == InternalsSeries(requests: [4, 9], series: [.init(name: "p", values: [0, 0])]))

    // Requests 6 and 7 hit B1, request 8 hits B2.
    let longer = trace("a b a c d b c a")
    #expect(
      try run("arc", capacity: 3, longer, points: 8).internals["p"] == [0, 0, 0, 0, 0, 1, 2, 1])
    let half = try run("arc", capacity: 3, longer, points: 4).internals
    #expect(half.requests == [2, 4, 6, 8])
    #expect(half["p"] == [0, 0, 1, 1])
  }

  @Test func targetOfARCIsThatOfAPlainComputation() throws {
    let trace = try TraceGenerators.trace("zipf:keys=300:requests=5000:alpha=0.7")
    let ids = trace.ids.withUnsafeBufferPointer { Array($0) }
    let internals = try run("arc", capacity: 40, trace, points: 50).internals
    var plain = PlainARC(capacity: 40)
    var targets: [Double] = []
    for (index, id) in ids.enumerated() {
      plain.request(id)
      if (index + 1) % 100 == 0 { targets.append(plain.p) }
    }
    #expect(internals["p"] == targets)
    #expect(Set(targets).count > 10)
  }

  @Test func lookingChangesNothing() throws {
    let trace = try TraceGenerators.trace("zipf:keys=300:requests=5000")
    for policy in ["arc", "lecar", "cacheus"] {
      let without = try run(policy, capacity: 40, trace, points: 0, warmup: 1234)
      let with = try run(policy, capacity: 40, trace, points: 7, warmup: 1234)
      #expect(without.counts == with.counts)
      #expect(without.internals.requests.isEmpty && without.internals.series.isEmpty)
      #expect(with.internals.requests == [714, 1428, 2142, 2857, 3571, 4285, 5000])
    }
  }

  @Test func namesStayInTheirOrderAndOneWithoutInternalsHasNone() throws {
    let trace = try TraceGenerators.trace("zipf:keys=300:requests=1000")
    let cacheus = try run("cacheus", capacity: 40, trace, points: 3).internals
    #expect(cacheus.series.map(\.name) == ["w_lru", "w_lfu", "learning_rate", "sr_size"])
    #expect(try run("lru", capacity: 40, trace, points: 3).internals.series.isEmpty)
  }

  @Test func morePointsThanRequestsAreOnePerRequest() throws {
    let internals = try run("arc", capacity: 2, trace("a b a"), points: 100).internals
    #expect(internals.requests == [1, 2, 3])
  }

  @Test func sweepKeepsThem() throws {
    let trace = try TraceGenerators.trace("zipf:keys=300:requests=1000")
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["arc,lru"]), capacities: [.count(10)],
      sweep: SweepExperiment(internalsPoints: 5))
    let measurements = ExperimentRun(plan).run().measurements
    #expect(measurements.map { $0.internals?.requests } == [[200, 400, 600, 800, 1000], nil])
  }
}

/// ARC's figure over arrays, for objects that count one, the least recent first.
private struct PlainARC {
  let capacity: Int
  var p = 0.0
  private var t1: [UInt32] = []
  private var t2: [UInt32] = []
  private var b1: [UInt32] = []
  private var b2: [UInt32] = []

  init(capacity: Int) { self.capacity = capacity }

  mutating func request(_ id: UInt32) {
    if t1.contains(id) || t2.contains(id) {
      t1.removeAll { $0 == id }
      t2.removeAll { $0 == id }
    } else if b1.contains(id) {
      p = min(p + max(1, Double(b2.count) / Double(b1.count)), Double(capacity))
      replace(isInB2: false)
      b1.removeAll { $0 == id }
    } else if b2.contains(id) {
      p = max(p - max(1, Double(b1.count) / Double(b2.count)), 0)
      replace(isInB2: true)
      b2.removeAll { $0 == id }
    } else {
      miss(id)
      return
    }
    t2.append(id)
  }

  private mutating func miss(_ id: UInt32) {
    let all = t1.count + t2.count + b1.count + b2.count
    if t1.count + b1.count == capacity {
      if t1.count < capacity {
        b1.removeFirst()
        replace(isInB2: false)
      } else {
        t1.removeFirst()
      }
    } else if all >= capacity {
      if all == 2 * capacity { b2.removeFirst() }
      replace(isInB2: false)
    }
    t1.append(id)
  }

  private mutating func replace(isInB2: Bool) {
    if t1.count + t2.count < capacity { return }
    let length = Double(t1.count)
    if !t1.isEmpty && (length > p || (isInB2 && length == p)) {
      b1.append(t1.removeFirst())
    } else {
      b2.append(t2.removeFirst())
    }
  }
}

import Experiments
import Parameters
import Results
import Runner
import Traces

/// A small sweep of several traces, run in shares.
struct SharedSweep {
  var names = ["a", "b", "c"]
  var policies = ["lru,fifo,slru:protected=0.5,arc"]
  var capacities: [Capacity] = [.count(2), .count(20), .fraction(Fraction(1, 10)), .count(30)]
  var seeds = [1, 2]
  var options: [JSON.Member] = [JSON.Member("warmup", .integer(0))]
  /// The sizes of the traces' files; none are known.
  var bytes: [Int?] = []
  /// Traces whose content is another than usual.
  var changed: Set<String> = []

  /// A share's plan, and what its document says of it.
  struct Planned {
    let plan: ExperimentPlan
    let summary: PlanRecord
    let traces: [TraceSummary]
  }

  static let environment = Environment {
    $0.version = "1"
    $0.commit = "abc"
    $0.toolchain = "Swift"
    $0.os = "Linux"
    $0.cpu = "fast"
    $0.cores = 2
    $0.date = "2026-01-01T00:00:00Z"
  }

  func plan(_ share: String = "1/1") throws -> Planned {
    let share = PlanPartition(parsing: share) ?? .whole
    let choices = try PolicyChoice.parse(policies)
    var summary = PlanRecord {
      $0.traces = names.enumerated().map { place, name in
        PlanRecord.Trace(name: name, bytes: bytes.isEmpty ? nil : bytes[place])
      }
      $0.capacities = capacities.map(\.description)
      $0.policies = choices.map(\.label)
      $0.seeds = seeds
      $0.options = options
    }
    let part = summary.part(share)
    let traces = try names[part.traces].map { name in
      let seed = (name.utf8.first ?? 0) + (changed.contains(name) ? 100 : 0)
      let keys = try TraceGenerators.trace("zipf:keys=50:requests=150", seed: UInt64(seed)).ids
      let text = keys.map { "\($0)\n" }.joined()
      return try TraceLoader.load(bytes: Array(text.utf8), name: name, format: "plain")
    }
    let plan = try ExperimentPlan(
      traces: traces, policies: choices, capacities: capacities, seeds: seeds, part: part)
    summary.record(plan, as: share)
    return Planned(
      plan: plan, summary: summary,
      traces: traces.map {
        TraceSummary(
          name: $0.name, format: $0.format, requests: $0.requests, distinct: $0.distinct,
          sha256: $0.name + (changed.contains($0.name) ? "2" : "1"))
      })
  }

  /// The document of a share, times left out, its command that of `evict sweep`.
  func results(
    _ share: String = "1/1", cancellation: Cancellation = Cancellation(), stopAfter: Int = .max
  ) throws -> ResultSet {
    let planned = try plan(share)
    let run = ExperimentRun(Baselines(explains: true).added(to: planned.plan))
    let finished = run.run(jobs: 2, cancellation: cancellation) {
      if $0.cells >= stopAfter { cancellation.cancel() }
    }
    let measurements = finished.measurements
    return document(of: planned, measurements, finished.explanations(of: measurements), share)
  }

  /// The document of a share of which nothing is run yet.
  func unmeasured(_ share: String) throws -> ResultSet {
    try document(of: plan(share), [], [], share)
  }

  func document(
    of planned: Planned, _ measurements: [Measurement], _ explanations: [Explanation],
    _ share: String = "1/1"
  ) -> ResultSet {
    var environment = SharedSweep.environment
    environment.command = "evict sweep a b c" + (share == "1/1" ? "" : " --shard \(share)")
    return ResultSet(
      environment: environment, traces: planned.traces,
      measurements: measurements.map { measurement in
        var measurement = measurement
        measurement.record(seconds: 0, requestsRun: 0)
        return measurement
      },
      explanations: explanations, plan: planned.summary,
      isComplete: measurements.count == planned.summary.shares[0].cells)
  }
}

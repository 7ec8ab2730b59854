import Foundation
import Parameters
import Results

/// The columns of tables of runs.
enum RunColumns {
  /// A number with a format.
  static func number(
    _ title: String, key: String? = nil, rank: Int = 4, _ format: String = "%.2f",
    _ value: @escaping @Sendable (Measurement) -> Double?
  ) -> ReportColumn<Measurement> {
    ReportColumn(title, key: key, rank: rank) { value($0).map { String(format: format, $0) } }
  }

  /// A whole number.
  static func count(
    _ title: String, key: String? = nil, rank: Int = 4, distinguishes: Bool = false,
    _ value: @escaping @Sendable (Measurement) -> Int?
  ) -> ReportColumn<Measurement> {
    ReportColumn(title, key: key, rank: rank, distinguishes: distinguishes) {
      value($0).map { "\($0)" }
    }
  }

  /// A ratio, as a percentage. Those of deterministic runs are exact, so their best may be marked; times are
  /// not.
  static func percent(
    _ title: String, key: String? = nil, rank: Int = 4, isMarked: Bool = false,
    _ ratio: @escaping @Sendable (Measurement) -> Double?
  ) -> ReportColumn<Measurement> {
    ReportColumn(title, key: key, rank: rank, merit: isMarked ? ratio : nil) {
      ratio($0).map { String(format: "%.2f", $0 * 100) }
    }
  }

  /// The mean of the hit ratios of a run's variations and their standard deviation.
  static func spread(_ title: String, _ kind: Variation.Kind) -> ReportColumn<Measurement> {
    ReportColumn(title, rank: 1) { run in
      run.spreads.first { $0.kind == kind }?.percentages
    }
  }

  /// A time of a replay's; one that its clock does not tell from nothing is only known to be shorter.
  ///
  /// - Parameter spread: The figure of the repetitions whose interval leaves the time's digits.
  static func time(
    _ title: String, key: String? = nil, rank: Int = 4, spread: String? = nil,
    _ nanoseconds: @escaping @Sendable (Replay) -> Int?
  ) -> ReportColumn<Measurement> {
    ReportColumn(title, key: key, rank: rank) { measurement in
      guard let replay = measurement.replay, let time = nanoseconds(replay) else { return nil }
      let floor = replay.latency?.floor ?? 0
      if Double(time) < floor { return String(format: "< %.0f", floor.rounded(.up)) }
      let halfWidth = spread.flatMap { replay.repetitions?[$0]?.halfWidth }
      return Double(time).text(knownTo: halfWidth, decimals: 0)
    }
  }

  /// A mean latency in virtual time, in milliseconds or requests.
  static func latency(
    _ title: String, _ unit: LatencyMeasures.Unit
  ) -> ReportColumn<Measurement> {
    let mean: @Sendable (Measurement) -> Double? = { run in
      run.latency.flatMap { $0.unit == unit ? $0.mean : nil }
    }
    return ReportColumn(title, key: "virtualLatency.mean", rank: 0, merit: { mean($0).map { -$0 } })
    {
      mean($0).map { String(format: "%.4f", unit == .nanoseconds ? $0 / 1e6 : $0) }
    }
  }

  /// Every column, in the order in which they stand.
  static let all: [ReportColumn<Measurement>] =
    [
      ReportColumn("capacity", key: "capacity", rank: 0) {
        $0.unit == .objects ? "\($0.capacity)" : nil
      },
      ReportColumn("blocks", key: "capacity", rank: 0) {
        $0.unit == .blocks ? "\($0.capacity)" : nil
      },
      number("GiB", key: "bytes", rank: 0, "%.1f") { $0.prefix?.bytes.map { Double($0) / 0x1p30 } },
      ReportColumn("capacity MiB", key: "capacity", rank: 0) {
        $0.unit == .bytes ? ByteCount.mebibytes($0.capacity) : nil
      },
      ReportColumn("policy", .left, rank: 0) { $0.policyLabel },
      ReportColumn("trace", .left, key: "trace", rank: 0, distinguishes: true) { $0.trace },
      count("inline ≤", key: "disk.inlineThreshold", rank: 0) { $0.disk?.setup.inlineThreshold },
      count("page", key: "disk.pageSize", rank: 0, distinguishes: true) { $0.disk?.setup.pageSize },
      ReportColumn("durability", .left, key: "disk.durability", rank: 0, distinguishes: true) {
        $0.disk?.setup.durability
      },
      count("round", key: "disk.round", rank: 0, distinguishes: true) { $0.disk?.setup.round },
      count("seed", key: "seed", rank: 0, distinguishes: true) { $0.seed },
      ReportColumn("form", .left, key: "form", rank: 0, distinguishes: true) {
        $0.form?.rawValue
      },
      ReportColumn("system", .left, key: "system", rank: 0) { $0.replay?.system },
      ReportColumn("lock", .left, key: "lock", rank: 1, distinguishes: true) { $0.replay?.lock },
      ReportColumn("reads", .left, key: "reads", rank: 0, distinguishes: true) {
        $0.replay?.reads
      },
      ReportColumn("share", .left, key: "share", rank: 0, distinguishes: true) {
        $0.replay?.division.rawValue
      },
      ReportColumn("miss penalty", .left, rank: 0, distinguishes: true) {
        $0.replay?.missPenalty?.label
      },
      ReportColumn("threads", key: "threads", rank: 1) { $0.replay?.threadsLabel },
      count("workers", key: "workers", rank: 0) { run in
        (run.prefix?.setup.workers).flatMap { $0 > 1 ? $0 : nil }
      },
      ReportColumn("router", .left, key: "router", rank: 0) { $0.prefix?.setup.router },
      ReportColumn("changes", .left, key: "workerChanges", rank: 0) {
        $0.prefix?.setup.workerChanges
      },
      percent("token hit ratio %", key: "tokenHitRatio", rank: 0, isMarked: true) {
        $0.prefix?.tokenHitRatio
      },
      percent("mean of prompts %", key: "meanHitRatio", rank: 2, isMarked: true) {
        $0.prefix?.meanHitRatio
      },
      percent("block hit ratio %", key: "hitRatio", rank: 1, isMarked: true) {
        $0.kind == .prefix ? $0.hitRatio : nil
      },
      percent("hit ratio %", key: "hitRatio", rank: 0, isMarked: true) {
        $0.kind == .bounds || $0.kind == .prefix ? nil : $0.hitRatio
      },
      ReportColumn("by order alone %", rank: 2) {
        ($0.replay?.hitRatiosOfOrders).map {
          String(format: "%.2f–%.2f", $0.lowerBound * 100, $0.upperBound * 100)
        }
      },
      spread("other orders %", .order),
      spread("other beginnings %", .beginning),
      spread("other sizes %", .size),
      percent("byte hit ratio %", key: "byteHitRatio", rank: 1, isMarked: true) {
        $0.kind == .bounds ? nil : $0.byteHitRatio
      },
      percent("hit ratio ≥ %", rank: 1) { $0.hitRatioBounds?.lowerBound },
      percent("≤ %", rank: 1) { $0.hitRatioBounds?.upperBound },
      percent("byte hit ratio ≥ %", rank: 1) { $0.byteHitRatioBounds?.lowerBound },
      percent("≤ %", rank: 1) { $0.byteHitRatioBounds?.upperBound },
      percent("cost hit ratio %", key: "costHitRatio", rank: 1, isMarked: true) { $0.costHitRatio },
      count("effective capacity", key: "metadata.effectiveCapacity", rank: 1) {
        $0.unit == .objects ? $0.metadata?.effectiveCapacity : nil
      },
      ReportColumn("effective MiB", key: "metadata.effectiveCapacity", rank: 1) { run in
        run.unit == .bytes
          ? run.metadata.map { ByteCount.mebibytes($0.effectiveCapacity) } : nil
      },
      ReportColumn("metadata", key: "metadata.bytes", rank: 1) { run in
        run.metadata.map { ByteCount.text($0.bytes) }
      },
      percent("miss reduction %", key: "missRatioReduction", rank: 3) { $0.missRatioReduction },
      percent("to MIN with bypass %", key: "distanceToOptimum", rank: 3) { $0.distanceToOptimum },
      percent("by prefetch %", rank: 1) { $0.ratio(\.hits) },
      percent("accuracy %", key: "prefetch.accuracy", rank: 1) { $0.prefetch?.accuracy },
      percent("pollution %", rank: 2) { $0.ratio(\.pollution) },
      percent("traffic %", rank: 1) { $0.ratio(\.fetches) },
      percent("bytes by prefetch %", rank: 2) { $0.byteRatio(\.useful) },
      percent("byte accuracy %", rank: 2) { $0.prefetch?.bytes?.accuracy },
      percent("byte pollution %", rank: 3) { $0.byteRatio(\.pollution) },
      percent("byte traffic %", rank: 1) { $0.byteRatio(\.fetched) },
      percent("useless %", rank: 2) { $0.byteRatio(\.useless) },
      count("trainings", key: "learning.trainings", rank: 4) { $0.learning?.trainings },
      number("training s", key: "learning.trainingSeconds", rank: 4) {
        $0.learning?.trainingSeconds
      },
      number("prediction s", key: "learning.predictionSeconds", rank: 4) {
        $0.learning?.predictionSeconds
      },
      count("model bytes", key: "learning.modelBytes", rank: 4) { $0.learning?.modelBytes },
      count("feature bytes", key: "learning.featureBytes", rank: 4) { $0.learning?.featureBytes },
      latency("mean latency ms", .nanoseconds),
      latency("mean latency requests", .requests),
      percent("latency reduction %", key: "latencyReduction", rank: 1) { $0.latencyReduction },
      number("no policy below", rank: 1, "%.4f") { run in
        run.leastMeanLatency.map { run.inItsUnit($0) }
      },
      percent("delayed hits %", rank: 1) { run in
        run.latency.flatMap {
          run.requests > 0 ? Double($0.delayedHits) / Double(run.requests) : nil
        }
      },
      number("latency p50", key: "virtualLatency.p50", rank: 3, "%.10g") { $0.percentile(\.p50) },
      number("latency p99", key: "virtualLatency.p99", rank: 2, "%.10g") { $0.percentile(\.p99) },
      // A replay's table is wide, and its hits on several threads are no exact figure.
      count("hits", key: "hits") { $0.kind == .sweep ? $0.hits : nil },
      count("expired", key: "expirations", rank: 2) { $0.expirations > 0 ? $0.expirations : nil },
      number("seconds", key: "seconds") { $0.kind == .bounds ? $0.seconds : nil },
      number("instructions a request", rank: 1, "%.1f") { $0.instructionsPerRequest },
      // The speed of a simulation is not what it is run for, but for evict speed.
      ReportColumn("M requests/s", key: "requestsPerSecond") {
        $0.kind == .sweep && $0.speed == nil ? $0.throughputText : nil
      },
      ReportColumn("M requests/s", key: "requestsPerSecond", rank: 2) {
        $0.kind == .replay || $0.speed != nil ? $0.throughputText : nil
      },
      time("get p50 ns", key: "latency.operation.get.p50", rank: 2, spread: "get.p50") {
        $0.median("get.p50") ?? $0.latency?.get?.p50
      },
      time("get p99 ns", key: "latency.operation.get.p99", rank: 2, spread: "get.p99") {
        $0.median("get.p99") ?? $0.latency?.get?.p99
      },
      time("get p99.9 ns", key: "latency.operation.get.p999", rank: 3, spread: "get.p999") {
        $0.median("get.p999") ?? $0.latency?.get?.p999
      },
      percent("contended %", key: "contention.contendedRatio", rank: 3) {
        $0.replay?.contendedRatio
      },
      time("wait p99 ns", key: "contention.wait.p99") {
        $0.contention.flatMap { $0.contended > 0 ? $0.wait.p99 : nil }
      },
      time("wait p99.99 ns", key: "contention.wait.p9999", rank: 4) {
        $0.contention.flatMap { $0.wait.p9999 > 0 ? $0.wait.p9999 : nil }
      },
      time("wait max ns", key: "contention.wait.max", rank: 4) {
        $0.contention.flatMap { $0.contended > 0 ? $0.wait.max : nil }
      },
      time("hold p50 ns", key: "contention.hold.p50") { $0.contention?.hold.p50 },
    ] + instruments + disk + prefix
}

extension Measurement {
  /// A count of the prefetcher over the requests; nil without one.
  fileprivate func ratio(_ count: KeyPath<PrefetchCounts, Int> & Sendable) -> Double? {
    guard let prefetch, requests > 0 else { return nil }
    return Double(prefetch[keyPath: count]) / Double(requests)
  }

  /// Bytes of the prefetcher over those requested; nil without a prefetcher and without sizes.
  fileprivate func byteRatio(_ bytes: KeyPath<PrefetchBytes, Int> & Sendable) -> Double? {
    guard let all = prefetch?.bytes, all.requested > 0 else { return nil }
    return Double(all[keyPath: bytes]) / Double(all.requested)
  }

  /// A latency in the unit of its column: milliseconds, or requests.
  fileprivate func inItsUnit(_ value: Double) -> Double {
    latency?.unit == .nanoseconds ? value / 1e6 : value
  }

  /// A latency of the document, in the unit of its column.
  fileprivate func percentile(_ path: KeyPath<LatencyMeasures, Int> & Sendable) -> Double? {
    latency.map { inItsUnit(Double($0[keyPath: path])) }
  }

  /// The machine instructions of the run over its requests, those of its warm-up included; nil where none were counted.
  fileprivate var instructionsPerRequest: Double? {
    // A baseline of a gate has no times, by which those of a warm-up are known.
    guard let instructions = speed?.instructions, seconds > 0 else { return nil }
    let run = (seconds * requestsPerSecond).rounded()
    return run > 0 ? Double(instructions) / run : nil
  }
}

extension VariationSpread {
  /// Mean and standard deviation in percent: `11.36 ± 0.14`.
  var percentages: String { String(format: "%.2f ± %.2f", mean * 100, deviation * 100) }
}

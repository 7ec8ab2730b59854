import Foundation
import Parameters
import Rendering
import Results

/// A column of the reports that people read.
struct ReportColumn: Sendable {
  /// The title, unit included.
  let title: String
  /// Numbers meet on the right.
  let alignment: TextTable.Alignment
  /// The text of its cell; nil where a run does not have it. A column that no run has is left out.
  let text: @Sendable (Measurement) -> String?
  /// The exact value by which the largest is marked as best; nil for columns without a mark.
  let merit: (@Sendable (Measurement) -> Double?)?
  /// The member of the results document that stands in it; nil where it is more than one.
  let key: String?
  /// True if the column serves only to tell runs apart, and is left out where all say the same.
  let distinguishes: Bool
  /// True for sentences, which may take several lines.
  let isProse: Bool
  /// The order in which columns give way on a narrow screen. 0: what tells runs apart and the hit ratio,
  /// which stay; 1: what the experiment is for; 2: the plain replay's results; 3: comparisons and tails;
  /// 4: everything else.
  let rank: Int

  init(
    _ title: String, _ alignment: TextTable.Alignment = .right, key: String? = nil, rank: Int = 4,
    isProse: Bool = false, distinguishes: Bool = false,
    merit: (@Sendable (Measurement) -> Double?)? = nil,
    text: @escaping @Sendable (Measurement) -> String?
  ) {
    self.title = title
    self.alignment = alignment
    self.key = key
    self.rank = rank
    self.isProse = isProse
    self.distinguishes = distinguishes
    self.merit = merit
    self.text = text
  }

  /// Returns true if the column says anything about these runs.
  func isWanted(for measurements: [Measurement]) -> Bool {
    let texts = Set(measurements.map(text))
    return distinguishes ? texts.count > 1 : texts != [nil]
  }

  /// A share, as a percentage. Those of deterministic runs are exact, so their best is marked; times are
  /// not.
  private static func share(
    _ title: String, key: String, rank: Int,
    _ ratio: @escaping @Sendable (Measurement) -> Double?
  ) -> ReportColumn {
    ReportColumn(title, key: key, rank: rank, merit: ratio) { ratio($0).map(percent) }
  }

  /// A time of a replay's; one that its clock does not tell from nothing is only known to be shorter.
  static func time(
    _ title: String, key: String? = nil, rank: Int = 4,
    _ nanoseconds: @escaping @Sendable (Replay) -> Int?
  ) -> ReportColumn {
    ReportColumn(title, key: key, rank: rank) { measurement in
      guard let replay = measurement.replay, let time = nanoseconds(replay) else { return nil }
      let floor = replay.latency?.floor ?? 0
      return Double(time) < floor ? String(format: "< %.0f", floor.rounded(.up)) : "\(time)"
    }
  }

  private static func percent(_ ratio: Double) -> String { String(format: "%.2f", ratio * 100) }

  private static func millions(_ number: Double) -> String { String(format: "%.2f", number / 1e6) }

  /// Every column, in the order in which they stand.
  static let all: [ReportColumn] =
    [
      ReportColumn("capacity", key: "capacity", rank: 0) {
        $0.unit == .objects ? "\($0.capacity)" : nil
      },
      ReportColumn("blocks", key: "capacity", rank: 0) {
        $0.unit == .blocks ? "\($0.capacity)" : nil
      },
      ReportColumn("GiB", key: "bytes", rank: 0) {
        ($0.prefix?.bytes).map { String(format: "%.1f", Double($0) / 0x1p30) }
      },
      ReportColumn("capacity MiB", key: "capacity", rank: 0) {
        $0.unit == .bytes ? ByteCount.mebibytes($0.capacity) : nil
      },
      ReportColumn("policy", .left, rank: 0) { $0.policyLabel },
      ReportColumn("trace", .left, key: "trace", rank: 0, distinguishes: true) { $0.trace },
      ReportColumn("inline ≤", key: "disk.inlineThreshold", rank: 0) {
        ($0.disk?.setup.inlineThreshold).map { "\($0)" }
      },
      ReportColumn("page", key: "disk.pageSize", rank: 0, distinguishes: true) {
        ($0.disk?.setup.pageSize).map { "\($0)" }
      },
      ReportColumn("durability", .left, key: "disk.durability", rank: 0, distinguishes: true) {
        $0.disk?.setup.durability
      },
      ReportColumn("round", key: "disk.round", rank: 0, distinguishes: true) {
        ($0.disk?.setup.round).map { "\($0)" }
      },
      ReportColumn("seed", key: "seed", rank: 0, distinguishes: true) { "\($0.seed)" },
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
      share("token hit ratio %", key: "tokenHitRatio", rank: 0) { $0.prefix?.tokenHitRatio },
      share("mean of prompts %", key: "meanHitRatio", rank: 2) { $0.prefix?.meanHitRatio },
      share("block hit ratio %", key: "hitRatio", rank: 1) {
        $0.kind == .prefix ? $0.hitRatio : nil
      },
      share("hit ratio %", key: "hitRatio", rank: 0) {
        $0.kind == .bounds || $0.kind == .prefix ? nil : $0.hitRatio
      },
      share("byte hit ratio %", key: "byteHitRatio", rank: 1) {
        $0.kind == .bounds ? nil : $0.byteHitRatio
      },
      ReportColumn("hit ratio ≥ %", rank: 1) { ($0.hitRatioBounds?.lowerBound).map(percent) },
      ReportColumn("≤ %", rank: 1) { ($0.hitRatioBounds?.upperBound).map(percent) },
      ReportColumn("byte hit ratio ≥ %", rank: 1) {
        ($0.byteHitRatioBounds?.lowerBound).map(percent)
      },
      ReportColumn("≤ %", rank: 1) { ($0.byteHitRatioBounds?.upperBound).map(percent) },
      share("cost hit ratio %", key: "costHitRatio", rank: 1) { $0.costHitRatio },
      ReportColumn("miss reduction %", key: "missRatioReduction", rank: 3) {
        $0.missRatioReduction.map(percent)
      },
      ReportColumn("to MIN with bypass %", key: "distanceToOptimum", rank: 3) {
        $0.distanceToOptimum.map(percent)
      },
      // A replay's table is wide, and its hits on several threads are no exact figure.
      ReportColumn("hits", key: "hits", rank: 4) { $0.kind == .sweep ? "\($0.hits)" : nil },
      ReportColumn("expired", key: "expirations", rank: 2) {
        $0.expirations > 0 ? "\($0.expirations)" : nil
      },
      ReportColumn("seconds", key: "seconds") {
        $0.kind == .bounds ? String(format: "%.2f", $0.seconds) : nil
      },
      // The speed of a simulation is not what it is run for.
      ReportColumn("M requests/s", key: "requestsPerSecond", rank: 4) {
        $0.kind == .sweep ? millions($0.requestsPerSecond) : nil
      },
      ReportColumn("M requests/s", key: "requestsPerSecond", rank: 2) {
        $0.kind == .replay ? millions($0.requestsPerSecond) : nil
      },
      time("get p50 ns", key: "latency.operation.get.p50", rank: 2) {
        $0.median("get.p50") ?? $0.latency?.get?.p50
      },
      time("get p99 ns", key: "latency.operation.get.p99", rank: 2) {
        $0.median("get.p99") ?? $0.latency?.get?.p99
      },
      time("get p99.9 ns", key: "latency.operation.get.p999", rank: 3) {
        $0.median("get.p999") ?? $0.latency?.get?.p999
      },
      ReportColumn("contended %", key: "contention.contendedRatio", rank: 3) {
        $0.replay?.contendedRatio.map(percent)
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

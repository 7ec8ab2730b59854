import Foundation
import Parameters

/// A column of the reports that people read.
struct ReportColumn: Sendable {
  /// What stands above it, unit included.
  let title: String
  /// Numbers meet on the right.
  let alignment: TextTable.Alignment
  /// What stands in it; nil where a run does not have it. A column that no run has is left out.
  let text: @Sendable (Measurement) -> String?
  /// The exact value by which the largest is marked as best; nil for columns without a mark.
  let merit: (@Sendable (Measurement) -> Double?)?
  /// Whether the column serves only to tell runs apart, and is left out where all say the same.
  let distinguishes: Bool

  private init(
    _ title: String, _ alignment: TextTable.Alignment = .right, distinguishes: Bool = false,
    merit: (@Sendable (Measurement) -> Double?)? = nil,
    text: @escaping @Sendable (Measurement) -> String?
  ) {
    self.title = title
    self.alignment = alignment
    self.distinguishes = distinguishes
    self.merit = merit
    self.text = text
  }

  /// Whether the column says anything about these runs.
  func isWanted(for measurements: [Measurement]) -> Bool {
    let texts = Set(measurements.map(text))
    return distinguishes ? texts.count > 1 : texts != [nil]
  }

  /// A share, as a percentage. Shares are exact, so their best is marked; times are not.
  private static func share(
    _ title: String, _ ratio: @escaping @Sendable (Measurement) -> Double?
  ) -> ReportColumn {
    ReportColumn(title, merit: ratio) { ratio($0).map(percent) }
  }

  private static func microseconds(_ nanoseconds: Int) -> String {
    String(format: "%.1f", Double(nanoseconds) / 1e3)
  }

  private static func percent(_ ratio: Double) -> String { String(format: "%.2f", ratio * 100) }

  /// Every column, in the order in which they stand.
  static let all: [ReportColumn] = [
    ReportColumn("capacity") { $0.capacityLabel },
    ReportColumn("policy", .left) { $0.policyLabel },
    ReportColumn("inline ≤") { ($0.disk?.inlineThreshold).map { "\($0)" } },
    ReportColumn("page", distinguishes: true) { ($0.disk?.pageSize).map { "\($0)" } },
    ReportColumn("durability", .left, distinguishes: true) { $0.disk?.durability },
    ReportColumn("round", distinguishes: true) { ($0.disk?.round).map { "\($0)" } },
    ReportColumn("seed", distinguishes: true) { "\($0.seed)" },
    ReportColumn("system", .left) { $0.replay?.system },
    ReportColumn("lock", .left, distinguishes: true) { $0.replay?.lock },
    ReportColumn("threads") { ($0.replay?.threads).map { "\($0)" } },
    share("hit ratio %") { $0.kind == .bounds ? nil : $0.hitRatio },
    share("byte hit ratio %") { $0.kind == .bounds ? nil : $0.byteHitRatio },
    ReportColumn("hit ratio ≥ %") { ($0.hitRatioBounds?.lowerBound).map(percent) },
    ReportColumn("≤ %") { ($0.hitRatioBounds?.upperBound).map(percent) },
    ReportColumn("byte hit ratio ≥ %") { ($0.byteHitRatioBounds?.lowerBound).map(percent) },
    ReportColumn("≤ %") { ($0.byteHitRatioBounds?.upperBound).map(percent) },
    share("cost hit ratio %") { $0.costHitRatio },
    ReportColumn("miss reduction %") { $0.missRatioReduction.map(percent) },
    ReportColumn("to optimum %") { $0.distanceToOptimum.map(percent) },
    // A replay's table is wide, and its hits on several threads are no exact figure.
    ReportColumn("hits") { $0.kind == .sweep ? "\($0.hits)" : nil },
    ReportColumn("seconds") { $0.kind == .bounds ? String(format: "%.2f", $0.seconds) : nil },
    ReportColumn("requests/s") {
      $0.disk == nil ? nil : String(format: "%.0f", $0.requestsPerSecond)
    },
    ReportColumn("read p50 µs") { ($0.disk?.read?.p50).map(microseconds) },
    ReportColumn("p99") { ($0.disk?.read?.p99).map(microseconds) },
    ReportColumn("cold p50 µs") { ($0.disk?.coldRead?.p50).map(microseconds) },
    ReportColumn("write p50 µs") { ($0.disk?.write?.p50).map(microseconds) },
    ReportColumn("p99") { ($0.disk?.write?.p99).map(microseconds) },
    ReportColumn("replace p50 µs") { ($0.disk?.replace?.p50).map(microseconds) },
    ReportColumn("written/set") {
      ($0.disk?.writeAmplification).map { String(format: "%.2f", $0) }
    },
    ReportColumn("log KiB") { ($0.disk?.longestLog).map { "\($0 / 1_024)" } },
    ReportColumn("files") { ($0.disk?.files).map { "\($0)" } },
    ReportColumn("recovery ms") {
      ($0.disk?.recovery?.openSeconds).map { String(format: "%.1f", $0 * 1e3) }
    },
    ReportColumn("M requests/s") {
      $0.kind == .bounds || $0.kind == .disk
        ? nil : String(format: "%.2f", $0.requestsPerSecond / 1e6)
    },
    ReportColumn("get p50 ns") { ($0.replay?.latency?.get?.p50).map { "\($0)" } },
    ReportColumn("p99") { ($0.replay?.latency?.get?.p99).map { "\($0)" } },
    ReportColumn("p99.9") { ($0.replay?.latency?.get?.p999).map { "\($0)" } },
    ReportColumn("contended %") { ($0.replay?.contention?.contendedRatio).map(percent) },
    ReportColumn("wait p99 ns") { ($0.replay?.contention?.wait.p99).map { "\($0)" } },
    ReportColumn("hold p50 ns") { ($0.replay?.contention?.hold.p50).map { "\($0)" } },
  ]
}

extension Measurement {
  /// The capacity as one reads it: `1000`, `64MiB`, `1500B`.
  package var capacityLabel: String { Measurement.label(of: capacity, unit) }

  /// A capacity as one reads it.
  static func label(of capacity: Int, _ unit: Unit) -> String {
    if unit == .objects { return "\(capacity)" }
    let binary = ByteCount.units.filter { $0.suffix.contains("i") }.reversed()
    let unit = binary.first { capacity >= $0.bytes && capacity.isMultiple(of: $0.bytes) }
    return unit.map { "\(capacity / $0.bytes)\($0.suffix)" } ?? "\(capacity)B"
  }
}

import Foundation

extension ReportColumn {
  /// The columns of experiments on disk.
  static let disk: [ReportColumn] = [
    ReportColumn("requests/s", key: "requestsPerSecond", rank: 1) {
      $0.disk == nil ? nil : String(format: "%.0f", $0.requestsPerSecond)
    },
    ReportColumn("read p50 µs", rank: 2) { ($0.disk?.read?.p50).map(microseconds) },
    ReportColumn("read p99 µs", rank: 2) { ($0.disk?.read?.p99).map(microseconds) },
    ReportColumn("cold p50 µs", rank: 3) { ($0.disk?.coldRead?.p50).map(microseconds) },
    ReportColumn("write p50 µs", rank: 2) { ($0.disk?.write?.p50).map(microseconds) },
    ReportColumn("write p99 µs", rank: 3) { ($0.disk?.write?.p99).map(microseconds) },
    ReportColumn("replace p50 µs") { ($0.disk?.replace?.p50).map(microseconds) },
    ReportColumn("written/set") {
      ($0.disk?.writeAmplification).map { String(format: "%.2f", $0) }
    },
    ReportColumn("log KiB") { ($0.disk?.longestLog).map { "\($0 / 1_024)" } },
    ReportColumn("files") { ($0.disk?.files).map { "\($0)" } },
    ReportColumn("recovery ms", rank: 3) {
      ($0.disk?.recovery?.openSeconds).map { String(format: "%.1f", $0 * 1e3) }
    },
  ]

  private static func microseconds(_ nanoseconds: Int) -> String {
    String(format: "%.1f", Double(nanoseconds) / 1e3)
  }
}

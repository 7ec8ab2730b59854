import Foundation
import Parameters
import Results

extension ReportColumn {
  /// The columns that only caches of prefixes have.
  static let prefix: [ReportColumn] = [
    ReportColumn("M tokens saved", key: "hitTokens", rank: 2) {
      ($0.prefix?.hitTokens).map { String(format: "%.2f", Double($0) / 1e6) }
    },
    ReportColumn("speed-up", key: "speedup", rank: 2) {
      ($0.prefix?.speedup).map { String(format: "%.2f", $0) }
    },
    ReportColumn("in session %", key: "sessionHitRatio", rank: 2) {
      ($0.prefix?.sessionHitRatio).map { String(format: "%.2f", $0 * 100) }
    },
    ReportColumn("across sessions %", rank: 2) {
      ($0.prefix?.crossSessionHitRatio).map { String(format: "%.2f", $0 * 100) }
    },
    ReportColumn("tokens ≤ %", key: "tokenHitRatioBound", rank: 3) {
      ($0.prefix?.tokenHitRatioBound).map { String(format: "%.2f", $0 * 100) }
    },
    ReportColumn("orphans", key: "orphans", rank: 4) { measurement in
      measurement.prefix.flatMap { $0.setup.residency == .free ? "\($0.orphans)" : nil }
    },
  ]
}

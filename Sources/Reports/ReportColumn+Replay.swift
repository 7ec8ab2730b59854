import Foundation
import Results

extension ReportColumn {
  /// The columns of a replay with options beyond a plain one.
  static let instruments: [ReportColumn] =
    openLoop + spreads + cut + [
      ReportColumn("mark", .left, rank: 0) { $0.replay?.mark },
      ReportColumn("bytes/entry", rank: 3) { measurement in
        (measurement.replay?.systemUse?.bytesPerEntry).map { String(format: "%.0f", $0) }
      },
      ReportColumn("lru, as many %") { percentage($0.replay?.systemUse?.lruHitRatioAtResidents) },
      ReportColumn("lru, as much %") { percentage($0.replay?.systemUse?.lruHitRatioAtMemory) },
      ReportColumn("disk MiB") { measurement in
        (measurement.replay?.systemUse?.diskBytes).map {
          String(format: "%.1f", Double($0) / 1_048_576)
        }
      },
      ReportColumn("files") { ($0.replay?.systemUse?.files).map { "\($0)" } },
      ReportColumn("written ×") { number($0.replay?.systemUse?.writeAmplification) },
      ReportColumn("busiest shard ×") { number($0.replay?.contention?.shardSkew) },
      ReportColumn("CPU ns/request", rank: 3) { measurement in
        (measurement.replay?.resources?.cpuSeconds).map {
          String(format: "%.0f", $0 * 1e9 / Double(max(measurement.requests, 1)))
        }
      },
      ReportColumn("allocations", rank: 3) { ($0.replay?.resources?.allocations).map { "\($0)" } },
      ReportColumn("peak MiB", rank: 3) { measurement in
        (measurement.replay?.resources?.peakMemory).map {
          String(format: "%.1f", Double($0) / 1_048_576)
        }
      },
    ]

  private static let openLoop = [
    ReportColumn("pace", rank: 0) { $0.replay?.pace?.label },
    ReportColumn("offered M/s", rank: 3) { millions($0.replay?.pace?.offered) },
    ReportColumn("served M/s", rank: 3) { millions($0.replay?.pace?.achieved) },
    ReportColumn("overload", .left, rank: 2) {
      ($0.replay?.pace).map { $0.isOverload ? "yes" : "no" }
    },
    time("response p50 ns", rank: 1) { $0.median("response.p50") ?? $0.response?.whole.p50 },
    time("response p99 ns", rank: 1) { $0.median("response.p99") ?? $0.response?.whole.p99 },
    time("response p99.9 ns", rank: 3) {
      $0.median("response.p999") ?? $0.response?.whole.p999
    },
    ReportColumn("response grew ×") { number($0.replay?.response?.growth) },
    time("service p50 ns") { $0.median("service.p50") ?? $0.service?.whole.p50 },
    time("service p99 ns") { $0.median("service.p99") ?? $0.service?.whole.p99 },
    ReportColumn("service grew ×") { number($0.replay?.service?.growth) },
    ReportColumn("late p99 ns") { ($0.replay?.lateness?.p99).map { "\($0)" } },
    time("no cache p99 ns") { $0.median("idle.p99") ?? $0.idle?.p99 },
  ]

  /// Half of the interval of a figure's median over the repetitions, relative to it.
  private static let spreads =
    [
      ("requests/s ± %", "requestsPerSecond"), ("get p99 ± %", "get.p99"),
      ("response p99 ± %", "response.p99"),
    ].map { title, name in
      ReportColumn(title) { measurement in
        (measurement.replay?.repetitions?[name]?.relativeWidth).map {
          String(format: "%.1f", $0 * 100)
        }
      }
    } + [
      ReportColumn("contended ± points") { measurement in
        guard let figure = measurement.replay?.repetitions?["contendedRatio"] else { return nil }
        // One thread never waits.
        if figure.median == 0 { return nil }
        return figure.halfWidth.map { String(format: "%.1f", $0 * 100) }
      }
    ]

  private static let cut = [
    ReportColumn("cold hit ratio %", rank: 1) { percentage($0.replay?.cut?.cold.hitRatio) },
    ReportColumn("cold M/s") { millions($0.replay?.cut?.cold.requestsPerSecond) },
    ReportColumn("cold p99 ns") { ($0.replay?.cut?.cold.get?.p99).map { "\($0)" } },
    ReportColumn("post-fill hit ratio %", rank: 1) {
      percentage($0.replay?.cut?.postFill?.hitRatio)
    },
    ReportColumn("post-fill M/s") { millions($0.replay?.cut?.postFill?.requestsPerSecond) },
    ReportColumn("post-fill p99 ns") { ($0.replay?.cut?.postFill?.get?.p99).map { "\($0)" } },
  ]

  private static func number(_ value: Double?) -> String? {
    value.map { String(format: "%.2f", $0) }
  }

  private static func millions(_ value: Double?) -> String? {
    value.map { String(format: $0 < 1e4 ? "%.5f" : "%.3f", $0 / 1e6) }
  }

  private static func percentage(_ value: Double?) -> String? {
    value.map { String(format: "%.2f", $0 * 100) }
  }
}

extension Replay {
  /// The fraction of the acquisitions that were contended: the median of the repetitions.
  var contendedRatio: Double? {
    repetitions?["contendedRatio"]?.median ?? contention?.contendedRatio
  }

  /// `o` for an overload, `!` for a disturbed machine; nil for neither.
  var mark: String? {
    let marks = (pace?.isOverload == true ? "o" : "") + (disturbed.isEmpty ? "" : "!")
    return marks.isEmpty ? nil : marks
  }

  /// The number of threads, marked where they are more than the cores.
  var threadsLabel: String { isOversubscribed ? "\(threads) (oversubscribed)" : "\(threads)" }
}

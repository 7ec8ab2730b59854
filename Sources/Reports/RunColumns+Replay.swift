import Foundation
import Results

extension RunColumns {
  /// The columns of a replay with options beyond a plain one.
  static let instruments: [ReportColumn<Measurement>] =
    openLoop + spreads + cut + [
      ReportColumn("mark", .left, rank: 0) { $0.replay?.mark },
      number("bytes/entry", rank: 3, "%.0f") { $0.replay?.systemUse?.bytesPerEntry },
      percent("lru, as many %") { $0.replay?.systemUse?.lruHitRatioAtResidents },
      percent("lru, as much %") { $0.replay?.systemUse?.lruHitRatioAtMemory },
      mebibytes("disk MiB") { $0.systemUse?.diskBytes },
      count("files") { $0.replay?.systemUse?.files },
      number("written ×") { $0.replay?.systemUse?.writeAmplification },
      number("busiest shard ×") { $0.replay?.contention?.shardSkew },
      number("CPU ns/request", rank: 3, "%.0f") { measurement in
        (measurement.replay?.resources?.cpuSeconds).map {
          $0 * 1e9 / Double(max(measurement.requests, 1))
        }
      },
      count("allocations", rank: 3) { $0.replay?.resources?.allocations },
      mebibytes("peak MiB", rank: 3) { $0.resources?.peakMemory },
    ]

  private static let openLoop: [ReportColumn<Measurement>] = [
    ReportColumn("pace", rank: 0) { $0.replay?.pace?.label },
    millions("offered M/s", rank: 3) { $0.pace?.offered },
    millions("served M/s", rank: 3) { $0.pace?.achieved },
    ReportColumn("overload", .left, rank: 2) {
      ($0.replay?.pace).map { $0.isOverload ? "yes" : "no" }
    },
    time("response p50 ns", rank: 1, spread: "response.p50") {
      $0.median("response.p50") ?? $0.response?.whole.p50
    },
    time("response p99 ns", rank: 1, spread: "response.p99") {
      $0.median("response.p99") ?? $0.response?.whole.p99
    },
    time("response p99.9 ns", rank: 3, spread: "response.p999") {
      $0.median("response.p999") ?? $0.response?.whole.p999
    },
    number("response grew ×") { $0.replay?.response?.growth },
    time("service p50 ns") { $0.median("service.p50") ?? $0.service?.whole.p50 },
    time("service p99 ns") { $0.median("service.p99") ?? $0.service?.whole.p99 },
    number("service grew ×") { $0.replay?.service?.growth },
    count("late p99 ns") { $0.replay?.lateness?.p99 },
    time("no cache p99 ns") { $0.median("idle.p99") ?? $0.idle?.p99 },
  ]

  /// Half of the interval of a figure's median over the repetitions, relative to it.
  private static let spreads: [ReportColumn<Measurement>] =
    [
      ("requests/s ± %", "requestsPerSecond"), ("get p99 ± %", "get.p99"),
      ("response p99 ± %", "response.p99"),
    ].map { title, name in
      number(title, "%.1f") { run in
        (run.replay?.repetitions?[name]?.relativeWidth).map { $0 * 100 }
      }
    } + [
      number("contended ± points", "%.1f") { run in
        // One thread never waits.
        let figure = run.replay?.repetitions?["contendedRatio"]
        return figure?.median == 0 ? nil : (figure?.halfWidth).map { $0 * 100 }
      }
    ]

  private static let cut: [ReportColumn<Measurement>] = [
    percent("cold hit ratio %", rank: 1) { $0.replay?.cut?.cold.hitRatio },
    millions("cold M/s") { $0.cut?.cold.requestsPerSecond },
    count("cold p99 ns") { $0.replay?.cut?.cold.get?.p99 },
    percent("post-fill hit ratio %", rank: 1) { $0.replay?.cut?.postFill?.hitRatio },
    millions("post-fill M/s") { $0.cut?.postFill?.requestsPerSecond },
    count("post-fill p99 ns") { $0.replay?.cut?.postFill?.get?.p99 },
  ]

  private static func mebibytes(
    _ title: String, rank: Int = 4, _ bytes: @escaping @Sendable (Replay) -> Int?
  ) -> ReportColumn<Measurement> {
    number(title, rank: rank, "%.1f") { $0.replay.flatMap(bytes).map { Double($0) / 1_048_576 } }
  }

  private static func millions(
    _ title: String, rank: Int = 4, _ value: @escaping @Sendable (Replay) -> Double?
  ) -> ReportColumn<Measurement> {
    ReportColumn(title, rank: rank) {
      $0.replay.flatMap(value).map { String(format: $0 < 1e4 ? "%.5f" : "%.3f", $0 / 1e6) }
    }
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

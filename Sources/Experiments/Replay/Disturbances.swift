import CacheReplay
import Foundation
import Results
import Runner

/// The limits beyond which a replay's figures are not those of the cache alone.
package enum Disturbances {
  /// The fraction of the time in which all clients run.
  static let leastOverlap = 0.9
  /// The disagreement of the processor's counter and the monotonic clock.
  static let mostDrift = 0.001
  /// The change of the processors' frequency.
  static let mostChange = 0.1
  /// The time that the clock around operations adds, or the meters around locks.
  static let mostMeasuring = 0.25
  /// The response p99 of a cache that does nothing, as a fraction of the cache's.
  static let mostIdle = 0.5
  /// Half of the interval of the requests a second, as a fraction of them.
  static let mostUnsettled = 0.25
  /// The time of all passes below which nothing is known of the machine, in seconds.
  static let shortest = 0.01

  /// The limits that a replay is beyond, each as `overlap: 41 % (at least 90 %)`; none for a quiet one.
  package static func found(in replay: Replay) -> [String] {
    guard let machine = replay.machine else { return [] }
    if machine.seconds < shortest {
      return [
        String(
          format: "short: %.1f ms in all passes (at least %.0f ms)", machine.seconds * 1e3,
          shortest * 1e3)
      ]
    }
    var found: [String] = []
    func limit(_ name: String, _ value: Double?, _ limit: Double, isLeast: Bool = false) {
      guard let value, isLeast ? value < limit : value > limit else { return }
      let digits = limit < 0.01 ? "%@: %.2f %% (%@ %.2g %%)" : "%@: %.0f %% (%@ %.0f %%)"
      found.append(
        String(
          format: digits, name, value * 100, isLeast ? "at least" : "at most", limit * 100))
    }
    if !replay.isOversubscribed {
      limit("overlap", machine.overlap, leastOverlap, isLeast: true)
      limit("waiting", machine.waiting, MachineLimits.mostWaiting)
    }
    limit("hiccups", machine.hiccups, MachineLimits.mostHiccups)
    limit("steal", machine.steal, MachineLimits.mostSteal)
    limit("clock", machine.clockDrift, mostDrift)
    limit(
      "frequency", machine.frequency.map { 1 - $0.lowerBound / max($0.upperBound, 1) }, mostChange)
    limit("timing", replay.latency?.slowdown, mostMeasuring)
    limit("metering", replay.contention?.slowdown, mostMeasuring)
    limit(
      "unsettled", replay.repetitions?["requestsPerSecond"]?.relativeWidth, mostUnsettled)
    if let idle = replay.median("idle.p99") ?? replay.idle?.p99,
      let response = replay.median("response.p99") ?? replay.response?.whole.p99, response > 0
    {
      limit("no cache", Double(idle) / Double(response), mostIdle)
    }
    return found
  }
}

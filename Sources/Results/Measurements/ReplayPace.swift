/// The pace at which the requests of a replay start.
package enum ReplayPace: Sendable, Hashable {
  /// A thread makes its next request when it is done with its last: a closed loop, which slows down with
  /// the cache, and so never shows how long users would wait.
  case closed
  /// A number of requests a second from all threads together, whether the cache keeps up or not.
  case rate(Double)
  /// This fraction of the cell's bare throughput, which is measured first.
  case capacityShare(Double)
  /// At the trace's own times, faster by a factor.
  case trace(speed: Double)

  /// The form on the command line: `closed`, `100000`, `120%`, `trace`, `trace:10`.
  package var label: String {
    switch self {
    case .closed: "closed"
    case .rate(let rate): ReplayPace.number(rate)
    case .capacityShare(let share): "\(ReplayPace.number(share * 100))%"
    case .trace(1): "trace"
    case .trace(let speed): "trace:\(ReplayPace.number(speed))"
    }
  }

  private static func number(_ value: Double) -> String {
    let rounded = (value * 1e6).rounded() / 1e6
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}

/// The distribution of arrivals in time: those at a rate, and those that a trace's clock cannot tell apart.
package enum ArrivalModel: String, Sendable, CaseIterable, JSONValue {
  /// At a rate, a Poisson process: independent users. Within a tick of the trace's clock, at independent
  /// moments, each as likely as any other.
  case poisson
  /// At equal distances, at a rate as within a tick.
  case uniform
}

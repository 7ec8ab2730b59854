import Foundation

/// What a reader must know of replays beside the figures.
enum ReplayNotes {
  /// One line for each thing, where it holds for any of these runs.
  static func lines(for measurements: [Measurement]) -> [String] {
    let replays = measurements.compactMap(\.replay)
    return [
      timing(replays), repetitions(replays), arrivals(replays), overload(replays), cut(replays),
      oversubscription(replays),
    ].compactMap { $0 }
  }

  private static func timing(_ replays: [Replay]) -> String? {
    let sampled = replays.filter { ($0.latency?.sample ?? 1) > 1 }
    guard let latency = sampled.first?.latency, let sample = latency.sample else { return nil }
    let slowdowns = sampled.compactMap(\.latency?.slowdown).sorted()
    let slowdown =
      slowdowns.isEmpty
      ? ""
      : String(
        format: "; the timed runs took %.1f %% longer than the bare ones (median)",
        slowdowns[slowdowns.count / 2] * 100)
    return "One request in \(sample) is timed; "
      + String(format: "the clock's %.0f ns are in every time", latency.timerOverhead) + slowdown
      + "."
  }

  private static func repetitions(_ replays: [Replay]) -> String? {
    guard let count = replays.compactMap(\.repetitions?.count).max() else { return nil }
    return
      "\(count) repetitions; ± is half of Student's 95 % interval for the mean of their figures; "
      + "latencies are of all repetitions together."
  }

  private static func arrivals(_ replays: [Replay]) -> String? {
    guard let pace = replays.lazy.compactMap(\.pace).first else { return nil }
    var line = "Response times count from the intended start; "
    if let tick = pace.tick, let perReading = pace.requestsPerReading {
      line += "the trace's clock ticks every \(tick) ns"
      line += String(format: ", with %.2f requests at a reading", perReading)
      if perReading > 1 { line += ", spread over the tick (\(pace.arrivals.rawValue))" }
    } else {
      line += "arrivals are \(pace.arrivals.rawValue)"
    }
    return line + "; late: what the generator adds while it waits; "
      + "grew: the last quarter's median over the first's."
  }

  private static func overload(_ replays: [Replay]) -> String? {
    guard replays.contains(where: { $0.pace?.isOverload == true }) else { return nil }
    return
      "Overload: more is offered than served, so the queue and the response times grow until the "
      + "trace ends; service times do not."
  }

  private static func cut(_ replays: [Replay]) -> String? {
    guard replays.contains(where: { $0.cut?.postFill == nil && $0.cut != nil }) else { return nil }
    return "A cache that was not full at the cut has no post-fill figures; cut later (--cut)."
  }

  private static func oversubscription(_ replays: [Replay]) -> String? {
    guard replays.contains(where: \.isOversubscribed) else { return nil }
    return "Oversubscribed: more threads than cores, which take turns; this is no scaling."
  }
}

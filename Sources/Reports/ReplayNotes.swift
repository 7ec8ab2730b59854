import Foundation
import Results

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
    let latencies = replays.compactMap(\.latency)
    guard let overhead = median(latencies.map(\.timerOverhead)) else { return nil }
    var line = String(format: "The clock's %.0f ns are in every time", overhead)
    if let sample = latencies.compactMap(\.sample).max(), sample > 1 {
      line += "; one request in \(sample) is timed"
    }
    if let slowdown = median(latencies.compactMap(\.slowdown)) {
      line +=
        String(format: "; the timed runs took %.1f %% ", abs(slowdown) * 100)
        + (slowdown < 0 ? "less" : "longer") + " than the bare ones (median)"
    }
    return line + "."
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
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
    return line + "; late: what the generator adds to them by waking up late and by recording; "
      + "grew: the last quarter's median over the first's."
  }

  private static func overload(_ replays: [Replay]) -> String? {
    let overloads = replays.filter { $0.pace?.isOverload == true }
    if overloads.isEmpty { return nil }
    return
      "Overload: more is offered than served, so the queue and the response times grow until the "
      + "trace ends" + services(overloads.compactMap { $0.service?.growth })
  }

  /// What became of the service times meanwhile.
  private static func services(_ growths: [Double]) -> String {
    guard let least = growths.min(), let most = growths.max() else { return "." }
    if least > 0.9 && most < 1.1 { return "; service times do not." }
    let range = String(format: least == most ? "%.2f" : "%.2f to %.2f", least, most)
    return "; the median service time of the last quarter is \(range) times the first's."
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

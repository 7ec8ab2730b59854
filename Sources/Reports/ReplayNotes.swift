import Foundation
import Results

/// The notes on replays beside the metrics.
enum ReplayNotes {
  /// One line for each thing, where it holds for any of these runs.
  static func lines(for measurements: [Measurement]) -> [String] {
    let replays = measurements.compactMap(\.replay)
    return [
      timing(replays), metering(replays), repetitions(replays), disturbances(replays),
      arrivals(replays), overload(replays), cut(replays), oversubscription(replays),
      fullOfEqualCosts(measurements), orders(measurements), trainings(measurements),
    ].compactMap { $0 }
  }

  private static func timing(_ replays: [Replay]) -> String? {
    let latencies = replays.compactMap(\.latency)
    guard let overhead = median(latencies.map(\.timerOverhead)) else { return nil }
    var line = String(format: "The clock's %.0f ns are in every time", overhead)
    if let clock = latencies.lazy.compactMap(\.clock).first {
      line = String(
        format: "The clock's %.0f ns are taken off every time; it steps by %.3g ns", overhead,
        clock.resolution)
    }
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

  private static func metering(_ replays: [Replay]) -> String? {
    let contentions = replays.compactMap(\.contention)
    let slowdown = median(contentions.compactMap(\.slowdown)).map {
      String(format: "The runs with metered locks took %.1f %% ", abs($0) * 100)
        + ($0 < 0 ? "less" : "longer") + " than the bare ones (median)."
    }
    let counted =
      contentions.contains { $0.criterion == .takersPresent }
      ? "Queues have no try-lock: contended is who comes while another one is inside or waiting."
      : nil
    let lines = [slowdown, counted].compactMap(\.self)
    return lines.isEmpty ? nil : lines.joined(separator: " ")
  }

  /// The limits that were passed, each with an example; nil where none was.
  static func disturbances(_ replays: [Replay]) -> String? {
    let disturbed = replays.filter { !$0.disturbed.isEmpty }
    if disturbed.isEmpty { return nil }
    var reasons: [(name: Substring, text: String)] = []
    for text in disturbed.flatMap(\.disturbed) {
      let name = text.prefix { $0 != ":" }
      if !reasons.contains(where: { $0.name == name }) { reasons.append((name, text)) }
    }
    return "Disturbed (!): \(disturbed.count) of \(replays.count) runs, such as "
      + reasons.map(\.text).joined(separator: "; ") + "."
  }

  /// The trainings that ran beside the requests; nil where none did.
  private static func trainings(_ measurements: [Measurement]) -> String? {
    let beside = measurements.filter { $0.learning?.isBeside == true }
    if beside.isEmpty { return nil }
    func sum(_ count: KeyPath<LearningMeasures, Int>) -> Int {
      beside.reduce(0) { $0 + ($1.learning?[keyPath: count] ?? 0) }
    }
    return
      "\(beside.map(\.policyLabel).unique.joined(separator: ", ")) trained beside the requests: "
      + "\(sum(\.begunTrainings)) trainings began, \(sum(\.trainings)) ended in time, "
      + "\(sum(\.skippedTrainings)) came while one was under way and fell out; hits may differ between runs."
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  private static func repetitions(_ replays: [Replay]) -> String? {
    guard let count = replays.compactMap(\.repetitions?.count).max() else { return nil }
    let least = replays.compactMap(\.repetitions?.count).min() ?? count
    let isMedian = replays.contains {
      $0.repetitions?.figures.contains { $0.median != nil } == true
    }
    let range = least < count ? "\(least) to \(count)" : "\(count)"
    return isMedian
      ? "\(range) repetitions: medians, ± half of their 95 % interval; wait and hold are of "
        + "all repetitions together."
      : "\(range) repetitions; ± is half of Student's 95 % interval for the mean of their figures; "
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
    line +=
      "; late: what the generator adds to them by waking up late and by recording; "
      + "grew: the last quarter's median over the first's"
    if replays.contains(where: { $0.idle != nil }) {
      line += "; no cache: responses of a cache that does nothing, at the same schedule"
    }
    return line + "."
  }

  private static func overload(_ replays: [Replay]) -> String? {
    let overloads = replays.filter { $0.pace?.isOverload == true }
    if overloads.isEmpty { return nil }
    return
      "Overload (o): more is offered than served, so the queue and the response times grow until the "
      + "trace ends" + services(overloads.compactMap { $0.service?.growth })
  }

  /// Returns the change of the service times meanwhile.
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

  /// A line for Foundation's cache on Linux, whose hits without sizes are those of the objects that came first.
  private static func fullOfEqualCosts(_ measurements: [Measurement]) -> String? {
    let isThere = measurements.contains { measurement in
      guard let system = measurement.replay?.system, measurement.byteHitRatio == nil else {
        return false
      }
      return ["nscache", "sdwebimage"].contains(system.prefix { $0 != ":" })
    }
    if !isThere { return nil }
    return
      "On Linux, Foundation's NSCache (nscache, and the memory of sdwebimage) admits nothing while "
      + "it is full of equal costs: its hits are those of the objects that came first."
  }

  /// The smallest change of a hit ratio that is worth a word.
  private static let leastChange = 0.001

  /// The conditions of a replay, beside the threads, that its hits depend on.
  private struct Conditions: Hashable {
    let trace: String
    let capacity: String
    let contender: String
    let lock: String
    let reads: String

    init(_ measurement: Measurement, _ replay: Replay) {
      trace = measurement.trace
      capacity = measurement.capacityLabel
      contender = measurement.contender
      lock = replay.lock
      reads = replay.reads
    }
  }

  /// A line where hits change with the number of threads, with the row in which they change most.
  private static func orders(_ measurements: [Measurement]) -> String? {
    var alone: [Conditions: Double] = [:]
    for measurement in measurements {
      guard let replay = measurement.replay, replay.threads == 1 else { continue }
      alone[Conditions(measurement, replay)] = measurement.hitRatio
    }
    var most:
      (change: Double, measurement: Measurement, threads: Int, before: Double, after: Double)?
    for measurement in measurements {
      guard let replay = measurement.replay, replay.threads > 1, let after = measurement.hitRatio,
        let before = alone[Conditions(measurement, replay)]
      else { continue }
      let change = abs(after - before)
      if change >= leastChange && change > most?.change ?? 0 {
        most = (change, measurement, replay.threads, before, after)
      }
    }
    return most.map {
      String(
        format:
          "Hits change with the threads, as requests of several reach the cache in another order, and a "
          + "policy may depend on which neighbours come first: most for %@ at %@, %.2f %% with 1 thread and "
          + "%.2f %% with %d.",
        $0.measurement.contender, $0.measurement.capacityLabel, $0.before * 100, $0.after * 100,
        $0.threads)
        + byOrderAlone($0.measurement)
    }
  }

  /// The hit ratios between which that policy lies in orders alone, in a sentence.
  private static func byOrderAlone(_ measurement: Measurement) -> String {
    guard let range = measurement.replay?.hitRatiosOfOrders else { return "" }
    return String(
      format: " By the order alone in which two threads may reach it, from %.2f to %.2f %%.",
      range.lowerBound * 100, range.upperBound * 100)
  }

  private static func oversubscription(_ replays: [Replay]) -> String? {
    guard replays.contains(where: \.isOversubscribed) else { return nil }
    return "Oversubscribed: more threads than cores, which take turns; this is no scaling."
  }
}

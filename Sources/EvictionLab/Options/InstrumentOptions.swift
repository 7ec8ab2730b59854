import ArgumentParser
import CacheReplay
import Experiments
import Runner
import Traces

/// The instruments of a replay.
struct InstrumentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time for each cell and instrument. (default: 2s)", valueName: "time"))
  var time: TimeSpan?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Repetitions of each cell, instead of --time.",
      valueName: "n"))
  var repetitions: Count?

  @Option(
    help: ArgumentHelp(
      """
      Time one request in n, at random, so that the clock disturbs less. (default: 1; 2 to 16 from 20 000 \
      requests on)
      """, valueName: "n", visibility: .detail))
  var sample: Count?

  @Option(
    help: ArgumentHelp(
      """
      Report what comes before and after n requests apart; fill cuts where the capacity is exceeded for \
      the first time. An open loop's latencies are not cut.
      """, valueName: "n|fill", visibility: .detail))
  var cut: CutArgument?

  @Flag(
    help: ArgumentHelp(
      "Measure processor time, allocations and peak memory of each run.", visibility: .detail))
  var resources = false

  @Option(
    help: ArgumentHelp(
      "Write every distribution to this folder, as HdrHistogram's .hgrm files (nanoseconds).",
      valueName: "folder", visibility: .detail))
  var histograms: String?

  func validate() throws {
    if time != nil && repetitions != nil {
      throw ValidationError("--time and --repeat exclude each other; give one of them")
    }
    if let time, !(1...3_600_000_000_000).contains(time.nanoseconds) {
      throw ValidationError("--time is from 1ns to 1h")
    }
    if let repetitions, !(1...10_000).contains(repetitions.value) {
      throw ValidationError("--repeat \(repetitions) measures nothing; give 1 to 10000")
    }
    if let sample, !(1...1_000_000).contains(sample.value) {
      throw ValidationError("--sample \(sample) times nothing; give 1 to 1000000")
    }
  }

  /// The rounds of each cell; a disturbed one is repeated once.
  var rounds: ReplayRounds {
    if let repetitions { return .exactly(repetitions.value, repeatsDisturbed: true) }
    return .lasting(seconds: time.map { Double($0.nanoseconds) / 1e9 } ?? 2)
  }

  /// Says which traces the cut leaves whole.
  func noteCut(of traces: [Trace], warmup: Int) {
    guard case .requests(let count) = cut?.cut else { return }
    let whole = traces.filter { count <= warmup || count >= $0.requests }.map(\.name)
    if whole.isEmpty { return }
    StandardError.say(
      "--cut \(count) does not cut \(whole.joined(separator: ", ")); give more than the warm-up and fewer "
        + "than all requests")
  }

  /// The folder for the histograms, which is not made yet; nil for none.
  func histogramFolder(inputs: [String]) throws(TraceError) -> HistogramFolder? {
    try histograms.map { path throws(TraceError) in
      try HistogramFolder(path: path, inputs: inputs)
    }
  }
}

/// The cut of a run: `200000`, `fill`.
struct CutArgument: RangedArgument {
  static let valueName = "n|fill"
  static let range = "1 or more requests, or fill"

  let cut: ReplayCut

  init?(argument: String) {
    if argument == "fill" {
      cut = .fill
    } else if let count = Count(argument: argument)?.value, count > 0 {
      cut = .requests(count)
    } else {
      return nil
    }
  }
}

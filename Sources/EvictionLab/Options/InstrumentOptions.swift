import ArgumentParser
import CacheReplay
import Traces

/// The instruments of a replay.
struct InstrumentOptions: ParsableArguments {
  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Repetitions of each cell, in turns; more than one give 95 % intervals.", valueName: "n"))
  var repetitions = Count(1)

  @Option(
    help: ArgumentHelp(
      """
      Time one request in n, at random, so that the clock disturbs less. (default: 1; 2 to 16 from 100 000 \
      requests on)
      """, valueName: "n"))
  var sample: Count?

  @Option(
    help: ArgumentHelp(
      """
      Report what comes before and after n requests apart; fill cuts where the capacity is exceeded for \
      the first time. An open loop's latencies are not cut.
      """, valueName: "n|fill"))
  var cut: CutArgument?

  @Flag(help: "Measure processor time, allocations and peak memory of each run.")
  var resources = false

  @Option(
    help: ArgumentHelp(
      "Write every distribution to this folder, as HdrHistogram's .hgrm files (nanoseconds).",
      valueName: "folder"))
  var histograms: String?

  func validate() throws {
    if !(1...10_000).contains(repetitions.value) {
      throw ValidationError("--repeat \(repetitions) measures nothing; give 1 to 10000")
    }
    if let sample, !(1...1_000_000).contains(sample.value) {
      throw ValidationError("--sample \(sample) times nothing; give 1 to 1000000")
    }
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
  func histogramFolder() throws(TraceError) -> HistogramFolder? {
    try histograms.map { path throws(TraceError) in try HistogramFolder(path: path) }
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

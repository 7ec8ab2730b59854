import ArgumentParser
import Parameters
import Results
import Traces

/// The arrivals of a replay's requests, and the penalty of a miss.
struct ArrivalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Open loop: requests a second, or % of the throughput.", valueName: "list"))
  var rate: [String] = []

  @Option(
    help: ArgumentHelp(
      "Open loop at the trace's own times: trace, or trace:10 for ten times as fast.",
      valueName: "list", visibility: .detail))
  var pace: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Distribution of arrival times, poisson (the default) or uniform (equal distances); also spreads \
      requests within one tick of the trace's clock.
      """, valueName: "name", visibility: .detail))
  var arrivals: ArrivalModel?

  @Option(
    help: ArgumentHelp(
      """
      What a miss waits outside the lock before its set: 2ms sleeps, as for a disk (some 60 µs longer); \
      spin:5us keeps the core, as for a computation.
      """, valueName: "penalty", visibility: .detail))
  var missPenalty: MissPenaltyArgument?

  /// The paces, each once; by default a closed loop.
  func paces() throws(ValidationError) -> [ReplayPace] {
    let paces =
      try rate.numberWords().map(ArrivalOptions.rate) + pace.words.map(ArrivalOptions.pace)
    return paces.isEmpty ? [.closed] : paces.unique
  }

  /// The columns of a trace that its own pace needs.
  var columns: TraceColumns { pace.isEmpty ? [] : .times }

  /// Refuses traces without times for --pace.
  func check(_ traces: [Trace]) throws(TraceError) {
    if pace.isEmpty { return }
    for trace in traces {
      let remedy = "give --rate instead of --pace"
      guard let times = trace.times else {
        throw .lacking(trace: trace.name, column: "times", remedy: remedy)
      }
      let first = times.withUnsafeBufferPointer { $0.first }
      let differ = times.withUnsafeBufferPointer { $0.contains { $0 != first } }
      if !differ { throw .lacking(trace: trace.name, column: "times that differ", remedy: remedy) }
    }
  }

  func validate() throws {
    _ = try paces()
    if arrivals != nil && rate.isEmpty && pace.isEmpty {
      throw ValidationError("--arrivals is for an open loop; give --rate or --pace")
    }
  }

  /// From one request in 1000 seconds to one in a nanosecond.
  private static let rates = 0.001...1e9

  private static func rate(_ word: String) throws(ValidationError) -> ReplayPace {
    let isPercentage = word.hasSuffix("%")
    guard let number = Fraction(parsing: word.dropLast(isPercentage ? 1 : 0))?.double,
      isPercentage ? (0.001...1e6).contains(number) : rates.contains(number)
    else {
      throw ValidationError(
        "“\(word)” is no rate; give requests a second (100000) or a percentage of the capacity (120%)"
      )
    }
    return isPercentage ? .capacityShare(number / 100) : .rate(number)
  }

  private static func pace(_ word: String) throws(ValidationError) -> ReplayPace {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let speed = parts.count == 2 ? Fraction(parsing: parts[1])?.double : 1
    guard parts.first == "trace", let speed, (1e-6...1e9).contains(speed) else {
      throw ValidationError(
        "“\(word)” is no pace; give trace, or trace:10 for ten times as fast (--rate for a rate)")
    }
    return .trace(speed: speed)
  }
}

extension ArrivalModel: ExpressibleByArgument {}

/// A miss penalty on the command line: `2ms`, `sleep:2ms`, `spin:5us`.
struct MissPenaltyArgument: RangedArgument {
  static let valueName = "penalty"
  static let range = "1ns to 1h, such as 2ms or spin:5us"

  let penalty: MissPenalty

  /// The longest, an hour.
  private static let longest: Int64 = 3_600_000_000_000

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let wait = parts.count == 2 ? MissPenalty.Wait(rawValue: String(parts[0])) : .sleep,
      let time = parts.last.flatMap({ TimeSpan(argument: String($0)) }),
      (1...MissPenaltyArgument.longest).contains(time.nanoseconds)
    else { return nil }
    penalty = MissPenalty(nanoseconds: Int(time.nanoseconds), wait: wait)
  }
}

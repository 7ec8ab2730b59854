import ArgumentParser
import Foundation
import Traces

/// `evict trace sample`: a part of a trace.
struct TraceSampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Write a part of a trace: of its keys, its beginning, a window of time.",
    usage: "evict trace sample <trace> ... --output <file> [<options>]",
    discussion: """
      Examples:
        evict trace sample traces/orders.txt.zst --rate 0.1 --output tenth.txt
        evict trace sample traces/build.csv.zst --first 10000 --output first.evtrace

      Keys are sampled by their hashes, each with all its requests or none (SHARDS, Waldspurger et \
      al., FAST 2015). Options combine: first the window, then its first requests, then their keys.
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var output: TraceOutputOptions

  @Option(
    help: ArgumentHelp("The fraction of the keys to keep, such as 0.01.", valueName: "fraction"))
  var rate: Rate?

  @Option(help: ArgumentHelp("The most keys to keep.", valueName: "n"))
  var keys: Count?

  @Option(help: ArgumentHelp("Keep only the first requests.", valueName: "n"))
  var first: Count?

  @Option(
    help: ArgumentHelp(
      "Keep requests from this time on, after the first request's: 90 (seconds), 5min, 1.5h.",
      valueName: "time"))
  var from: TimeSpan?

  @Option(help: ArgumentHelp("Keep requests until before this time.", valueName: "time"))
  var to: TimeSpan?

  @Option(help: ArgumentHelp("Varies the hash: another sample of keys.", valueName: "n"))
  var seed = Count(42)

  /// The window of time that is kept; nil for all of it.
  private var window: Range<Int64>? {
    if from == nil && to == nil { return nil }
    let start = from?.nanoseconds ?? .min
    return start..<max(start, to?.nanoseconds ?? .max)
  }

  func validate() throws {
    if rate == nil && keys == nil && first == nil && window == nil {
      throw ValidationError("nothing to leave out; give --rate, --keys, --first, --from or --to")
    }
    if rate != nil && keys != nil { throw ValidationError("give --rate or --keys, not both") }
    for (name, count) in [("keys", keys), ("first", first)] {
      if let count, count.value < 1 {
        throw ValidationError("--\(name) \(count) keeps nothing; give 1 or more")
      }
    }
    if window?.isEmpty == true { throw ValidationError("--from is not before --to") }
  }

  func run() throws {
    Interruption.install()
    try output.check(inputs: traces.files)
    var trace = try traces.loadJoined(
      columns: output.columns(), first: window == nil ? first?.value : nil)
    if let window { trace = try trace.window(window) }
    if let first { trace = trace.prefix(first.value) }
    let sampling = rate.map { KeySampling.rate($0.fraction) } ?? keys.map { .keys($0.value) }
    guard let sampling else {
      try output.write(trace)
      return StandardError.say(
        "kept \(trace.requests) requests for \(trace.distinct) keys; they are all there, so no "
          + "sampling error is estimated")
    }
    let sample = try trace.sample(sampling, seed: UInt64(bitPattern: Int64(seed.value)))
    try output.write(sample.trace)
    sample.summary(of: trace).forEach(StandardError.say)
  }
}

extension KeySample {
  /// The size of the sample, and the error of a hit ratio that is estimated from it.
  fileprivate func summary(of source: Trace) -> [String] {
    [
      "kept \(trace.requests) of \(source.requests) requests, \(trace.distinct) of "
        + "\(source.distinct) keys: R = \(String(format: "%.3g", rate)); "
        + "simulate R times the capacity",
      "a hit ratio estimated from it has a standard error of about "
        + "\(String(format: "%.2g", standardError)) = √((1 − R) / 4n), n = "
        + "\(String(format: "%.0f", effectiveKeys)): the sampled keys are worth as many equally "
        + "popular ones; it has \(String(format: "%.2f", requestsRatio)) times the requests "
        + "expected",
    ]
  }
}

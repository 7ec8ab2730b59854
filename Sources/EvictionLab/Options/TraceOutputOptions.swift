import ArgumentParser
import Foundation
import Traces

/// The destination of a trace.
struct TraceOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file; its name says the format, and .zst packs it; - is standard output.",
      valueName: "file"))
  var output: String

  private var place: String { output == "-" ? "standard output" : output }

  /// Refuses what could not be written, or whose loss would hurt, before the work is done in vain.
  func check(format: String? = nil, inputs: [String] = []) throws(TraceError) {
    try OutputFile.check(output, .trace, inputs: inputs)
    _ = try TraceWriter.format(format, path: output)
  }

  /// The columns that are read: everything that can be written, or is said to be left out.
  func columns(format: String? = nil) throws(TraceError) -> TraceColumns {
    .all.union(TraceWriter.columns(of: try TraceWriter.format(format, path: output)))
  }

  /// Writes a trace, whole or not at all, and says what was written and what was left out.
  func write(_ trace: Trace, format: String? = nil) throws(TraceError) {
    let name = try TraceWriter.format(format, path: output)
    let lost = trace.columns.subtracting(TraceWriter.columns(of: name))
    try write(requests: trace.requests, as: name) { progress throws(TraceError) in
      try TraceWriter.write(trace, to: output, format: name, progress: progress)
    }
    if lost.isEmpty { return }
    StandardError.say(
      "\(place): left out, as \(name) has no place for them: "
        + lost.names.joined(separator: ", "))
  }

  /// Writes a made workload as the other function does a trace.
  func write(_ workload: SyntheticWorkload) throws(TraceError) {
    let name = try TraceWriter.format(nil, path: output)
    try write(requests: workload.requests, as: name) { progress throws(TraceError) in
      try TraceWriter.write(workload, to: output, format: name, progress: progress)
    }
  }

  /// Refuses a place where prompts could not be written.
  func checkPrompts() throws(TraceError) {
    try OutputFile.check(output, .trace, inputs: [])
    try TraceWriter.checkPrompts(path: output)
  }

  /// Writes made prompts as the other functions do requests.
  func write(_ workload: PromptWorkload) throws(TraceError) {
    try write(requests: workload.requests, as: TraceWriter.promptFormat) {
      progress throws(TraceError) in
      try TraceWriter.write(workload, to: output, progress: progress)
    }
  }

  private func write(
    requests: Int, as format: String,
    _ body: (@escaping TraceProgress.Callback) throws(TraceError) -> Int
  ) throws(TraceError) {
    Interruption.keepWork()
    let line = ProgressLine()
    defer { line.clear() }
    let start = ContinuousClock.now
    let bytes = try body { progress in
      line.show(
        "writing \(place)", requests: progress.requests,
        fraction: Double(progress.requests) / Double(requests))
      return !Interruption.cancellation.isCancelled
    }
    line.clear()
    let seconds = (ContinuousClock.now - start).seconds
    StandardError.say(
      "\(place): \(requests) requests as \(format), \(bytes) bytes, "
        + String(format: "%.1f s", seconds))
  }
}

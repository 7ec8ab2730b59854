import ArgumentParser
import Foundation
import Laboratory
import Traces

/// `evict trace generate`: writes a made key stream.
struct TraceGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write a generated trace.",
    discussion: """
      The same specification and seed give the same trace. See evict formats for the generators.

      Example:
        evict trace generate zipf:alpha=1.0:keys=1e6:requests=1e7 --output z.oracleGeneral.zst
      """)

  @Argument(help: "A generator with its parameters, such as zipf:alpha=0.9:keys=1e5.")
  var generator: String

  @Option(
    help: ArgumentHelp(
      "The file; its name says the format, and .zst packs it; - is standard output.",
      valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("Where every random draw starts from.", valueName: "n"))
  var seed = Count(42)

  func run() throws {
    Interruption.install()
    let generator = try TraceGenerators.generator(
      generator, seed: UInt64(bitPattern: Int64(seed.value)))
    Interruption.keepWork()
    let line = ProgressLine()
    defer { line.clear() }
    let start = ContinuousClock.now
    let bytes = try TraceWriter.write(generator, to: output) { progress in
      let seconds = (ContinuousClock.now - start).seconds
      let fraction = Double(progress.requests) / Double(generator.requests)
      line.show(
        "writing \(output)", rate: Double(progress.requests) / seconds, fraction: fraction,
        secondsLeft: seconds * (1 - fraction) / fraction)
      return !Interruption.cancellation.isCancelled
    }
    line.clear()
    let seconds = (ContinuousClock.now - start).seconds
    let place = output == "-" ? "standard output" : output
    StandardError.say(
      "\(place): \(generator.requests) requests, \(bytes) bytes, "
        + String(format: "%.1f s", seconds))
  }
}

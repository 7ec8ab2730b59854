import ArgumentParser
import Results
import Runner
import Traces

/// `evict trace convert`: the same requests in another format.
struct TraceConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write traces in another format, several as one.",
    usage: "evict trace convert <trace> ... --output <file> [--to <name>]",
    discussion: """
      Examples:
        evict trace convert traces/orders.txt.zst --output orders.evtrace
        evict trace convert traces/build.csv.zst --to lcs --output build.lcs

      evt keeps everything. oracleGeneral and lcs keep what they have a place for, times in whole \
      seconds, and each request's next one; a text key becomes its hash. plain keeps the keys, \
      lis keys that are numbers. With --jitter the requests stand in another order, that of a sweep with it.
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var output: TraceOutputOptions

  @Option(
    help: ArgumentHelp(
      "The format: \(TraceWriter.formats.joined(separator: ", ")); else by the file's name.",
      valueName: "name"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Write another order: no request further than N places from its own.", valueName: "places"))
  var jitter: Jitter?

  @Option(help: ArgumentHelp("Which of these orders.", valueName: "n"))
  var order = Count(1)

  func validate() throws {
    if order.value < 1 { throw ValidationError("--order begins at 1, and not at \(order)") }
    if order.value > 1 && jitter == nil {
      throw ValidationError("--order says which one; give --jitter 64 too")
    }
  }

  func run() throws {
    Interruption.install()
    try output.check(format: to, inputs: traces.files)
    var trace = try traces.loadJoined(columns: output.columns(format: to))
    if let variation = jitter?.variation(order.value) { trace = variation.trace(trace) }
    try output.write(trace, format: to)
  }
}

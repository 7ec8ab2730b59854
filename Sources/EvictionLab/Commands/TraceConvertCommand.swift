import ArgumentParser
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
      lis keys that are numbers.
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var output: TraceOutputOptions

  @Option(
    help: ArgumentHelp(
      "The format: \(TraceWriter.formats.joined(separator: ", ")); else by the file's name.",
      valueName: "name"))
  var to: String?

  func run() throws {
    Interruption.install()
    try output.check(format: to, inputs: traces.files)
    try output.write(traces.loadJoined(columns: output.columns(format: to)), format: to)
  }
}

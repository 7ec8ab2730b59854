import ArgumentParser

/// `evict trace`: what is done with traces themselves.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Make traces and look at them.",
    discussion: """
      Examples:
        evict trace generate zipf:alpha=1.0:keys=1e6 --output zipf.txt
        evict trace info OLTP.lis.zst
      """,
    subcommands: [TraceGenerateCommand.self, TraceInfoCommand.self])
}

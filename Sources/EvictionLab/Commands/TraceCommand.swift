import ArgumentParser

/// `evict trace`: what is done with traces themselves.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Make and change traces.",
    discussion: """
      Examples:
        evict trace generate zipf:alpha=1.0:keys=1e6 --output zipf.txt
        evict trace filter zipf.txt --policy lru --capacity 1000 --output misses.evtrace
      """,
    subcommands: [
      TraceConvertCommand.self,
      TraceSampleCommand.self,
      TraceFilterCommand.self,
      TraceGenerateCommand.self,
    ])
}

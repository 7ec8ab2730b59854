import ArgumentParser

/// `evict trace`: what is done with traces themselves.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Look at, make, change, record and fetch traces.",
    discussion: """
      Examples:
        evict trace info traces/orders.txt.zst
        evict trace generate zipf:keys=1e4:requests=1e5 --output zipf.txt
      """,
    subcommands: [
      TraceInfoCommand.self,
      TraceConvertCommand.self,
      TraceSampleCommand.self,
      TraceFilterCommand.self,
      TraceGenerateCommand.self,
      TraceRecordCommand.self,
      TraceFetchCommand.self,
    ])
}

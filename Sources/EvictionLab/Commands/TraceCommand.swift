import ArgumentParser

/// `evict trace`: what is done with traces themselves.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Look at, make, change, record and fetch traces.",
    discussion: """
      Examples:
        evict trace generate zipf:alpha=1.0:keys=1e6 --output zipf.txt
        evict trace info OLTP.lis.zst
        evict trace filter zipf.txt --policy lru --capacity 1000 --output l2.txt
        evict trace record --output build.evtrace.zst -- make
        evict trace fetch OLTP.lis.zst
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

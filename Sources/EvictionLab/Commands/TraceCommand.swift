import ArgumentParser

/// `evict trace`: what is done with traces themselves.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Make, record and fetch traces.",
    discussion: """
      Example:
        evict trace generate zipf:alpha=1.0:keys=1e6 --output zipf.txt
        evict trace record --output build.evtrace.zst -- make
        evict trace fetch OLTP.lis.zst
      """,
    subcommands: [
      TraceGenerateCommand.self,
      TraceRecordCommand.self,
      TraceFetchCommand.self,
    ])
}

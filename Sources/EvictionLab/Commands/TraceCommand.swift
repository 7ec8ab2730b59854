import ArgumentParser

/// `evict trace`: what is done with traces themselves.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Makes traces.", subcommands: [TraceGenerateCommand.self])
}

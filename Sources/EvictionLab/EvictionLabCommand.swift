import ArgumentParser
import Foundation
import Laboratory

/// The tool `evict`: its subcommands, one per file in `Commands`.
///
/// Another package's executable is one line too: `EvictionLabCommand.main()`.
public struct EvictionLabCommand: ParsableCommand {
  /// Name, help and subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "evict",
    abstract: "Measure eviction policies on recorded traces.",
    discussion: """
      Try:
        evict replay OLTP.lis.zst --policy lru,arc --capacity 1000
        evict sweep OLTP.lis.zst --policy all --capacity 1000,5000
        evict policies
      """,
    version: Environment.currentVersion,
    subcommands: [
      ReplayCommand.self,
      SweepCommand.self,
      BoundsCommand.self,
      TraceCommand.self,
      ReportCommand.self,
      PoliciesCommand.self,
      FormatsCommand.self,
      LocksCommand.self,
    ])

  /// The policies that the commands know.
  static var policies: [PolicyRunner] { PolicyRunner.all }

  /// The root command.
  public init() {}

  /// Runs the command that the process was started with, and exits.
  public static func main() { main(nil) }

  /// Runs a command, and exits: with 0, or with an error's line on standard error and its code.
  public static func main(_ arguments: [String]?) {
    // A reader that has enough (`| head`) ends the tool as it ends any other.
    signal(SIGPIPE, SIG_DFL)
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      let ending = Ending(of: error)
      if !ending.output.isEmpty { print(ending.output) }
      if !ending.message.isEmpty { StandardError.say(ending.message) }
      Foundation.exit(ending.code)
    }
  }
}

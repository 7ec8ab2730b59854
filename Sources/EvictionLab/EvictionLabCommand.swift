import ArgumentParser

/// The tool `evict`: its subcommands, one per file.
public struct EvictionLabCommand: ParsableCommand {
  /// Name, help and subcommands.
  public static let configuration = CommandConfiguration(commandName: "evict")
  /// The root command.
  public init() {}
}

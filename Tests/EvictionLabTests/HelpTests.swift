import ArgumentParser
import EvictionLab
import Testing

/// The help of every command.
@Suite struct HelpTests {
  static let commands = all(from: EvictionLabCommand.configuration)

  private static func all(from command: CommandConfiguration) -> [CommandConfiguration] {
    [command] + command.subcommands.flatMap { all(from: $0.configuration) }
  }

  @Test(arguments: commands)
  func exampleFitsATerminal(_ command: CommandConfiguration) {
    let lines = command.discussion.split(separator: "\n")
    let examples = lines.drop { !$0.hasPrefix("Example") }.filter { $0.hasPrefix("  ") }
    // The parser wraps at 80 columns, and what is copied then is two commands.
    #expect(examples.filter { $0.count > 78 }.isEmpty)
    for (line, next) in zip(examples, examples.dropFirst()) where line.hasSuffix("\\") {
      #expect(next.hasPrefix("    "), "a line that goes on: \(line)")
    }
  }

  @Test(arguments: commands)
  func paragraphIsOneLine(_ command: CommandConfiguration) {
    // The parser wraps it; line ends of its own make it ragged.
    let lines = command.discussion.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty {
      let isProse = !line.hasPrefix(" ") && !next.hasPrefix(" ")
      #expect(!isProse || next.isEmpty, "\(line)")
    }
  }
}

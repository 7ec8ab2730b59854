import ArgumentParser
import EvictionLab
import Foundation
import Testing

/// The help of every command.
@Suite struct HelpTests {
  /// A command, and the words that call it.
  struct Command: CustomTestStringConvertible, Sendable {
    let words: [String]
    let configuration: CommandConfiguration

    var testDescription: String { words.joined(separator: " ") }

    /// The command lines of its examples.
    var examples: [String] { HelpTests.commandLines(of: configuration.discussion) }
  }

  static let commands = all(from: EvictionLabCommand.configuration, after: [])

  private static func all(from command: CommandConfiguration, after words: [String]) -> [Command] {
    let words = words + [command.commandName ?? ""]
    return [Command(words: words, configuration: command)]
      + command.subcommands.flatMap { all(from: $0.configuration, after: words) }
  }

  /// The indented command lines of a text; one that ends in a backslash goes on.
  private static func commandLines(of text: String) -> [String] {
    var lines: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("  ") {
      if let last = lines.last, last.hasSuffix("\\") {
        lines[lines.count - 1] = last.dropLast() + line.trimmingCharacters(in: .whitespaces)
      } else {
        lines.append(line.trimmingCharacters(in: .whitespaces))
      }
    }
    return lines.filter { $0.hasPrefix("evict ") }
  }

  @Test(arguments: commands)
  func exampleFitsATerminal(_ command: Command) {
    let lines = command.configuration.discussion.split(separator: "\n")
    let examples = lines.drop { !$0.hasPrefix("Example") }.filter { $0.hasPrefix("  ") }
    // The parser wraps at 80 columns, and what is copied then is two commands.
    #expect(examples.filter { $0.count > 78 }.isEmpty)
    for (line, next) in zip(examples, examples.dropFirst()) where line.hasSuffix("\\") {
      #expect(next.hasPrefix("    "), "a line that goes on: \(line)")
    }
  }

  @Test(arguments: commands)
  func paragraphIsOneLine(_ command: Command) {
    // The parser wraps it; line ends of its own make it ragged.
    let lines = command.configuration.discussion
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty && line != "Examples:" {
      let isProse = !line.hasPrefix(" ") && !next.hasPrefix(" ")
      #expect(!isProse || next.isEmpty, "\(line)")
    }
  }

  @Test(arguments: commands)
  func helpFitsAScreenAndLeadsWithExamples(_ command: Command) async throws {
    let line = "COLUMNS=80 \(command.words.joined(separator: " ")) --help"
    let outcome = try await Shell().run(line)
    let lines = outcome.output.dropLast().split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.code == 0 && lines.count <= 40, "\(lines.count) lines")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(outcome.output)")
    #expect(command.configuration.discussion.hasPrefix("Examples:\n"))
    #expect(command.examples.count >= 2)
  }

  @Test(.serialized, arguments: commands)
  func examplesRunOnTheBundledTraces(_ command: Command) async throws {
    let shell = try Shell()
    try shell.linkRepository()
    for example in command.examples where try await shell.canRun(example) {
      let outcome = try await shell.run(example)
      #expect(outcome.code == 0, "\(example)\n\(outcome)")
    }
  }

  @Test func toolWithoutArgumentsSaysWhatToDoFirst() async throws {
    let shell = try Shell()
    let outcome = try await shell.run("evict")
    let steps = Self.commandLines(of: outcome.output)
    #expect(outcome.code == 0 && steps.count == 4)
    for step in steps {
      let outcome = try await shell.run(step)
      #expect(outcome.code == 0, "\(step)\n\(outcome)")
    }
  }

  @Test func everyOptionIsInTheLongHelpAndTheCompletions() async throws {
    let shell = try Shell()
    let short = try await shell.run("evict sweep --help").output
    let long = try await shell.run("evict sweep --help-hidden").output
    let completions = try await shell.run("evict --generate-completion-script bash").output
    for option in ["--warmup", "--expansion", "--trace-internals"] {
      #expect(!short.contains(option) && long.contains(option) && completions.contains(option))
    }
  }
}

extension Shell {
  /// Puts the bundled traces and results into the folder.
  fileprivate func linkRepository() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    for name in ["traces", "results"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: name), withDestinationURL: root.appending(path: name))
    }
    let prompts = "mooncake-synthetic.jsonl"
    if let published = Shell.publicTraces {
      try FileManager.default.createDirectory(
        at: folder.appending(path: "prompts"), withIntermediateDirectories: true)
      for place in [prompts, "prompts/\(prompts)"] {
        try FileManager.default.createSymbolicLink(
          at: folder.appending(path: place),
          withDestinationURL: URL(filePath: published).appending(path: prompts))
      }
    }
  }

  /// False where an example needs the network, a tool or a public trace that is not there.
  fileprivate func canRun(_ example: String) async throws -> Bool {
    if example.hasPrefix("evict trace fetch ") { return example.contains("--list") }
    if example.hasPrefix("evict trace record ") {
      return try await run("command -v strace").code == 0
    }
    let needsPublicTrace = ["evict reproduce ", "evict prefix "].contains { example.hasPrefix($0) }
    return !needsPublicTrace || Shell.publicTraces != nil
  }

  /// The folder of the public traces.
  private static var publicTraces: String? {
    ProcessInfo.processInfo.environment["EVICTIONLAB_TRACES"]
  }
}

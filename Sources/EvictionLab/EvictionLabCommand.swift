import ArgumentParser
import Experiments
import Foundation
import Parameters
import Results
import Runner
import Traces

/// The tool `evict`: its subcommands, one per file in `Commands`.
///
/// An executable, this package's or another's, is one line: `EvictionLab.main()`, or with policies of
/// its own `EvictionLab.main(adding: [MyPolicy.self])`.
public struct EvictionLabCommand: ParsableCommand {
  /// Name, help and subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "evict",
    abstract: "Measure eviction policies on recorded traces.",
    discussion: """
      Examples:
        evict trace info traces/orders.txt.zst
        evict sweep traces/orders.txt.zst --policy lru,s3fifo,arc --capacity 1%,10%
      """,
    version: Environment.currentVersion,
    subcommands: experiments + [
      TraceCommand.self,
      ReportCommand.self,
      CompareCommand.self,
      CheckCommand.self,
      ReproduceCommand.self,
      ClaimsCommand.self,
      ScoreCommand.self,
      PoliciesCommand.self,
      FormatsCommand.self,
      LocksCommand.self,
      SystemsCommand.self,
    ])

  /// Every kind of experiment: its kind in `Experiments`, its flags in `Commands`, its line here.
  static let experiments: [any ExperimentCommand.Type] = [
    ReplayCommand.self,
    SweepCommand.self,
    CurveCommand.self,
    BoundsCommand.self,
    DiskCommand.self,
    PrefixCommand.self,
    SpeedCommand.self,
    SuiteCommand.self,
  ]

  /// The text of the tool without arguments.
  private static let firstSteps = """
    evict measures cache eviction policies on recorded traces. First steps, with a
    trace of keys, one per line, or CSV with a column "key" (here one made up):

      evict trace generate zipf:keys=1e4:requests=1e5 --output trace.txt
      evict trace info trace.txt
      evict sweep trace.txt --policy lru,s3fifo,arc --capacity 1%,10%
      evict replay trace.txt --policy lru,s3fifo --capacity 10% --time 200ms

    "evict --help" lists all commands, "evict sweep --help" describes one.
    """

  /// The root command.
  public init() {}

  /// Says what to do first.
  public func run() throws { try WholeFile.write(EvictionLabCommand.firstSteps + "\n", to: "-") }

  /// Runs the command that the process was started with, and exits.
  public static func main() { main(nil) }

  /// Runs a command with more policies, and exits.
  static func run(_ arguments: [String]?, adding policies: [RunnablePolicyEntry]) {
    if let problem = problem(with: policies) {
      StandardError.say(problem)
      Foundation.exit(70)
    }
    KnownPolicies.add(policies)
    main(arguments)
  }

  /// Returns the reason why these policies cannot be added to the catalog's; nil if they can.
  private static func problem(with policies: [RunnablePolicyEntry]) -> String? {
    var taken = Set(RunnablePolicyEntry.catalog.map(\.information.name) + ["all"])
    for name in policies.map(\.information.name) {
      let isWord = name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }
      if name.isEmpty || !isWord {
        return "the policy name “\(name)” is no word; use lower-case letters, digits and hyphens"
      }
      if !taken.insert(name).inserted {
        return "two policies are called “\(name)”; give the added one another name"
      }
    }
    return nil
  }

  /// Refuses a word that stands where a subcommand must.
  private static func checkCommand(_ words: [String]) throws(ValidationError) {
    var configuration = EvictionLabCommand.configuration
    for word in words where !configuration.subcommands.isEmpty {
      if word == "help" { continue }
      if word.hasPrefix("-") { return }
      let choices = configuration.subcommands.map { $0.configuration }
      if let choice = choices.first(where: { $0.commandName == word }) {
        configuration = choice
      } else if configuration.defaultSubcommand != nil {
        return
      } else {
        let known = choices.compactMap(\.commandName)
        throw ValidationError("no command is called “\(word)”; \(known.remedy(for: word))")
      }
    }
  }

  /// The words that name a command in a group of commands; nil where it is none of them.
  private static func words(
    of command: any ParsableCommand.Type, in group: any ParsableCommand.Type
  ) -> [String]? {
    for next in group.configuration.subcommands {
      let word = next.configuration.commandName ?? ""
      if next == command { return [word] }
      if let words = words(of: command, in: next) { return [word] + words }
    }
    return nil
  }

  /// The words of a command line, negative values joined with their options: the parser would take them for
  /// options.
  private static func joiningNegatives(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let joined = words[..<end].reduce(into: [String]()) { joined, word in
      if let option = joined.last, option.hasPrefix("--"), !option.contains("="),
        word.prefixMatch(of: /-[0-9.]/) != nil
      {
        joined[joined.endIndex - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined + words[end...]
  }

  /// Runs a command, and exits: with 0, or with an error's line on standard error and its code.
  public static func main(_ arguments: [String]?) {
    CandidateProcess.run(arguments ?? Array(CommandLine.arguments.dropFirst()))
    StandardStreams.occupy()
    // A reader that has enough (`| head`) ends the tool as it ends any other.
    signal(SIGPIPE, SIG_DFL)
    _ = StandardError.isTerminal
    MemoryShortage.handle { Interruption.end(MemoryOptions.shortage, code: 71) }
    var running: (any ParsableCommand.Type)?
    do {
      let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
      try checkCommand(arguments)
      var command = try parseAsRoot(joiningNegatives(arguments))
      running = type(of: command)
      let words = words(of: type(of: command), in: EvictionLabCommand.self)
      WrittenMark.command.withLock { $0 = words?.joined(separator: " ") }
      try command.run()
    } catch {
      let ending = Ending(of: error, in: running).afterOutput()
      if !ending.message.isEmpty { StandardError.say(ending.message) }
      // Without the libraries' own clean-up: the thread of a download that was given up may still use them.
      fflush(nil)
      _exit(ending.code)
    }
  }
}

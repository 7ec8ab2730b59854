import ArgumentParser
import Conformance
import EvictionCore
import Experiments
import Parameters
import Runner
import Traces

/// `evict policies check`: the conformance suite on policies, as this build runs them.
struct PoliciesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that policies do what every policy must do.",
    usage: "evict policies check <policies> ... [<options>]",
    discussion: """
      Examples:
        evict policies check arc --rounds 2
        evict policies check slru:protected=0.5 2q --rounds 2

      Runs each policy through random workloads. Each property that does not hold is reported with the \
      first operation that shows it, and the seed. Each policy runs in a process of its own: one that \
      traps, calls exit() or does not return fails, and the check goes on with the others. What a plug-in \
      writes beyond the memory that it has allocated is a trap. Exit code 1 if any policy fails.
      """)

  @Argument(help: ArgumentHelp("Policies, such as arc or slru:protected=0.8; all: every one."))
  var policies: [String]

  @Option(help: ArgumentHelp("The seed of the first workload.", valueName: "n"))
  var seed = Count(42)

  @Option(help: ArgumentHelp("Seeds for each property.", valueName: "n"))
  var rounds = Count(10)

  @Option(help: ArgumentHelp("Operations of each workload.", valueName: "n"))
  var operations = Count(200)

  @Option(help: ArgumentHelp("The most seconds for one workload.", valueName: "seconds"))
  var timeLimit = Count(60)

  func validate() throws {
    if seed.value < 0 { throw ValidationError("--seed \(seed) is negative; give 0 or more") }
    for (name, count) in [
      ("rounds", rounds), ("operations", operations), ("time-limit", timeLimit),
    ]
    where !(1...1_000_000).contains(count.value) {
      throw ValidationError("--\(name) \(count) is out of range; give 1 to 1000000")
    }
  }

  /// The memory of a check: workloads are small, and a policy that takes more and more is to end before the machine does.
  private static let memoryLimit = 4 << 30

  func run() throws {
    let choices = try KnownPolicies.named(policies)
    for choice in choices {
      let own = Set(choice.information.parameters.map(\.name))
      let others = choice.specification.given.map(\.key).filter { !own.contains($0) }
      if !others.isEmpty {
        throw PolicyError.conflict(
          policy: choice.name,
          explanation:
            "a check runs the policy alone; leave out \(others.joined(separator: ", "))")
      }
    }
    let first = UInt64(seed.value)
    let line = ProgressLine()
    let child = ForkedChild.ofThisCommand(
      patience: Double(timeLimit.value), memoryLimit: PoliciesCheckCommand.memoryLimit)
    var failed = 0
    for (index, choice) in choices.enumerated() {
      let violations = try choice.entry.violations(
        of: choice.specification, seeds: first..<first + UInt64(rounds.value),
        operations: operations.value, in: child,
        progress: { property in
          line.show(
            "\(index) of \(choices.count) policies; \(choice.specification) \(property)?")
        })
      line.clear()
      let lines =
        ["\(choice.specification): \(violations.isEmpty ? "conforms" : "fails")"]
        + violations.map { "  \($0)" }
      try WholeFile.write(lines.joined(separator: "\n") + "\n", to: "-")
      if !violations.isEmpty { failed += 1 }
    }
    if failed > 0 { throw Failed(description: "\(failed) of \(choices.count) policies fail") }
  }
}

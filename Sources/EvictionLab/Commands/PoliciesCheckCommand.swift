import ArgumentParser
import Conformance
import Experiments
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
      first operation that shows it, and the seed. Exit code 1 if any policy fails, also by a trap, which \
      ends the whole check.
      """)

  @Argument(help: ArgumentHelp("Policies, such as arc or slru:protected=0.8; all: every one."))
  var policies: [String]

  @Option(help: ArgumentHelp("The seed of the first workload.", valueName: "n"))
  var seed = Count(42)

  @Option(help: ArgumentHelp("Seeds for each property.", valueName: "n"))
  var rounds = Count(10)

  @Option(help: ArgumentHelp("Operations of each workload.", valueName: "n"))
  var operations = Count(200)

  func validate() throws {
    if seed.value < 0 { throw ValidationError("--seed \(seed) is negative; give 0 or more") }
    for (name, count) in [("rounds", rounds), ("operations", operations)]
    where !(1...1_000_000).contains(count.value) {
      throw ValidationError("--\(name) \(count) is out of range; give 1 to 1000000")
    }
  }

  func run() throws {
    let choices = try PolicyChoice.parse(policies, among: KnownPolicies.all)
    let first = UInt64(seed.value)
    let line = ProgressLine()
    var failed = 0
    for (index, choice) in choices.enumerated() {
      let violations = try choice.entry.violations(
        of: choice.specification, seeds: first..<first + UInt64(rounds.value),
        operations: operations.value,
        progress: { property in
          line.show(
            "\(index) of \(choices.count) policies; \(choice.specification) \(property.rawValue)?")
        })
      line.clear()
      let lines =
        ["\(choice.specification): \(violations.isEmpty ? "conforms" : "fails")"]
        + violations.map { "  \($0)" }
      // At once: a policy that traps ends the process.
      try WholeFile.write(lines.joined(separator: "\n") + "\n", to: "-")
      if !violations.isEmpty { failed += 1 }
    }
    if failed > 0 { throw Failed(description: "\(failed) of \(choices.count) policies fail") }
  }
}

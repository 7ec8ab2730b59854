import ArgumentParser
import Laboratory
import Traces

/// `evict check`: the gate that closes when results are not what they were.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail when results fall behind a baseline.",
    discussion: """
      Exit code 1, with a table of what fell and by how much, when a count of a deterministic run \
      differs, a run of the baseline is missing, a trace has another content, or the instructions \
      of a run grew (counted by callgrind, with sweep --speed, and compared only for the same \
      compiler and kind of processor). Times are advice, as no machine is quiet enough for more.

      Examples:
        evict sweep traces/*.zst --policy lru,arc,sieve --capacity 1% --limit 1e5 --speed 5 \\
          --format json --output now.json
        evict check now.json --baseline results/baseline.json --format github
        evict check now.json --baseline results/baseline.json --update
      """)

  @Argument(help: ArgumentHelp("The results; - reads standard input.", valueName: "results"))
  var results: String

  @Option(help: ArgumentHelp("The results that they are held against.", valueName: "file"))
  var baseline: String

  @Flag(help: "Show what differs, then make these results the baseline; nothing fails.")
  var update = false

  @OptionGroup var comparison: ComparisonOptions

  func run() throws {
    try comparison.destination.check()
    if update { try OutputFile.check(baseline) }
    let bytes = try Document.bytes(of: results)
    let after = try ResultSet(reading: bytes, file: results)
    let before = try ResultSet(reading: Document.bytes(of: baseline), file: baseline)
    let judgement = Judgement.gate(
      ResultComparison(before: before, after: after, tolerances: comparison.tolerances))
    try comparison.write(judgement)
    if update {
      try WholeFile.write(String(decoding: bytes, as: UTF8.self), to: baseline)
    } else if judgement.hasFailed {
      throw Failed(
        description: "\(results) falls behind \(baseline); if that is meant, add --update")
    }
  }
}

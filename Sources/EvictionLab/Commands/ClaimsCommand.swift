import ArgumentParser
import Claims
import Experiments
import Foundation
import Parameters
import Rendering
import Results
import Runner
import Traces

/// `evict claims`: the claims about caches as experiments, with verdicts.
struct ClaimsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "claims",
    abstract: "Test claims about caches.",
    usage: "evict claims [<id> ...] [<options>]",
    discussion: """
      Examples:
        evict claims --list
        evict claims C3 --quick --output claims

      Runs each claim's trials in random order until its interval is narrow enough, and writes one \
      document per claim. A claim is confirmed or refuted where the corrected interval lies wholly on \
      one side of its limit; it depends where conditions give both.
      """)

  @Argument(help: ArgumentHelp("Claims; by default all.", valueName: "id"))
  var ids: [String] = []

  @Flag(help: "List the claims and test none.")
  var list = false

  @Flag(help: "Few trials: three minutes for all claims.")
  var quick = false

  @Option(help: ArgumentHelp("Random seed.", valueName: "n"))
  var seed = 42

  @Option(help: ArgumentHelp("The time in which trials of a run start.", valueName: "time"))
  var budget: TimeSpan?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Runs, each in another order; verdicts that differ are marked.", valueName: "n"))
  var runs = 1

  @Option(help: ArgumentHelp("The folder of the documents.", valueName: "folder"))
  var output = "results/claims"

  func validate() throws {
    if runs < 1 { throw ValidationError("--repeat \(runs): give 1 or more") }
    if seed.addingReportingOverflow(runs - 1).overflow {
      throw ValidationError(
        "--seed \(seed) leaves no seeds for --repeat \(runs); give a smaller one")
    }
    _ = try claims()
  }

  func run() throws {
    let claims = try claims()
    if list {
      return try WholeFile.write(ClaimsCommand.table(of: claims), to: "-")
    }
    Interruption.install()
    try ClaimsCommand.makeFolder(output)
    for claim in claims {
      try OutputFile.check(
        file(of: claim.id), .document(schema: ClaimDocument.schema))
    }
    if claims.count == ClaimCatalog.all.count { try OutputFile.check(summary, .report) }
    var settings = ClaimRun.Settings(isQuick: quick)
    settings.seed = seed
    if let budget { settings.budget = Double(budget.nanoseconds) / 1e9 }
    // Before there is a folder to remove.
    Interruption.keepWork()
    let scratch = try ScratchFolder(in: output, kind: ".trials")
    let search = TraceSearch(folders: [])
    let line = ProgressLine()
    let environment = Environment.ofThisCommand
    let start = ContinuousClock.now
    warn(ofRuns: settings.budget, on: line)
    var found: [String: ClaimDocument] = [:]
    for number in 0..<runs where !Interruption.cancellation.isCancelled {
      settings.seed = seed + number
      let prefix = runs > 1 ? "run \(number + 1) of \(runs): " : ""
      var run = ClaimRun(
        claims, settings: settings, scratch: scratch.path, path: { search.path(of: $0) })
      try run.run(
        cancellation: Interruption.cancellation,
        progress: { line.show("\(prefix)\($0) of \($1) conditions") },
        finished: { again in
          // The first run's figures stand; later ones add their verdicts.
          var document = found[again.id] ?? again
          document.environment = environment
          if runs > 1 { document.addVerdicts(of: again) }
          try WholeFile.write(document.text, to: file(of: document.id))
          found[document.id] = document
        })
      warn(ofRuns: (ContinuousClock.now - start).seconds / Double(number + 1), on: line)
    }
    line.clear()
    let documents = claims.compactMap { found[$0.id] }
    let table = ClaimDocument.table(documents)
    let remarks = ClaimDocument.remarks(documents)
    if documents.count == ClaimCatalog.all.count {
      let lines = remarks.map { "\n" + $0.markdownEscaped + "\n" }
      try WholeFile.write(
        "# The claims, tested\n\n" + table.markdown + lines.joined(), to: summary)
    }
    try WholeFile.write(
      table.text(style: Terminal.listStyle) + "\n" + remarks.joined(separator: "\n") + "\n", to: "-"
    )
    if Interruption.cancellation.isCancelled {
      throw Stopped(
        description: "stopped; \(documents.count) of \(claims.count) claims are written")
    }
  }

  /// Says how long runs take, each of that many seconds; one alone ends at its budget at the latest.
  private func warn(ofRuns seconds: Double, on line: ProgressLine) {
    line.warn(
      ofSeconds: Double(runs) * seconds, "runs: \(runs)",
      remedy: "fewer claims, a smaller --budget or --repeat, or --quick take less",
      isLimit: runs == 1)
  }

  private var summary: String { "\(output)/summary.md" }

  private func file(of id: String) -> String { "\(output)/\(id).json" }

  private func claims() throws -> [Claim] {
    if ids.isEmpty { return ClaimCatalog.all }
    var chosen: [Claim] = []
    for id in ids {
      guard let claim = ClaimCatalog.all.first(where: { $0.id == id }) else {
        let known = ClaimCatalog.all.map(\.id)
        throw ValidationError("no claim is called “\(id)”; \(known.remedy(for: id))")
      }
      if !chosen.contains(where: { $0.id == id }) { chosen.append(claim) }
    }
    return chosen
  }

  private static func table(of claims: [Claim]) -> String {
    TextTable("claim", "statement", claims.map { ($0.id, $0.sentence) })
      .text(style: Terminal.listStyle)
  }

  private static func makeFolder(_ path: String) throws(TraceError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .io(file: path, action: "make", byte: 0, code: errno)
    }
  }
}

extension ClaimDocument {
  /// A summary of claims, a row each. An asterisk marks a verdict that another order did not repeat.
  static func table(_ documents: [ClaimDocument]) -> TextTable {
    var table = TextTable([
      TextTable.Column("claim"), TextTable.Column("verdict"), TextTable.Column("effect", .right),
      TextTable.Column("interval", .right), TextTable.Column("conditions", isProse: true),
      TextTable.Column("statement", isProse: true),
    ])
    for document in documents {
      let counts = ClaimVerdict.allCases.compactMap { verdict in
        let count = document.conditions.count { $0.verdict == verdict }
        return count > 0 ? "\(count) \(verdict.rawValue)" : nil
      }
      let effect = document.effect
      let range = effect.map {
        "\(number($0.interval.lowerBound)) … \(number($0.interval.upperBound))"
      }
      table.append([
        "\(document.id)", "\(document.verdict.rawValue)\(document.agrees ? "" : "*")",
        "\(effect.map { number($0.value) } ?? "–")", "\(range ?? "–")",
        "\(counts.joined(separator: ", "))", "\(document.claim)",
      ])
    }
    return table
  }

  /// Lines below a summary: the verdicts that did not repeat, and the machine.
  static func remarks(_ documents: [ClaimDocument]) -> [String] {
    let differing = documents.filter { !$0.agrees }.map { document in
      "* \(document.id): \(document.verdicts.dropFirst().map(\.rawValue).joined(separator: ", ")) "
        + "in other orders."
    }
    let machine = documents.first.map(\.environment).map {
      "\($0.cpu), \($0.cores) cores, \($0.os), \($0.toolchain)."
    }
    return differing + (machine.map { [$0] } ?? [])
  }

  private static func number(_ value: Double) -> String { String(format: "%.3g", value) }
}

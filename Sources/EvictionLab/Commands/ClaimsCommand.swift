import ArgumentParser
import Claims
import Foundation
import Parameters
import Rendering
import Results
import Traces

/// `evict claims`: the claims about caches as experiments, with verdicts.
struct ClaimsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "claims",
    abstract: "Test claims about caches.",
    discussion: """
      Runs each claim's trials in random order until its interval is narrow enough, and writes one \
      document per claim. A claim is confirmed or refuted where the corrected interval lies wholly on \
      one side of its limit; it depends where conditions give both.

      Claims:
      \(ClaimCatalog.all.map { "  \($0.id): \($0.sentence)" }.joined(separator: "\n"))

      Examples:
        evict claims --quick
        evict claims C3 C9 --seed 7
      """)

  @Argument(help: ArgumentHelp("Claims; by default all.", valueName: "id"))
  var ids: [String] = []

  @Flag(help: "Few trials: three minutes for all claims.")
  var quick = false

  @Option(help: ArgumentHelp("Random seed.", valueName: "n"))
  var seed = 42

  @Option(help: ArgumentHelp("The time in which trials start.", valueName: "time"))
  var budget: TimeSpan?

  @Option(help: ArgumentHelp("The folder of the documents.", valueName: "folder"))
  var output = "results/claims"

  func validate() throws { _ = try claims() }

  func run() throws {
    Interruption.install()
    let claims = try claims()
    try ClaimsCommand.makeFolder(output)
    for claim in claims {
      try OutputFile.check(
        file(of: claim.id), .document(schema: ClaimDocument.schema))
    }
    var settings = ClaimRun.Settings(isQuick: quick)
    settings.seed = seed
    if let budget { settings.budget = Double(budget.nanoseconds) / 1e9 }
    let scratch = try ScratchFolder(in: output, kind: ".trials")
    let search = TraceSearch(folders: [])
    let line = ProgressLine()
    let environment = Environment.ofThisCommand
    var documents: [ClaimDocument] = []
    var run = ClaimRun(
      claims, settings: settings, scratch: scratch.path, path: { search.path(of: $0) })
    Interruption.keepWork()
    try run.run(
      cancellation: Interruption.cancellation,
      progress: { line.show("\($0) of \($1) conditions") },
      finished: { document in
        var document = document
        document.environment = environment
        try WholeFile.write(document.text, to: file(of: document.id))
        documents.append(document)
      })
    line.clear()
    let order = claims.map(\.id)
    documents.sort { order.firstIndex(of: $0.id) ?? 0 < order.firstIndex(of: $1.id) ?? 0 }
    print(ClaimDocument.table(documents), terminator: "")
    if Interruption.cancellation.isCancelled {
      throw Stopped(
        description: "stopped; \(documents.count) of \(claims.count) claims are written")
    }
  }

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

  private static func makeFolder(_ path: String) throws(TraceError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .io(file: path, action: "make", byte: 0, code: errno)
    }
  }
}

extension ClaimDocument {
  /// A summary of claims: a row each, and the machine below.
  static func table(_ documents: [ClaimDocument]) -> String {
    var table = TextTable([
      TextTable.Column("claim"), TextTable.Column("verdict"), TextTable.Column("effect", .right),
      TextTable.Column("interval", .right), TextTable.Column("conditions"),
      TextTable.Column("statement"),
    ])
    for document in documents {
      let counts = ClaimVerdict.allCases.compactMap { verdict in
        let count = document.conditions.count { $0.verdict == verdict }
        return count > 0 ? "\(count) \(verdict.rawValue)" : nil
      }
      let effect = document.effect
      table.append([
        "\(document.id)", "\(document.verdict.rawValue)",
        "\(effect.map { number($0.value) } ?? "–")",
        "\(effect.map { "\(number($0.interval.lowerBound)) … \(number($0.interval.upperBound))" } ?? "–")",
        "\(counts.joined(separator: ", "))", "\(document.claim)",
      ])
    }
    let machine = documents.first.map(\.environment).map {
      "\n\($0.cpu), \($0.cores) cores, \($0.os), \($0.toolchain)\n"
    }
    return table.text() + (machine ?? "")
  }

  private static func number(_ value: Double) -> String { String(format: "%.3g", value) }
}

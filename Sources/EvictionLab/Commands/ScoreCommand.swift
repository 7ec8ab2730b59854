import ArgumentParser
import EvictionCore
import Experiments
import Parameters
import Rendering
import Results
import Runner
import Traces

/// `evict score`: the judge of candidates.
struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Judge a policy on public and hidden traces.",
    usage: "evict score <candidate> [<options>]",
    discussion: """
      Examples:
        evict score 'rank:score=hits/age' --suite quick
        evict score slru:protected=0.5 --policy lru,arc --suite quick --salt 7

      The score is the reduction of the misses against FIFO as a fraction of what the optimum reduces: 0 is \
      FIFO, 1 the optimum. Hidden traces are made by a salt, at random unless --salt is given: a candidate \
      that has learned the public ones by heart scores less there. Exit code 1 if the conformance suite \
      finds a violation.
      """)

  @Argument(help: "A policy as rank:score=frequency, plugin:PATH, or a file in C or Python.")
  var candidate: String

  @Option(
    help: ArgumentHelp(
      "The traces: \(ScoreSuite.all.map(\.name).joined(separator: " or ")).", valueName: "name"))
  var suite = SuiteName()

  @Option(help: ArgumentHelp("Makes the hidden traces; at random by default.", valueName: "n"))
  var salt: Count?

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp("Policies beside the candidate, or all.", valueName: "list"))
  var policyTexts: [String] = []

  @Option(help: ArgumentHelp("The most time of a run; 10s by default.", valueName: "time"))
  var time: TimeSpan?

  @Flag(help: "Do not confine code in C or Python: for code that you trust.")
  var unsandboxed = false

  @OptionGroup var parallel: JobOptions

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
  }

  @Option(help: ArgumentHelp("The form: table or json.", valueName: "name"))
  var format = Format.table

  @OptionGroup var destination: DestinationOptions

  /// The name of a suite on the command line.
  struct SuiteName: ExpressibleByArgument {
    let suite: ScoreSuite

    init() { suite = ScoreSuite.all[0] }

    init?(argument: String) {
      guard let suite = ScoreSuite.all.first(where: { $0.name == argument }) else { return nil }
      self.suite = suite
    }

    static var allValueStrings: [String] { ScoreSuite.all.map(\.name) }

    var defaultValueDescription: String { suite.name }
  }

  func validate() throws {
    if let salt, salt.value < 0 {
      throw ValidationError("--salt \(salt) is negative; give 0 or more")
    }
    if let time, !(1_000_000...86_400_000_000_000).contains(time.nanoseconds) {
      throw ValidationError("--time is out of range; give 1ms to 24h")
    }
  }

  private var limits: CandidateLimits {
    CandidateLimits(
      time: .nanoseconds(time?.nanoseconds ?? 10_000_000_000), isSandboxed: !unsandboxed,
      cancellation: Interruption.cancellation)
  }

  func run() throws {
    Interruption.install()
    try destination.check(
      format == .json ? .document(schema: ScoreDocument.schema) : .report, inputs: [])
    let others = try PolicyChoice.parse(policyTexts, among: KnownPolicies.all)
      .filter { $0.isNamed || !$0.information.isTemplate }
      .map { other throws(PolicyError) in try CatalogContender(other, limits) }
    let judged = Result { try self.document(of: contender(), beside: others) }
    if Interruption.cancellation.isCancelled {
      throw Stopped(description: "stopped; nothing was kept")
    }
    let document = try judged.get()
    try destination.write { style in
      format == .json ? document.json.document : document.table(style: style)
    }
    if let violation = document.contract.violations.first {
      throw Failed(description: "\(candidate) \(violation)")
    }
  }

  /// The candidate: a file in C, a library, or a policy of the catalog.
  private func contender() throws -> any Contender {
    let (isSource, isPython) = (candidate.hasSuffix(".c"), candidate.hasSuffix(".py"))
    guard isSource || isPython || candidate.hasPrefix("\(PluginLibrary.prefix):") else {
      let choices = try PolicyChoice.parse([candidate], among: KnownPolicies.all)
      guard let choice = choices.first, choices.count == 1 else {
        throw ValidationError("\(candidate) is not one policy; give one")
      }
      return try CatalogContender(choice, limits)
    }
    // From here on there are processes and a folder to be removed.
    Interruption.keepWork()
    if !unsandboxed && !NativeContender.canBeSandboxed {
      throw ValidationError(
        "this system has no Landlock and seccomp to confine a candidate's code; give --unsandboxed for "
          + "code that you trust")
    }
    if isPython {
      return try NativeContender(PythonSource(candidate), named: candidate, limits)
    }
    if isSource {
      let compiled = try CompiledSource(candidate, limits)
      return try NativeContender(
        compiled.policy, compiledFrom: (candidate, compiled.folder), limits)
    }
    return try NativeContender(Specification(parsing: candidate), limits)
  }

  private func document(
    of contender: some Contender, beside others: [CatalogContender]
  ) throws -> ScoreDocument {
    // Documents hold it as a number that every reader of JSON keeps.
    let salt = salt?.value ?? Int.random(in: 0..<1 << 53)
    let line = ProgressLine()
    defer { line.clear() }
    line.show("\(suite.suite.name): traces and baselines")
    let judge = try Judge(
      suite.suite, salt: salt, jobs: parallel.count, cancellation: Interruption.cancellation)
    var document = judge.judge(contender, beside: others) { done, all in
      line.show("\(done) of \(all) runs")
    }
    document.environment = .ofThisCommand(without: ["--output"])
    return document
  }
}

extension ScoreDocument {
  /// The judgement for people.
  fileprivate func table(style: ReportStyle) -> String {
    var table = TextTable([
      TextTable.Column("trace"), TextTable.Column("capacity", .right),
      TextTable.Column("miss %", .right), TextTable.Column("FIFO", .right),
      TextTable.Column("optimum", .right), TextTable.Column("score", .right),
      TextTable.Column("hidden", .right),
    ])
    for (shown, secret) in zip(traces, hidden.traces) {
      for (row, other) in zip(shown.rows, secret.rows) {
        table.append([
          TextTable.Cell(ScoreDocument.short(shown.name)), "\(row.capacity)",
          TextTable.Cell(row.missRatio.map(ScoreDocument.percent) ?? "–"),
          TextTable.Cell(ScoreDocument.percent(row.fifo)),
          TextTable.Cell(ScoreDocument.percent(row.optimum)),
          TextTable.Cell(ScoreDocument.share(of: row)),
          TextTable.Cell(ScoreDocument.share(of: other)),
        ])
      }
    }
    return table.text(style: style) + "\n" + sentences.map { "\($0)\n" }.joined()
  }

  private var sentences: [String] {
    let rows = (traces + hidden.traces).flatMap(\.rows)
    let failures = rows.compactMap(\.failure).unique
    let difference = ScoreDocument.number(overfit.difference)
    let optimum = optimumReduction.percent
    return [
      rows.contains(where: \.isCut) ? "* cut: it would be below -1" : nil,
      "score \(ScoreDocument.number(combinedScore)), hidden "
        + "\(ScoreDocument.number(hidden.combinedScore)) (--salt \(hidden.salt))",
      overfit.isExceeded
        ? "learned by heart: the public score is \(difference) above the hidden one, the margin is "
          + "\(ScoreMetric.margin)" : nil,
      meanReduction < 0
        ? "misses more: FIFO has \((-meanReduction).percent) fewer misses; the optimum reduces FIFO's by \(optimum)"
        : "reduces misses by \(meanReduction.percent), the optimum by \(optimum)",
      contract.conforms ? "conforms" : nil,
    ].compactMap(\.self) + contract.violations.map { "fails: \($0)" }
      + failures.map { "no result: \($0)" } + determinism.sentences
      + policies.map {
        "beside it \($0.policy): \(ScoreDocument.number($0.combinedScore)), hidden "
          + ScoreDocument.number($0.hiddenScore)
      }
      + [
        nanosecondsPerRequest.map {
          "\($0.digits(3)) ns a request, \(bytesPerEntry) bytes an entry"
        }
      ].compactMap(\.self)
  }

  /// The generators of a trace with their first parameters.
  private static func short(_ name: String) -> String {
    name.split(separator: "+").map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
      .joined(separator: "+")
  }

  private static func percent(_ ratio: Double) -> String {
    String(printing: "%.2f", ratio * 100)
  }

  private static func number(_ value: Double?) -> String {
    value.map { String(printing: "%.4f", $0) } ?? "–"
  }

  private static func share(of row: ScoreRow) -> String {
    number(row.share) + (row.isCut ? "*" : "")
  }
}

extension ScoreRow {
  /// True for a score that would be below -1.
  fileprivate var isCut: Bool { share == -1 && missRatio != nil }
}

extension ScoredDeterminism {
  fileprivate var sentences: [String] {
    [
      isRepeatable ? nil : "another run of the same gives other counts",
      ignoresKeys ? nil : "other keys or slots give other counts",
      ignoresTimes ? nil : "an hour later it gives other counts",
      failure.map { "not compared with another run, which \($0)" },
    ].compactMap(\.self)
  }
}

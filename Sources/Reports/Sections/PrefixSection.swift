import Parameters
import Rendering
import Results

/// Caches of prefixes: which order, what it gains beside more blocks, and what nothing can exceed, for each trace and
/// size, by every way of counting.
enum PrefixSection: ResultsSection {
  /// The question that the section answers.
  static let heading = "Which order, what does it gain, is it worth it"
  /// The largest number of traces with sentences of their own.
  static let mostSentences = 20
  /// The largest number of orders that are shown unfolded.
  private static let foldingLimit = 500

  static func section(of view: ResultsView) -> PageSection? {
    let (results, bounds) = (view.results, view.bounds)
    let answers = PrefixAnswer.all(of: results, bounds: bounds)
    guard let first = answers.first else { return nil }
    let rerun = PrefixRerun(results.environment)
    func command(_ answer: PrefixAnswer, _ policies: String) -> String? {
      rerun.command(answer, policies: policies)
    }
    let others = PrefixAnswer.Counting.allCases.filter { $0 != first.counting }.compactMap { way in
      let answers = PrefixAnswer.all(of: results, bounds: bounds, by: way)
      return answers.isEmpty
        ? nil
        : PageTable(
          answers.table(command: command), caption: "By \(way.name)", isSortable: true,
          foldingLimit: 0)
    }
    let orders = PrefixOrders(results, bounds: bounds).table(command: command)
    let count = orders.groups.joined().count
    let rows = count == 1 ? "1 row" : "\(count) rows"
    return PageSection(
      id: "answers", heading: heading, texts: answers.sentences(most: mostSentences),
      tables: [
        PageTable(
          answers.table(command: command),
          caption: "Each trace and size, by \(first.counting.name)", isSortable: true)
      ] + others
        + (count == 0
          ? []
          : [
            PageTable(
              orders, caption: "\(rows): every order, by every way of counting",
              isSortable: true, foldingLimit: foldingLimit)
          ]),
      notes: notes(on: answers), folded: explanations(of: answers, view.summaries))
  }

  /// A sentence on each order that ran, by name.
  private static func explanations(
    of answers: [PrefixAnswer], _ summaries: [String: String]
  ) -> (summary: String, notes: [String]) {
    let ran = answers.flatMap { $0.orders.map { String($0.label.prefix { $0 != ":" }) } }
    let names = (ran + ["lru", "opt"]).unique.filter { summaries[$0] != nil }.sorted()
    return (
      "The orders, a sentence on each",
      names.map { "\($0): \(summaries[$0] ?? "")." }
    )
  }

  /// The meaning of the columns.
  private static func notes(on answers: [PrefixAnswer]) -> [String] {
    [
      "The gap is what the optimum hits more than lru; an order closes a part of it, and a negative part is a loss. "
        + "Tokens count hit tokens / tokens; the mean of prompts weighs each prompt alike; blocks count a short last "
        + "block as a whole one. The optimum has the most block hits; in tokens a policy may hit more, but none more "
        + "than “no policy above”.",
      answers.contains { $0.best?.multiple != nil }
        ? "“lru needs × blocks” is the size at which lru hits as much as the order here, to within 0.05 points, from its "
          + "curve over all sizes: 1.10 says that a tenth more blocks do the same." : "",
      answers.contains { !$0.alike.isEmpty }
        ? "Orders cannot be told apart where the means of their hit ratios over other orders of the prompts differ by "
          + "at most two standard deviations of that difference." : "",
    ].filter { !$0.isEmpty }
  }
}

/// The command of a document, narrowed to one size of one trace.
struct PrefixRerun {
  /// The options that all its cells have; nil where the command is not known, or too involved to be taken apart.
  private let options: [Substring]?

  private static let flags: Set<Substring> = [
    "--free", "--curve", "--wide", "--resume", "--accept-other-build", "--no-baselines",
    "--no-yardstick",
  ]
  private static let replaced: Set<Substring> = [
    "--policy", "--capacity", "--format", "--output", "--jobs", "--curve", "--wide", "--resume",
    "--accept-other-build", "--no-baselines", "--no-yardstick",
  ]

  init(_ environment: Environment) {
    let words = (environment.command ?? "").split(separator: " ")
    guard words.count > 1, words[1] == "prefix",
      !words.joined().contains(where: { "'\"\\\n".contains($0) })
    else {
      options = nil
      return
    }
    var options: [Substring] = []
    var rest = words.dropFirst(2)
    while let word = rest.popFirst() {
      // What is no option is a trace.
      guard word.hasPrefix("-"), word != "-" else { continue }
      let name = word.prefix { $0 != "=" }
      let value =
        word.contains("=") || PrefixRerun.flags.contains(name) ? nil : rest.popFirst()
      if !PrefixRerun.replaced.contains(name) { options += [word] + [value].compactMap(\.self) }
    }
    self.options = options
  }

  /// The command that runs some policies at the size of an answer; nil where the document's is not known.
  func command(_ answer: PrefixAnswer, policies: String) -> String? {
    guard let options else { return nil }
    let isPlain = answer.setup == PrefixSetup(answer.setup.definition)
    let hasCurve = isPlain && !options.contains { $0.hasPrefix("--warmup") }
    let words =
      ["evict prefix", answer.trace.shellQuoted, "--policy", policies.shellQuoted]
      + ["--capacity", "\(answer.capacity)"] + (hasCurve ? ["--curve"] : [])
      + options.map(String.init)
    return words.joined(separator: " ")
  }
}

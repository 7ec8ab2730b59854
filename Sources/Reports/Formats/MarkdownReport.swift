import Parameters
import Rendering
import Results

/// Markdown for a repository or an issue: one table per trace, the best hit ratios in bold, and what
/// it was measured with: program, machine, commands, and the checksums of the traces.
///
///     ## OLTP.lis.zst: 914145 requests, 186880 distinct keys
///
///     | capacity | policy | hit ratio % | hits | M requests/s |
///     | ---: | :--- | ---: | ---: | ---: |
///     | 1000 | arc | **38.95** | 356015 | 15.90 |
enum MarkdownReport: ReportFormat {
  static let information = CatalogEntry(
    name: "markdown", summary: "one table per trace, with what it was measured with")

  static var showsChecksums: Bool { true }

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let sections =
      ReportSection.sections(of: results.ranked, bounds: style.bounds)
      + ReportSection.sections(ofEstimatesIn: results)
    let answers = PrefixAnswer.all(of: results, bounds: style.bounds)
    var parts =
      answers.isEmpty
      ? []
      : ["## \(PrefixSection.heading)\n"]
        + answers.sentences(most: PrefixSection.mostSentences).map { $0.markdownEscaped + "\n" }
        + [answers.table().markdown]
    parts += sections.flatMap { section in
      ["## \(section.title.markdownEscaped)\n\n" + section.table.markdown]
        + section.explanations.map { $0.markdownEscaped + "\n" }
    }
    let view = ResultsView(results, style: style)
    let others = [Headline.hits(beside: view.ranking), Verdict.bytes(of: view.comparisons)]
    parts += (results.notes + others.compactMap(\.self)).map { $0.markdownEscaped + "\n" }
    if let note = results.incompleteNote { parts.append(note + "\n") }
    parts.append(provenance(results.environment).markdownEscaped + "\n")
    parts += results.traces.compactMap { trace in
      trace.sha256.map { "\(trace.name.markdownEscaped): SHA-256 \($0.markdownEscaped)\n" }
    }
    // Lines that are indented are shown as they are.
    parts += results.commands.map { command in
      command.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { "    \(String($0).printable)\n" }.joined()
    }
    return parts.joined(separator: "\n")
  }

  private static func provenance(_ environment: Environment) -> String {
    let commit = environment.commit.map { " (\($0))" } ?? ""
    return "EvictionLab \(environment.version)\(commit), \(environment.toolchain), "
      + "\(environment.os), \(environment.cpu) with \(environment.cores) cores, "
      + "\(environment.date)."
  }
}

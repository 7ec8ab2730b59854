import Rendering
import Results

/// The program and the machine of the document, and the commands that measure it again.
enum EnvironmentSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let results = view.results
    return .environment(
      results.environment,
      texts: results.traces.isEmpty
        ? [] : ["On the same traces the hits are the same; times depend on the machine."],
      tables: results.traces.isEmpty ? [] : [table(of: results.traces, blocks(of: view))],
      commands: results.commands, notes: results.traces.isEmpty ? [] : notes(of: view))
  }

  /// The distinct blocks of each trace by its name, where runs are of caches of prefixes; nil for other runs.
  private static func blocks(of view: ResultsView) -> [String: Int]? {
    let runs = view.results.measurements
    if runs.isEmpty || !runs.allSatisfy({ $0.kind == .prefix }) { return nil }
    let answers = PrefixAnswer.all(of: view.results, bounds: view.bounds)
    return Dictionary(
      answers.compactMap { answer in answer.distinct.map { (answer.trace, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The meaning of the columns that only traces of prompts have.
  private static func notes(of view: ResultsView) -> [String] {
    guard let blocks = blocks(of: view) else { return [] }
    return [
      "A request is one block of one prompt. An id is the number that the trace writes for a block"
        + (blocks.isEmpty
          ? "."
          : "; a block is an id behind all that precede it in its prompt, as a cache of prefixes can only use "
            + "it there. Where ids name contents, one id stands for several blocks. Sizes and “of all %” count "
            + "blocks, compulsory misses are of ids.")
    ]
  }

  /// - Parameter blocks: The distinct blocks by trace, where requests are those of prompts.
  private static func table(of traces: [TraceSummary], _ blocks: [String: Int]?) -> PageTable {
    let hasBlocks = blocks?.isEmpty == false
    var columns: [TextTable.Column] = [
      .init("trace"), .init("format"), .init("requests", .right),
      .init(blocks == nil ? "distinct keys" : "ids", .right),
    ]
    if hasBlocks { columns.append(.init("blocks", .right)) }
    columns += [.init("compulsory misses %", .right), .init("SHA-256")]
    var table = TextTable(columns)
    for trace in traces {
      var row: [TextTable.Cell] = [
        .init(trace.name), .init(trace.formatText), .init("\(trace.requests)"),
        .init("\(trace.distinct)"),
      ]
      if hasBlocks { row.append(.init(blocks?[trace.name].map { "\($0)" } ?? "–")) }
      row += [
        .init(
          trace.compulsoryMissRatio.map {
            Estimate.hundredths($0) + (trace.gets == nil ? "" : " of the gets")
          } ?? "–"),
        .init(trace.sha256 ?? "–"),
      ]
      table.append(row)
    }
    return PageTable(table, caption: "Traces")
  }
}

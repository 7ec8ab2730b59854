import Rendering
import Results

/// The program and the machine of the document, and the commands that measure it again.
enum EnvironmentSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let results = view.results
    return PageSection(
      id: "environment", heading: "How to measure it again",
      texts: results.traces.isEmpty
        ? [] : ["On the same traces the hits are the same; times depend on the machine."],
      facts: facts(on: results.environment),
      tables: results.traces.isEmpty ? [] : [table(of: results.traces)],
      commands: results.commands)
  }

  /// The program and the machine.
  static func facts(on environment: Environment) -> [PageFact] {
    let commit = environment.commit.map { " (commit \($0))" } ?? ""
    return [
      PageFact("version", "EvictionLab \(environment.version)\(commit)"),
      PageFact("toolchain", environment.toolchain), PageFact("system", environment.os),
      PageFact("processor", "\(environment.cpu), \(environment.cores) cores"),
      PageFact("date", environment.date),
    ]
  }

  private static func table(of traces: [TraceSummary]) -> PageTable {
    var table = TextTable([
      .init("trace"), .init("format"), .init("requests", .right), .init("distinct keys", .right),
      .init("compulsory misses %", .right), .init("SHA-256"),
    ])
    for trace in traces {
      table.append([
        .init(trace.name), .init(trace.formatText), .init("\(trace.requests)"),
        .init("\(trace.distinct)"),
        .init(
          trace.compulsoryMissRatio.map {
            Estimate.hundredths($0) + (trace.gets == nil ? "" : " of the gets")
          } ?? "–"),
        .init(trace.sha256 ?? "–"),
      ])
    }
    return PageTable(table, caption: "Traces")
  }
}

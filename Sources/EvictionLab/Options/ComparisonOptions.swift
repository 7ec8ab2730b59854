import ArgumentParser
import Comparison
import Foundation
import Rendering
import Results
import Traces

/// The tolerances and the form of a comparison of two results documents.
struct ComparisonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the comparison.", valueName: "name"))
  var format = ReportName<ComparisonReports>()

  @Option(
    help: ArgumentHelp(
      "Tolerated difference of instructions, in percent.", valueName: "percent", visibility: .detail
    ))
  var instructionTolerance = 0.5

  @Option(
    help: ArgumentHelp(
      "Tolerated difference of times from process to process, in percent.",
      valueName: "percent", visibility: .detail))
  var timeTolerance = 5.0

  @Option(
    help: ArgumentHelp(
      "Probability that any verdict on times is wrong, of all cells together, in percent.",
      valueName: "percent", visibility: .detail))
  var timeError = 1.0

  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    for (name, value, limit) in [
      ("--instruction-tolerance", instructionTolerance, 100.0),
      ("--time-tolerance", timeTolerance, 1000),
      ("--time-error", timeError, 50),
    ] where !(value > 0 && value <= limit) {
      throw ValidationError("\(name) \(value) is out of range; give more than 0, up to \(limit)")
    }
  }

  /// The tolerances.
  var tolerances: ResultComparison.Tolerances {
    ResultComparison.Tolerances(
      instructions: instructionTolerance / 100, time: timeTolerance / 100,
      errorRate: timeError / 100)
  }

  private var isForGitHub: Bool {
    ComparisonReports.information(of: format.form).name == GitHubAnnotations.information.name
  }

  /// Writes a judgement in that form; as annotations of GitHub, a table for the step's summary as well.
  private func write(_ judgement: Judgement) throws(TraceError) {
    try destination.write { format.form.render(judgement, style: $0) }
    if isForGitHub, let markdown = ComparisonReports.form(named: "markdown") {
      try summarize(markdown.render(judgement, style: .plain))
    }
  }

  /// Compares, and writes the judgement in that form; an error as well, where the form has a place for the reason why
  /// nothing could be compared.
  ///
  /// - Parameters:
  ///   - inputs: The files that the command reads, none of which is written.
  ///   - compare: Returns the new results and the judgement; nil where there is nothing to compare them with.
  func comparing(
    _ inputs: [String], _ compare: () throws -> (results: ResultSet, judgement: Judgement?)
  ) throws -> (results: ResultSet, judgement: Judgement?) {
    try destination.check(inputs: inputs)
    let compared: (results: ResultSet, judgement: Judgement?)
    do { compared = try compare() } catch {
      let problem = "\(error)"
      if let report = format.form.report(onError: problem) {
        try destination.write { _ in report }
        if isForGitHub { try summarize(problem.markdownEscaped) }
      }
      throw error
    }
    if let judgement = compared.judgement { try write(judgement) }
    return compared
  }

  private func summarize(_ text: String) throws(TraceError) {
    let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY", default: ""]
    if !summary.isEmpty { try append(text + "\n", to: summary) }
  }

  /// Appends to a file, which steps before this one may have written.
  private func append(_ text: String, to path: String) throws(TraceError) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .io(file: path, action: "write", byte: 0, code: errno) }
    defer { close(file) }
    var place = 0
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { bytes throws(TraceError) in
      try UnsafeRawBufferPointer(bytes).write(to: file, file: path, place: &place)
    }
  }
}

import ArgumentParser
import Foundation
import Rendering
import Reports
import Results
import Traces

/// The form of results, and their destination.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Form.", valueName: "name"))
  var format: ReportName<ReportFormats>?

  @OptionGroup var destination: DestinationOptions

  private var form: any ReportFormat.Type { (format ?? named ?? ReportName()).form }

  /// The form that the file's name ends in; nil where it ends in none.
  private var named: ReportName<ReportFormats>? {
    guard let file = destination.output, let dot = file.lastIndex(of: ".") else { return nil }
    let ending = String(file[file.index(after: dot)...])
    return ReportName(argument: ["md": "markdown", "tex": "latex"][ending] ?? ending)
  }

  /// True where the form is the results document.
  var isDocument: Bool { form == ReportFormats.document }

  /// True where the form shows the checksums of the traces.
  var showsChecksums: Bool { form.showsChecksums }

  /// True where the form shows the curves beside results.
  var showsReferences: Bool { form.showsReferences }

  /// Makes the results document the form, unless a form was given, or the file's name ends in one.
  mutating func preferDocument() { format = format ?? named ?? ReportName(ReportFormats.document) }

  /// Refuses a file that could not be written, or whose loss would hurt, before the work is done in vain.
  ///
  /// - Parameters:
  ///   - inputs: The files that the command reads.
  ///   - completes: True where the command reads the document that it will replace, and completes it.
  func check(inputs: [String], completes: Bool = false) throws(TraceError) {
    try destination.check(
      isDocument
        ? .document(schema: ResultSet.schema)
        : .results(form: ReportFormats.information(of: form).name),
      inputs: inputs, completes: completes)
  }

  /// Writes the results, whole or not at all.
  ///
  /// - Parameter restyle: Changes the style that the place has by default.
  func write(
    _ results: ResultSet, restyle: (inout ReportStyle) -> Void = { _ in }
  ) throws(TraceError) {
    let unranked = KnownPolicies.unranked
    var results = results
    results.estimates = results.estimated(bounds: unranked)
    results.leaders = results.leaders(bounds: unranked)
    results.notes = KnownPolicies.notesOnLearners(in: results)
    let groups = results.rankedGroups(bounds: unranked)
    let metric = results.rankingMetric
    // Publications order policies by their misses.
    let published = groups.first { metric == .misses && $0.basis == .recorded && $0.isRanked }
    let omissions = KnownPolicies.omissions(from: groups, in: results)
    results.suite?.rank(
      groups, by: metric, omissions: omissions, published: published?.publishedOrders ?? [])
    try destination.write { (style) throws(TraceError) in
      var style = style
      style.bounds = unranked
      style.summaries = KnownPolicies.summaries
      restyle(&style)
      if let (problem, remedy) = form.emptiness(of: results.recorded, style: style) {
        throw .usage(problem: problem, remedy: remedy)
      }
      return form.render(form.showsVariations ? results : results.recorded, style: style)
    }
  }

  /// Writes claims, as a table, Markdown or a page.
  func write(_ claims: [ClaimDocument]) throws {
    let name = ReportFormats.information(of: form).name
    let table = ClaimDocument.table(claims)
    let remarks = ClaimDocument.remarks(claims)
    switch name {
    case "table":
      try destination.write { table.text(style: $0) + "\n" + remarks.map { $0 + "\n" }.joined() }
    case "markdown":
      try destination.write { _ in
        table.markdown + remarks.map { "\n" + $0.markdownEscaped + "\n" }.joined()
      }
    case "html": try destination.write { _ in ClaimPage.html(claims) }
    default:
      throw ValidationError("claims have no form \(name); give table, markdown or html")
    }
  }
}

/// The destination of a report.
struct DestinationOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Show all columns, however wide.")
  var wide = false

  private var path: String { output ?? "-" }

  /// The file; nil for standard output and devices.
  var file: String? { output.flatMap { OutputFile.isFile($0) ? $0 : nil } }

  /// Refuses a file that could not be written, or whose loss would hurt, before the work is done in vain.
  func check(
    _ content: OutputFile.Content = .report, inputs: [String], completes: Bool = false
  ) throws(TraceError) {
    try OutputFile.check(path, content, inputs: inputs, completes: completes)
  }

  /// Writes a report as the place can show it, whole or not at all.
  func write(
    _ report: (ReportStyle) throws(TraceError) -> String
  ) throws(TraceError) {
    let isTerminal = path == "-" && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    let width = isTerminal ? Terminal.width(of: 1) : Terminal.usualWidth
    let style = ReportStyle(
      isColored: isTerminal && wantsColor, width: wide ? nil : width,
      proseWidth: isTerminal ? width : nil)
    try WholeFile.write(report(style), to: path)
  }
}

/// The name of a form of reports on the command line; the catalog's default if none is given.
struct ReportName<Catalog: ReportCatalog>: ExpressibleByArgument {
  let form: Catalog.Form

  init() { form = Catalog.all[0] }

  init(_ form: Catalog.Form) { self.form = form }

  init?(argument: String) {
    guard let form = Catalog.form(named: argument) else { return nil }
    self.form = form
  }

  static var allValueStrings: [String] { Catalog.names }

  var defaultValueDescription: String { Catalog.information(of: form).name }
}

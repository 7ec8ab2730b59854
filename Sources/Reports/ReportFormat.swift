import Parameters
import Rendering
import Results

/// Foundation has a type of that name, too.
package typealias Measurement = Results.Measurement

/// A form in which results are printed: one file in `Formats`, one line in ``ReportFormats``.
package protocol ReportFormat: SendableMetatype {
  /// Name and summary.
  static var information: CatalogEntry { get }

  /// True if the report names the files by their checksums: only then are they computed.
  static var showsChecksums: Bool { get }

  /// True if the report shows the curves beside the results: only then are they computed.
  static var showsReferences: Bool { get }

  /// True if each variation of a run has a row of its own; else a run has what they say of it.
  static var showsVariations: Bool { get }

  /// The whole report, its last line ended.
  static func render(_ results: ResultSet, style: ReportStyle) -> String

  /// The reason why the report of these results shows nothing, and what to do; nil where it shows something.
  static func emptiness(
    of results: ResultSet, style: ReportStyle
  ) -> (problem: String, remedy: String)?
}

extension ReportFormat {
  /// No checksums.
  package static var showsChecksums: Bool { false }
  /// No variations.
  package static var showsVariations: Bool { false }
  /// No reference curves.
  package static var showsReferences: Bool { false }
  /// Nil: it shows something.
  package static func emptiness(
    of results: ResultSet, style: ReportStyle
  ) -> (problem: String, remedy: String)? { nil }
}

/// The catalog of report formats.
package enum ReportFormats: ReportCatalog {
  /// Every format, the default first; a new one is one file and one line here.
  package static let all: [any ReportFormat.Type] = [
    TableReport.self,
    JSONReport.self,
    CSVReport.self,
    RankingReport.self,
    LaTeXReport.self,
    LaTeXGridReport.self,
    MarkdownReport.self,
    JUnitReport.self,
    PageReport.self,
    PictureReport.self,
    DarkPictureReport.self,
    PDFReport.self,
  ]

  /// The results document, which other commands read.
  package static let document: any ReportFormat.Type = JSONReport.self

  /// Name and summary of a form.
  package static func information(of form: any ReportFormat.Type) -> CatalogEntry {
    form.information
  }
}

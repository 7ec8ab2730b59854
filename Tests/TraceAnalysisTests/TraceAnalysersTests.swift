import Foundation
import Testing
import TraceAnalysis
import Traces

/// The families of figures and reports.
@Suite struct TraceAnalysersTests {
  private func files(of folder: String) throws -> [String] {
    let path = URL(filePath: #filePath).resolvingSymlinksInPath()
      .appending(path: "../../../Sources/TraceAnalysis/\(folder)").standardized.path
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .map { $0.replacing(".swift", with: "") }.sorted()
  }

  @Test func everyFigureIsRegistered() throws {
    let trace = Trace.of(
      [1, 2], sizes: [1, 2], times: [0, 1], operations: [.get, .set], ttls: [1, 2],
      groupStarts: [0],
      prompts: PromptColumns(blockTokens: 1, lengths: [PromptLengths(input: 2)]))
    let figures = try TraceProfile(trace).figures
    #expect(figures.map { "\(type(of: $0))" }.sorted() == (try files(of: "Figures")))
    let keys = figures.flatMap { type(of: $0).keys }
    #expect(Set(keys).count == keys.count, "no two figures fill the same member")
  }

  @Test func everyReportIsRegistered() throws {
    let reports = try files(of: "Reports").filter { $0.hasPrefix("Trace") && $0 != "TraceReport" }
    #expect(TraceReports.all.map { "\($0)" }.sorted() == reports)
  }
}

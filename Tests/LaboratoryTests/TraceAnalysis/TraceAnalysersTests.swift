import Foundation
import Testing

@testable import Laboratory

@Suite struct TraceAnalysersTests {
  private func files(of folder: String) throws -> [String] {
    let path = URL(filePath: #filePath).resolvingSymlinksInPath()
      .appending(path: "../../../../Sources/Laboratory/TraceAnalysis/\(folder)").standardized.path
    return try FileManager.default.contentsOfDirectory(atPath: path)
  }

  @Test func everyFigureIsRegistered() throws {
    let figures = try files(of: "Figures").map { $0.replacing(".swift", with: "") }.sorted()
    #expect(TraceAnalysers.all.map { $0.figureName }.sorted() == figures)
  }

  @Test func everyReportIsRegistered() throws {
    let reports = try files(of: "Reports").filter {
      $0.hasPrefix("Trace") && $0 != "TraceReport.swift"
    }
    #expect(TraceReports.all.map { "\($0).swift" }.sorted() == reports.sorted())
  }

  @Test func noTwoFiguresFillOneMember() {
    let keys = TraceAnalysers.all.flatMap { $0.keys }
    #expect(Set(keys).count == keys.count)
  }
}

extension TraceAnalyser {
  fileprivate static var figureName: String { "\(Figure.self)" }
}

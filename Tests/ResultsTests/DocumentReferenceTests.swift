import Foundation
import Results
import Testing

/// The guide explains the members that documents have, and no others.
@Suite struct DocumentReferenceTests {
  private static let article = URL(filePath: #filePath)
    .appending(path: "../../../Sources/EvictionLab/EvictionLab.docc/ResultsDocument.md")
    .standardized
  private static let heading = "\n## Members\n\n"

  /// `EVICTIONLAB_WRITE_REFERENCE=1 swift test --filter DocumentReferenceTests` writes it again.
  @Test func guideHoldsTheReference() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let start = try #require(text.range(of: Self.heading)).upperBound
    if ProcessInfo.processInfo.environment["EVICTIONLAB_WRITE_REFERENCE"] != nil {
      try (text[..<start] + ResultSet.reference).write(
        to: Self.article, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start...] == ResultSet.reference)
    }
  }

  /// Objects stand in the reference once for each title, members once for each key.
  @Test func titlesAndKeysAreUnambiguous() {
    func parts(_ part: DocumentPart) -> [DocumentPart] {
      [part] + part.rows.flatMap(\.parts).flatMap(parts)
    }
    let all = ResultSet.format.parts.flatMap(parts)
    #expect(all.count > 20)
    for alike in Dictionary(grouping: all, by: \.title).values {
      let keys = Set(alike.map { $0.rows.map(\.key) })
      #expect(keys.count == 1, "\(alike[0].title)")
      for keys in keys { #expect(Set(keys).count == keys.count, "\(alike[0].title)") }
    }
  }
}

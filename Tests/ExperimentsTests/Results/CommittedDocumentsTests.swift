import Experiments
import Foundation
import Results
import Runner
import Testing

/// Documents that were published stay what they are: a reader that forgets a member, or a writer that
/// turns `1.0` into `1`, changes their bytes.
@Suite struct CommittedDocumentsTests {
  private static let folder = URL(filePath: #filePath).appending(path: "../../../../results")
    .standardized

  /// The documents under `results` that name this schema.
  private static func documents(of schema: String) -> [String] {
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (files ?? []).filter { name in
      guard name.hasSuffix(".json"), let bytes = try? read(name),
        case .string(schema) = (try? JSON(reading: bytes))?["schema"]
      else { return false }
      return true
    }.sorted()
  }

  private static func read(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: name))
  }

  @Test func resultsAreWrittenBackByteForByte() throws {
    // A ranking is there once `make ranking` has made it.
    let names =
      Self.documents(of: ResultSet.schema) + Self.documents(of: ResultSet.rankingSchema)
    #expect(names.contains("baseline.json") && names.contains("reference/OLTP.json"))
    for name in names {
      let bytes = try Self.read(name)
      let text = try ResultSet(reading: bytes, file: name).json.document
      #expect(text == String(decoding: bytes, as: UTF8.self), "\(name)")
    }
  }

  @Test func vectorsAreWrittenBackByteForByte() throws {
    let names = Self.documents(of: TestVectorDocument.schema)
    #expect(names == ["vectors.json"])
    for name in names {
      let bytes = try Self.read(name)
      let text = try TestVectorDocument.text(TestVectorDocument.read(bytes, file: name))
      #expect(text == String(decoding: bytes, as: UTF8.self), "\(name)")
    }
  }
}

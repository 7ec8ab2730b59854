import Claims
import Foundation
import Testing

@Suite struct ClaimCatalogTests {
  @Test func everyClaimIsRegistered() {
    #expect(ClaimCatalog.all.map(\.id) == (1...32).map { "C\($0)" })
  }

  @Test func everyFileIsRegistered() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Claims/Catalog")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let ids = try files.map { file in
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      return try #require(text.firstMatch(of: /Claim\(\s+"(C\d+)"/)?.1, "\(file)")
    }
    #expect(ids.map(String.init).sorted() == ClaimCatalog.all.map(\.id).sorted())
  }

  @Test func conditionsOfAClaimDiffer() {
    for claim in ClaimCatalog.all {
      let levels = claim.conditions.map { $0.factors.map { "\($0.name)=\($0.level)" } }
      #expect(Set(levels).count == levels.count, "\(claim.id)")
    }
  }
}

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
    #expect(Set(files) == Set(ClaimCatalog.all.map { "\($0.id).swift" }))
  }

  @Test func conditionsOfAClaimDiffer() {
    for claim in ClaimCatalog.all {
      let levels = claim.conditions.map { $0.factors.map { "\($0.name)=\($0.level)" } }
      #expect(Set(levels).count == levels.count, "\(claim.id)")
    }
  }
}

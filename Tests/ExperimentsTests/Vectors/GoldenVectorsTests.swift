import Experiments
import Foundation
import RecordedTraces
import Requests
import Runner
import Testing
import Traces

/// The evictions of the policies on the bundled traces must not change unless a policy's definition does. The
/// plain models do the same on the first requests of these traces.
@Suite("The published test vectors hold", .inReleaseBuilds)
struct GoldenVectorsTests {
  private static let file = URL(filePath: #filePath)
    .appending(path: "../../../../results/vectors.json").standardized

  private static func vectors() throws -> [TestVector] {
    try TestVectorDocument.read(Data(contentsOf: file), file: file.lastPathComponent)
  }

  @Test("on every bundled trace", arguments: WholeTraces.bundled)
  func vectorsHold(trace name: String) throws {
    let vectors = try Self.vectors().filter { $0.trace == name }
    #expect(!vectors.isEmpty)
    let trace = try WholeTraces.load(name, columns: [.sizes, .keyLengths])
    for vector in vectors {
      let stream = RequestStream(
        trace, isSized: vector.unit == .bytes, limit: vector.requests,
        needs: [.keyHash, .nextUse])
      let choice = try PolicyChoice(vector.policy)
      let divergence = try vector.divergence(of: choice, over: stream)
      #expect(divergence == nil, "\(vector.policy) at \(vector.capacity)")
    }
  }

  @Test("for every policy that can be run on any trace")
  func everyPolicyHasVectors() throws {
    let named = Set(try Self.vectors().map(\.policy.name))
    let all = RunnablePolicyEntry.catalog
      .filter { $0.needs.isSubset(of: [.keyHash, .nextUse]) }
      .map(\.information.name)
    #expect(all.filter { !named.contains($0) } == [])
  }
}

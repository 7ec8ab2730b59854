import EvictionLab
import Foundation
import Testing
import Traces

@Suite struct TraceManifestTests {
  @Test func bundledManifestIsWhole() throws {
    let traces = try TraceManifest.bundled().traces
    #expect(traces.count >= 20 && Set(traces.map(\.name)).count == traces.count)
    for trace in traces {
      #expect(throws: Never.self, "\(trace.name)") { try TraceFormats.format(trace.format) }
      #expect(trace.sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil, "\(trace.name)")
      #expect(trace.requests >= trace.distinct && trace.distinct > 0, "\(trace.name)")
      #expect(!trace.licence.isEmpty && !trace.citation.isEmpty, "\(trace.name)")
    }
  }

  @Test func tracesAreFoundByTheirNames() throws {
    let manifest = try TraceManifest.bundled()
    #expect(try manifest.trace(named: "OLTP.lis.zst").format == "lis")
    let known = manifest.traces.map(\.name)
    #expect(throws: FetchError.unknown(name: "no", known: known)) {
      try manifest.trace(named: "no")
    }
  }

  @Test func checksumsMayHaveUpperCaseLetters() throws {
    let manifest = try TraceManifest(
      reading: """
        {"schema": "evictionlab.manifest/1", "traces": [{"name": "a", "format": "plain",
         "url": "http://a", "sha256": "0AbC", "bytes": 1, "requests": 1, "distinct": 1,
         "licence": "free", "citation": "Nobody"}]}
        """.utf8, file: "m.json")
    #expect(manifest.traces[0].sha256 == "0abc")
  }

  @Test func failuresNameTheRemedy() {
    func wrong(_ resumed: Bool) -> String {
      FetchError.wrongChecksum(
        name: "a.txt", url: "http://a", expected: "1", found: "2", resumed: resumed
      ).description
    }
    #expect(
      wrong(false)
        == "a.txt: the SHA-256 of http://a is 2, not 1; the file there has changed, and nothing was kept"
    )
    #expect(
      wrong(true)
        == "a.txt: the SHA-256 of what an earlier call kept and the rest of http://a is 2, not 1; "
        + "nothing was kept, run it again to fetch the whole")
    #expect(
      FetchError.cancelled(name: "a.txt", kept: 7, of: 9).description
        == "a.txt: stopped; 7 of 9 bytes are kept, run it again to go on")
    #expect(
      FetchError.unknown(name: "no", known: ["a", "b"]).description
        == "no trace is called “no”; known are a, b")
  }

  /// A download that is stopped where it begins.
  @Test func addressThatIsNoneIsSaid() throws {
    let manifest = try TraceManifest(
      reading: """
        {"schema": "evictionlab.manifest/1", "traces": [{"name": "a", "format": "plain",
         "url": "http://[", "sha256": "0", "bytes": 1, "requests": 1, "distinct": 1,
         "licence": "free", "citation": "Nobody"}]}
        """.utf8, file: "m.json")
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The words are curl's, and differ between its versions.
    #expect {
      try TraceFetcher(folder: folder.path).fetch(manifest.traces[0])
    } throws: { error in
      guard case .connection("a", "http://[", let problem, 0, 1) = error as? FetchError else {
        return false
      }
      return problem.contains("URL")
    }
  }
}

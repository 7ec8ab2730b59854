import EvictionLab
import Foundation
import Testing

/// The frozen list of traces.
@Suite struct TraceListTests {
  private let list: TraceList

  init() throws { list = try TraceList.bundled() }

  @Test func publicTracesAreThoseOfTheManifest() throws {
    let manifest = try TraceManifest.bundled().traces
    let listed = list.entries.filter { !$0.isBundled }
    #expect(Set(listed.map(\.name)) == Set(manifest.map(\.name)))
    for entry in listed {
      #expect(manifest.contains { $0.name == entry.name && $0.sha256 == entry.sha256 }, "\(entry)")
    }
  }

  @Test func bundledTracesAreThoseOfTheirFolder() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../traces").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let listed = list.entries.filter(\.isBundled)
    #expect(Set(listed.map(\.name)) == Set(files.filter { $0.hasSuffix(".zst") }))
    let found = try FoundTraces(list, folders: [folder.path])
    #expect(found.found.count >= listed.count)
    #expect(found.found.count + found.missing.count == list.entries.count)
    for (place, trace) in found.found.enumerated() where trace.entry.isBundled {
      try found.check(place..<place + 1)
    }
  }
}

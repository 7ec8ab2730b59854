import Foundation
import Testing
import Traces

@Suite struct TraceWriterTests {
  private let folder = TemporaryFolder()
  private let specification = "zipf:keys=500:requests=20000:size=32"

  private func write(
    _ name: String, format: String? = nil, progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Int {
    try TraceWriter.write(
      TraceGenerators.generator(specification), to: folder.path + "/" + name, format: format,
      progress: progress)
  }

  @Test(arguments: [
    "a.oracleGeneral", "a.oracleGeneral.zst", "a.txt", "a.txt.zst",
  ])
  func whatIsWrittenReadsAsWhatWasGenerated(_ name: String) throws {
    let bytes = try write(name)
    let path = folder.path + "/" + name
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == bytes)
    let trace = try TraceLoader.load(path: path, columns: .all)
    let made = try TraceGenerators.trace(specification, columns: .all)
    #expect(ids(trace) == ids(made))
    #expect(Array(trace.keyHashes()) == Array(made.keyHashes()))
    if trace.format == "oracleGeneral" {
      #expect(trace.sizes.map(Array.init) == made.sizes.map(Array.init))
      #expect(trace.times.map(Array.init) == made.times.map(Array.init))
    }
    #expect(folder.files == [name])
  }

  @Test func theBytesOfASeedNeverChange() throws {
    _ = try write("a.oracleGeneral")
    #expect(
      try TraceLoader.sha256(ofFile: folder.path + "/a.oracleGeneral")
        == "35894456d39c469eaeef9337671d2fae34946426d7604e93926cf59e0ab07a24")
    _ = try write("a.txt")
    #expect(
      try TraceLoader.sha256(ofFile: folder.path + "/a.txt")
        == "b01fc6226b28af37c5667f3f702bf1409ab0a16ad78721ec77cefef3f75629ce")
  }

  @Test func aFileIsReplacedWhole() throws {
    let path = folder.file("a.txt", Array("old\n".utf8))
    let error = failure { () throws(TraceError) in
      _ = try TraceWriter.write(
        TraceGenerators.generator("zipf:requests=3000000"), to: path, progress: { _ in false })
    }
    #expect(error == .cancelled(file: path))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n")
    #expect(folder.files == ["a.txt"])
    _ = try write("a.txt")
    #expect(try TraceLoader.load(path: path).requests == 20_000)
  }

  @Test func aFullDiskIsAnIOError() throws {
    try #require(FileManager.default.fileExists(atPath: "/dev/full"))
    for format in ["oracleGeneral", "plain"] {
      let error = failure { () throws(TraceError) in
        _ = try TraceWriter.write(
          TraceGenerators.generator(specification), to: "/dev/full", format: format)
      }
      #expect(
        error?.description
          == "/dev/full: cannot write at byte 0: no space left on device; free some space")
    }
  }

  @Test func aPlaceThatIsNoneIsRefused() throws {
    let error = failure { () throws(TraceError) in
      _ = try TraceWriter.write(
        TraceGenerators.generator(specification), to: folder.path + "/no/a.txt")
    }
    #expect(error == .missing(file: folder.path + "/no"))
    let onFolder = failure { () throws(TraceError) in
      _ = try TraceWriter.write(TraceGenerators.generator(specification), to: folder.path)
    }
    #expect(onFolder == .folder(file: folder.path))
    #expect(folder.files.isEmpty)
  }

  @Test func onlySomeFormatsAreWritten() {
    let error = failure { () throws(TraceError) in _ = try write("a.txt", format: "lis") }
    #expect(
      error?.description
        == "traces are not written as 'lis'; choose one of oracleGeneral, plain")
    #expect(Set(TraceWriter.formats).isSubset(of: TraceFormats.all.map { $0.information.name }))
  }
}

import Foundation
import Testing
import Traces

@Suite struct FileSourceTests {
  private func failureOfLoading(_ path: String) -> TraceError? {
    failure { () throws(TraceError) in _ = try TraceLoader.load(path: path) }
  }

  @Test func aFileIsNamedWithoutItsFolder() throws {
    let folder = TemporaryFolder()
    let trace = try TraceLoader.load(path: folder.file("some keys", Array("1\n2\n1\n".utf8)))
    #expect(trace.name == "some keys")
    #expect(trace.requests == 3)
  }

  @Test func aMissingFileIsMissing() {
    let error = failureOfLoading("/nowhere/keys.txt")
    #expect(error?.kind == .missing)
    #expect(error?.description == "/nowhere/keys.txt: no such file; check the path")
  }

  @Test func aFolderIsNoTrace() {
    let folder = TemporaryFolder()
    let error = failureOfLoading(folder.path)
    #expect(error?.kind == .io)
    #expect(error?.description == "\(folder.path): is a folder; name a file in it")
  }

  @Test func aForbiddenFileSaysSo() {
    #expect(
      TraceError.io(file: "keys.txt", action: "open", byte: 0, code: EACCES).description
        == "keys.txt: cannot open: permission denied; check its permissions")
    let folder = TemporaryFolder()
    let path = folder.file("keys.txt", Array("1\n".utf8))
    chmod(path, 0)
    // The system refuses nothing to its owner of all.
    if geteuid() != 0 { #expect(failureOfLoading(path)?.kind == .io) }
  }

  @Test func anEmptyFileHasNoRequests() {
    let folder = TemporaryFolder()
    let path = folder.file("keys.txt")
    let error = failureOfLoading(path)
    #expect(error?.kind == .data)
    #expect(
      error?.description
        == "\(path): 0 requests, at most a header or comments; fetch or record it again")
  }

  /// The part that was read would pass as a whole trace.
  @Test(arguments: [0, 700_000])
  func aFileThatIsCutWhileItIsReadIsRefused(_ bytes: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("keys.txt", Array(String(repeating: "key\n", count: 2_000_000).utf8))
    let error = failure { () throws(TraceError) in
      _ = try TraceLoader.load(path: path) { _ in truncate(path, off_t(bytes)) == 0 }
    }
    #expect(error?.kind == .data)
    let text = error?.description ?? ""
    #expect(text.hasPrefix("\(path): byte "))
    #expect(
      text.hasSuffix(
        ": the file ends here, and had 8000000 bytes when it was opened; read it again when nothing "
          + "writes to it"))
  }

  @Test func aPipeIsReadToItsEnd() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      guard let file = fopen(path, "w") else { return }
      for key in 0..<100_000 { fputs("\(key % 77)\n", file) }
      fclose(file)
    }
    writer.start()
    let trace = try TraceLoader.load(path: path)
    #expect(trace.requests == 100_000 && trace.distinct == 77)
  }

  @Test func digestsAreThoseOfTheStoredBytes() throws {
    let folder = TemporaryFolder()
    let digest = try TraceLoader.sha256(ofFile: folder.file("abc", Array("abc".utf8)))
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func progressIsReportedAndMayStopTheWork() throws {
    let bytes = Array(String(repeating: "a-key-of-some-length\n", count: 300_000).utf8)
    var reports: [(Int, Int?, Int)] = []
    _ = try TraceLoader.load(
      bytes: bytes, name: "keys",
      progress: { progress in
        reports.append((progress.bytes, progress.totalBytes, progress.requests))
        return true
      })
    #expect((3...6).contains(reports.count))
    #expect(reports.allSatisfy { $0.1 == bytes.count })
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.0 < $1.0 && $0.2 < $1.2 })
    let error = failure { () throws(TraceError) in
      _ = try TraceLoader.load(bytes: bytes, name: "keys", progress: { _ in false })
    }
    #expect(error == .cancelled(file: "keys"))
    #expect(error?.kind == .cancelled)
  }
}

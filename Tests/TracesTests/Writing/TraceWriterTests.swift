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
      SyntheticWorkload(phases: [specification]), to: folder.path + "/" + name, format: format,
      progress: progress)
  }

  @Test(arguments: [
    "a.oracleGeneral", "a.oracleGeneral.zst", "a.txt", "a.txt.zst", "a.lis", "a.lcs", "a.lcs.zst",
    "a.evtrace", "a.evtrace.zst",
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
    if !["plain", "lis"].contains(trace.format) {
      #expect(trace.sizes.map(Array.init) == made.sizes.map(Array.init))
      let unit: Int64 = trace.format == "evt" ? 1 : 1_000_000_000
      #expect(trace.times.map(Array.init) == made.times?.map { $0 / unit * unit })
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

  @Test(arguments: ["a.evtrace", "a.evtrace.zst", "a.lcs", "a.txt", "a.oracleGeneral"])
  func aStopLeavesNothing(_ name: String) throws {
    let path = folder.path + "/" + name
    let trace = try TraceGenerators.trace("zipf:keys=100:requests=600000")
    for kept in [0, 1, 3] {
      var calls = 0
      var requests = 0
      let error = failure { () throws(TraceError) in
        _ = try TraceWriter.write(trace, to: path) { progress in
          calls += 1
          #expect((requests...600_000).contains(progress.requests))
          requests = progress.requests
          return calls <= kept
        }
      }
      #expect(error == .cancelled(file: path) && calls == kept + 1)
      #expect(folder.files.isEmpty)
    }
    // What is written in one piece is stopped before it gets its name.
    let error = failure { () throws(TraceError) in
      _ = try TraceWriter.write(Trace.of([1, 2]), to: path) { $0.bytes == 0 && $0.requests == 0 }
    }
    #expect(error == .cancelled(file: path) && folder.files.isEmpty)
  }

  @Test func permissionsAndLinksStay() throws {
    let path = folder.file("a.txt")
    let link = folder.path + "/link.txt"
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.txt")
    try WholeFile.write("new\n", to: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a.txt")
    #expect(try WholeFile.read(path) == Array("new\n".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(folder.files == ["a.txt", "link.txt"])
  }

  /// The mode of a file that this process makes now.
  private func modeOfANewFile() -> mode_t {
    let path = folder.path + "/new"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    defer {
      close(descriptor)
      unlink(path)
    }
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func filesThatOtherThreadsMakeMeanwhileObeyTheMask() throws {
    let usual = modeOfANewFile()
    let written = folder.path + "/a.txt"
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // What is stopped waits for no disk, so that there are many.
      for _ in 0..<10_000 { _ = try? TraceWriter.write(Trace.of([1]), to: written) { _ in false } }
      try? WholeFile.write("1\n", to: written)
      isDone.signal()
    }
    var modes: Set<mode_t> = []
    while isDone.wait(timeout: .now()) == .timedOut { modes.insert(modeOfANewFile()) }
    #expect(modes.isSubset(of: [usual]))
    let mode = try FileManager.default.attributesOfItem(atPath: written)[.posixPermissions]
    #expect(mode as? Int == Int(usual))
    #expect(folder.files == ["a.txt"])
  }

  @Test func wholeFilesSayWhatIsWrong() throws {
    func message(_ path: String) -> String? {
      failure { () throws(TraceError) in _ = try WholeFile.read(path, longest: 10) }?.description
    }
    #expect(try WholeFile.read("/dev/null").isEmpty)
    #expect(message(folder.path) == "\(folder.path): is a folder; name a file in it")
    #expect(
      message("/dev/zero")
        == "/dev/zero: byte 10: there is more than is read; is this the document?")
    let loop = folder.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
    #expect(
      message(loop) == "\(loop): cannot open: too many levels of symbolic links; "
        + "check the disk and the path")
  }

  @Test func whatAKilledRunLeftIsRemoved() throws {
    let path = folder.path + "/a.txt"
    let left = path + ".unfinished"
    func leave() {
      #expect(FileManager.default.createFile(atPath: left, contents: Data("half".utf8)))
      #expect(chmod(left, 0o3600) == 0)
    }
    leave()
    try WholeFile.write("whole", to: path)
    #expect(folder.files == ["a.txt"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7077 == 0o044)

    // One that another run is still writing stays.
    leave()
    let other = open(left, O_WRONLY | O_CLOEXEC)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    try WholeFile.write("whole again", to: path)
    #expect(folder.files == ["a.txt", "a.txt.unfinished"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole again")
  }

  @Test(arguments: [0o644, 0o600, 0o755, 0o1600, 0o2600, 0o3610] as [mode_t])
  func aFileOfThatNameThatNoRunLeftStays(_ mode: mode_t) throws {
    let path = folder.path + "/thesis"
    let mine = folder.file("thesis.unfinished", Array("thesis".utf8))
    #expect(chmod(mine, mode) == 0)
    for text in ["one", "two"] {
      try WholeFile.write(text, to: path)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(try String(contentsOfFile: mine, encoding: .utf8) == "thesis")
      #expect(folder.files == ["thesis", "thesis.unfinished"])
    }
  }

  @Test func aFileIsReplacedWhole() throws {
    let path = folder.file("a.txt", Array("old\n".utf8))
    let error = failure { () throws(TraceError) in
      _ = try TraceWriter.write(
        SyntheticWorkload(phases: ["zipf:requests=3000000"]), to: path, progress: { _ in false })
    }
    #expect(error == .cancelled(file: path))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n")
    #expect(folder.files == ["a.txt"])
    _ = try write("a.txt")
    #expect(try TraceLoader.load(path: path).requests == 20_000)
  }

  @Test func aFullDiskIsAnIOError() throws {
    try #require(FileManager.default.fileExists(atPath: "/dev/full"))
    for format in TraceWriter.formats {
      let error = failure { () throws(TraceError) in
        _ = try TraceWriter.write(
          SyntheticWorkload(phases: [specification]), to: "/dev/full", format: format)
      }
      #expect(
        error?.description
          == "/dev/full: cannot write: no space left on device; free some space")
    }
  }

  @Test func aPlaceThatIsNoneIsRefused() throws {
    let error = failure { () throws(TraceError) in
      _ = try TraceWriter.write(
        SyntheticWorkload(phases: [specification]), to: folder.path + "/no/a.txt")
    }
    #expect(error == .missing(file: folder.path + "/no"))
    let onFolder = failure { () throws(TraceError) in
      _ = try TraceWriter.write(
        SyntheticWorkload(phases: [specification]), to: folder.path, format: "plain")
    }
    #expect(onFolder == .folder(file: folder.path))
    #expect(folder.files.isEmpty)
  }

  @Test func onlySomeFormatsAreWritten() {
    let error = failure { () throws(TraceError) in _ = try write("a.txt", format: "csv") }
    #expect(
      error?.description
        == "traces are not written as 'csv'; choose one of evt, oracleGeneral, lcs, lis, plain")
    #expect(Set(TraceWriter.formats).isSubset(of: TraceFormats.all.map { $0.information.name }))
  }

  @Test func endingsThatNoFormatHasAreRefused() throws {
    func refusal(_ name: String, format: String? = nil) -> String? {
      failure { () throws(TraceError) in _ = try write(name, format: format) }?.description
    }
    for name in ["a.csv", "a.b.pdf", "a.csv.zst"] {
      let ending = name.replacing(".zst", with: "").split(separator: ".").last ?? ""
      #expect(
        refusal(name)
          == "\(folder.path)/\(name): no trace is written as '.\(ending)'; end the name "
          + "in one of .evtrace, .oracleGeneral, .lcs, .lis, .plain, .txt")
    }
    for (name, packing) in [("a.txt.gz", "gzip"), ("a.lis.XZ", "xz")] {
      for format in [nil, "lis"] {
        #expect(
          refusal(name, format: format) == "\(folder.path)/\(name): traces are not packed as "
            + "\(packing); name the file .zst")
      }
    }
    #expect(folder.files.isEmpty)
    for name in ["a", "a.plain", "zipf-0.9", "a.lis.bak"] { #expect(try write(name) > 0) }
    #expect(try write("a.csv", format: "lcs") > 0)
  }

  @Test func linesOfTheARCAuthorsHaveOneKeyEach() throws {
    let path = folder.path + "/a.lis"
    try TraceWriter.write(Trace.of([900, 0, .max]), to: path)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "900 1 0 0\n0 1 0 0\n18446744073709551615 1 0 0\n")
  }

  /// Returns the attributes of a request that libCacheSim's records can hold.
  private func recorded() -> Trace {
    .of(
      [900, 7, 900, 8], sizes: [10, 5_000_000_000, 30, 0],
      times: [1_000_000_000, 2_000_000_000, 2_000_000_000, 4_294_967_295_000_000_000],
      operations: [.set, .get, .compareAndSet, .write], ttls: [1, 60_000_000_000, 0, 0],
      classes: ["12", "0", "12", "16777215"])
  }

  @Test func anLCSFileHasTheBytesOfItsDefinition() throws {
    let path = folder.path + "/a.lcs"
    #expect(try TraceWriter.write(recorded(), to: path) == 8192 + 4 * 36)
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let magic: UInt64 = 0x1234_5678_9abc_def0
    #expect(
      Array(file.prefix(112))
        == bytes(magic, UInt64(3), Int64(1), Int64(4), Int64(3), Int64(5_000_000_040))
        + bytes(Int64(5_000_000_010), Int64(1), Int64(4_294_967_295), Int64(1), Int64(3), Int64(0))
        + bytes(Int64(0), Int64(5_000_000_000)))
    #expect(Array(file[112..<8184]) == [UInt8](repeating: 0, count: 8072))
    #expect(Array(file[8184..<8192]) == bytes(magic))
    #expect(
      Array(file[8192...])
        == bytes(UInt32(1), UInt64(900), Int64(10), UInt32(3 | 12 << 8), UInt32(1), Int64(3))
        + bytes(UInt32(2), UInt64(7), Int64(5_000_000_000), UInt32(1), UInt32(60), Int64(-1))
        + bytes(UInt32(2), UInt64(900), Int64(30), UInt32(5 | 12 << 8), UInt32(0), Int64(-1))
        + bytes(UInt32.max, UInt64(8), Int64(0), UInt32(13) | 0xFFFF_FF00, UInt32(0), Int64(-1)))
    let trace = try TraceLoader.load(path: path, columns: .all)
    #expect(trace.classNames == ["12", "0", "16777215"])
    #expect(trace.operations.map(Array.init) == recorded().operations.map(Array.init))
    #expect(trace.ttls.map(Array.init) == [1_000_000_000, 60_000_000_000, 0, 0])
  }

  @Test func aTraceIsWrittenAsOracleGeneralWithEachNextRequest() throws {
    let path = folder.path + "/a.oracleGeneral"
    try TraceWriter.write(Trace.of([900, 7, 900], sizes: [1, 2, 3]), to: path)
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(
      file == record(key: 900, next: 3) + record(key: 7, size: 2) + record(key: 900, size: 3))
  }

  @Test func textKeysAreWrittenAsTheirHashes() throws {
    let trace = try load("a\nb\na\n")
    let path = folder.path + "/a.lcs"
    try TraceWriter.write(trace, to: path)
    let written = try TraceLoader.load(path: path)
    #expect(ids(written) == [0, 1, 0])
    #expect(written.integerKey(of: 1) == trace.keyHash(of: 1))
  }

  /// Returns the trace that one becomes that was read with the texts of its keys.
  private func written(_ trace: Trace, to name: String) throws -> String {
    let path = folder.path + "/" + name
    try TraceWriter.write(trace, to: path)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func keysThatAreTextsAreWrittenAsTheyWere() throws {
    let long = String(repeating: "long", count: 200_000)
    for text in ["12\n7\n12\n", "user:4\n7\n007\nuser:4\ntwo words\nä\n", "a\n\(long)\na\n"] {
      let trace = try load(text, format: "plain", columns: .all.union(.keyTexts))
      #expect(try written(trace, to: "a.txt") == text)
    }
    let table = try load(
      "time,key,size\n1,x/y,3\n2,\"a,b\",4\n3,x/y,3\n", name: "a.csv", columns: .keyTexts)
    #expect(try written(table, to: "a.txt") == "x/y\na,b\nx/y\n")
    #expect(table.keyTexts.map { [$0[0], $0[1]] } == ["x/y", "a,b"])
    #expect(try written(table.subset(Column([1, 2])), to: "a.txt") == "a,b\nx/y\n")
    #expect(try load("a\n", columns: .all).keyTexts == nil, "nobody asked")
  }

  @Test func textsOfNumbersAreNumbers() throws {
    let text = "900\n0\n18446744073709551615\n900\n"
    let trace = try load(text, columns: .keyTexts)
    #expect(
      try written(trace, to: "a.lis")
        == "900 1 0 0\n0 1 0 0\n18446744073709551615 1 0 0\n900 1 0 0\n")
    #expect(try written(trace, to: "a.txt") == text)
  }

  @Test func manyTextsAreWrittenBlockByBlock() throws {
    let keys = (0..<30_000).map { "key \($0 * $0 % 7919)" }
    let text = keys.joined(separator: "\n") + "\n"
    #expect(try written(load(text, format: "plain", columns: .keyTexts), to: "a.txt") == text)
  }

  @Test func filesOfTextsAndOfNumbersAreWrittenAsOne() throws {
    let paths = [
      folder.file("a.lis", Array("5 2 0 0\n".utf8)), folder.file("b.txt", Array("6\nx\n".utf8)),
    ]
    let trace = try TraceLoader.load(paths: paths, columns: .keyTexts)
    #expect(try written(trace, to: "c.txt") == "5\n6\n6\nx\n")
  }

  @Test func whatAFormatCannotHoldIsRefused() throws {
    func refusal(_ trace: Trace, _ name: String) -> String {
      failure { () throws(TraceError) in
        _ = try TraceWriter.write(trace, to: folder.path + "/" + name)
      }?.description ?? "written"
    }
    let text = try load("a\n")
    #expect(
      refusal(text, "a.txt") == "keys.txt can't be written as plain: the keys are texts, "
        + "of which hashes alone are kept; write evt: name the file .evtrace")
    #expect(
      refusal(try load("7\n07\n", columns: .keyTexts), "a.lis")
        == "keys.txt can't be written as lis: the key '07' is no number; "
        + "write evt: name the file .evtrace")
    for (key, excerpt) in [("#1", "#1"), ("*", "*"), ("\"two\nlines\"", "two?lines")] {
      let trace = try load("key,size\n\(key),1\n", name: "a.csv", columns: .keyTexts)
      #expect(
        refusal(trace, "a.txt")
          == "a.csv can't be written as plain: the key '\(excerpt)' would not be read as one line; "
          + "write evt: name the file .evtrace")
    }
    #expect(
      refusal(recorded(), "a.oracleGeneral")
        == "memory can't be written as oracleGeneral: sizes of 4 GiB and more don't fit into "
        + "32 bits; write evt: name the file .evtrace")
    #expect(
      refusal(.of([1], times: [-1]), "a.oracleGeneral")
        == "memory can't be written as oracleGeneral: times before 0 or after 2106 don't fit into "
        + "32 bits of seconds; write evt: name the file .evtrace")
    #expect(refusal(.of([1], sizes: [1 << 63]), "a.lcs").contains("sizes don't fit into 63 bits"))
    #expect(refusal(.of([1], times: [.max]), "a.lcs").contains("times before 0 or after 2106"))
    #expect(
      refusal(.of([1], ttls: [.max]), "a.lcs").contains("times to live don't fit into 32 bits"))
    #expect(refusal(.of([]), "a.evtrace").hasPrefix("memory: 0 requests"))
    #expect(folder.files.isEmpty)
  }
}

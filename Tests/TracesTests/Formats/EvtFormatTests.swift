import Foundation
import Parameters
import Testing
import Traces

@Suite struct EvtFormatTests {
  private let folder = TemporaryFolder()

  /// A file of two requests for keys 900 and 7 with sizes, laid out by hand.
  private func small(
    ids: [UInt32] = [0, 1], requests: UInt64 = 2, distinct: UInt64 = 2, kind: UInt32 = 0,
    version: UInt32 = 1, idBytes: UInt64 = 8, extra: Int = 0, fileBytes: UInt64? = nil
  ) -> [UInt8] {
    let sections = [
      ids.flatMap { bytes($0) }, bytes(UInt64(900), UInt64(7)), bytes(UInt64(10), UInt64(20)),
    ].map { $0 + [UInt8](repeating: 0, count: 64 - $0.count) }
    let lengths = [idBytes, 16, 16]
    var header =
      [0x89, 0x45, 0x56, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
      + bytes(version, kind, requests, distinct, fileBytes ?? UInt64(448 + extra))
    for (section, length) in zip(sections, lengths) {
      header += bytes(length, section.withUnsafeBytes(XXHash64.checksum))
    }
    header += [UInt8](repeating: 0, count: 256 - header.count)
    let checksum = header.withUnsafeBytes(XXHash64.checksum)
    header.replaceSubrange(248..., with: bytes(checksum))
    return header + sections.flatMap { $0 } + [UInt8](repeating: 0, count: extra)
  }

  /// A trace that has every column.
  private func full() throws -> Trace {
    try load(
      """
      key,time_ns,size,operation,ttl,cost,class
      a,5,10,get,60,0.5,x
      bb,6,20,set,0,1.5,y
      a,7,30,delete,0,2.5,x

      """, name: "a.csv",
      format: "csv:key=key:time=time_ns:size=size:ttl=ttl:cost=cost:class=class",
      columns: .all)
  }

  private func expectEqual(_ one: Trace, _ other: Trace) {
    #expect(ids(one) == ids(other))
    #expect(one.columns == other.columns)
    #expect(Array(one.keyHashes()) == Array(other.keyHashes()))
    #expect(one.sizes.map(Array.init) == other.sizes.map(Array.init))
    #expect(one.times.map(Array.init) == other.times.map(Array.init))
    #expect(one.operations.map(Array.init) == other.operations.map(Array.init))
    #expect(one.ttls.map(Array.init) == other.ttls.map(Array.init))
    #expect(one.costs.map(Array.init) == other.costs.map(Array.init))
    #expect(one.classes.map(Array.init) == other.classes.map(Array.init))
    #expect(one.classNames == other.classNames)
    #expect(one.keyLengths.map(Array.init) == other.keyLengths.map(Array.init))
    #expect(one.groupStarts.map(Array.init) == other.groupStarts.map(Array.init))
  }

  @Test func aFileMadeByHandIsRead() throws {
    for name in ["a.evtrace", "a"] {
      let trace = try TraceLoader.load(bytes: small(), name: name, columns: .all)
      #expect(trace.format == "evt" && trace.name == name)
      #expect(ids(trace) == [0, 1] && trace.columns == .sizes)
      #expect(trace.integerKey(of: 0) == 900 && trace.integerKey(of: 1) == 7)
      #expect(trace.sizes.map(Array.init) == [10, 20])
    }
    let path = folder.file("a.evtrace", small())
    let trace = try TraceLoader.load(path: path)
    #expect(ids(trace) == [0, 1] && trace.columns == [])
  }

  @Test func lossesOfARecordingComeBackWithWhatIsMadeOfIt() throws {
    let path = folder.path + "/a.evtrace"
    let loss = RecordingLoss(isCutOff: true, droppedEvents: 7)
    try TraceWriter.write(try full().lacking(loss), to: path)
    let trace = try TraceLoader.load(path: path, columns: .all)
    #expect(trace.loss == loss)
    expectEqual(trace, try full())
    #expect(trace.subset(Column([0, 2])).loss == loss)
    let joined = try TraceLoader.load(
      paths: [path, folder.file("b.evtrace", small()), path], columns: .sizes)
    #expect(joined.loss == RecordingLoss(isCutOff: true, droppedEvents: 14))
    try TraceWriter.write(try full(), to: path)
    #expect(try TraceLoader.load(path: path).loss.isNone)
  }

  @Test(arguments: ["a.evtrace", "a.evtrace.zst"])
  func everyColumnComesBack(_ name: String) throws {
    let trace = try full()
    #expect(trace.columns == TraceColumns.all.subtracting(.groups))
    let path = folder.path + "/" + name
    let written = try TraceWriter.write(trace, to: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == written)
    expectEqual(try TraceLoader.load(path: path, columns: .all), trace)
    let some = try TraceLoader.load(path: path, columns: [.sizes, .classes])
    #expect(some.columns == [.sizes, .classes] && some.classNames == ["x", "y"])
    #expect(ids(some) == [0, 1, 0])
  }

  @Test func aLimitTakesTheFirstRequestsAndTheirKeys() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(full(), to: path)
    let trace = try TraceLoader.load(path: path, columns: .all, limit: 1)
    #expect(trace.requests == 1 && trace.distinct == 1)
    #expect(trace.sizes?.count == 1 && trace.keyLengths?.count == 1)
    #expect(trace.keyHash(of: 0) == (try full()).keyHash(of: 0))
  }

  @Test func everyFlippedBitIsNoticed() throws {
    let whole = small()
    for bit in 0..<8 * whole.count { expectNotice(ofBit: bit, in: whole) }
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(full(), to: path)
    let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(written.count == 256 + 10 * 64)
    for bit in stride(from: 8 * 256, to: 8 * written.count, by: 7) {
      expectNotice(ofBit: bit, in: written)
    }
  }

  private func expectNotice(ofBit bit: Int, in whole: [UInt8]) {
    var file = whole
    file[bit / 8] ^= 1 << (bit % 8)
    let text = message(file, name: "a.evtrace", columns: .all)
    let place = bit < 8 * 256 ? "" : "\(bit / 8 / 64 * 64): the "
    let isNamed = bit < 8 * 256 || text.contains("not match their checksum")
    #expect(text.hasPrefix("a.evtrace: byte \(place)") && isNamed, "bit \(bit): \(text)")
  }

  @Test func theDamagedPartIsNamed() {
    let remedy = "the file is damaged or none of evt; fetch or write it again"
    func text(_ place: Int) -> String {
      var file = small()
      file[place] ^= 4
      return message(file, name: "a.evtrace", columns: .all)
    }
    #expect(
      text(20) == "a.evtrace: byte 248: the header does not match its checksum; \(remedy)")
    #expect(text(0) == "a.evtrace: byte 0: the file does not begin as evt files do; \(remedy)")
    #expect(text(256) == "a.evtrace: byte 256: the ids do not match their checksum; \(remedy)")
    #expect(
      text(330)
        == "a.evtrace: byte 320: the identities of keys do not match their checksum; \(remedy)")
    #expect(text(400) == "a.evtrace: byte 384: the sizes do not match their checksum; \(remedy)")
  }

  @Test func aFileCutOffAnywhereIsAnError() {
    let whole = small()
    for count in 0..<whole.count {
      expectCutOff(message(Array(whole.prefix(count)), name: "a.evtrace"), count)
    }
    for count in [0, 1, 255, 256, 257, 320, 447] {
      let path = folder.file("a.evtrace", Array(whole.prefix(count)))
      let error = failure { () throws(TraceError) in _ = try TraceLoader.load(path: path) }
      expectCutOff(error?.description ?? "", count)
    }
  }

  private func expectCutOff(_ text: String, _ count: Int) {
    let ending =
      count == 0
      ? "0 requests, at most a header or comments; fetch or record it again"
      : "the file is cut off, fetch or record it again"
    #expect(text.hasSuffix(ending), "\(count): \(text)")
  }

  @Test(arguments: [
    (["requests": UInt64.max], "byte 16: the header promises 18446744073709551615 requests"),
    (["requests": 0], "byte 16: the header promises 0 requests"),
    (["requests": 1 << 40], "byte 40: the header promises 8 bytes of ids"),
    (["distinct": 3], "byte 24: the header promises 3 distinct keys"),
    (["idBytes": 4], "byte 40: the header promises 4 bytes of ids"),
    (["fileBytes": 449], "byte 32: the header promises 449 bytes and lists 448"),
    (["kind": 2], "byte 12: keys of kind 2; 0 and 1 are known"),
    (["version": 2], "byte 8: evt version 2; only 1 is known"),
    (["extra": 1], "byte 32: the header promises 449 bytes and lists 448"),
  ])
  func aHeaderThatLiesIsRefused(_ lies: [String: UInt64], _ problem: String) {
    let file = small(
      requests: lies["requests"] ?? 2, distinct: lies["distinct"] ?? 2,
      kind: UInt32(lies["kind"] ?? 0), version: UInt32(lies["version"] ?? 1),
      idBytes: lies["idBytes"] ?? 8, extra: Int(lies["extra"] ?? 0), fileBytes: lies["fileBytes"])
    #expect(
      message(file, name: "a.evtrace")
        == "a.evtrace: \(problem); the file is damaged or none of evt; fetch or write it again")
  }

  @Test func aPromiseOfATebibyteAllocatesNothing() {
    // A header that is consistent in itself: 2^38 requests, of which the file holds two.
    var header = small().prefix(256).map { $0 }
    let requests = UInt64(1) << 38
    header.replaceSubrange(16..<24, with: bytes(requests))
    header.replaceSubrange(32..<40, with: bytes(256 + requests * 4 + 64 + requests * 8))
    header.replaceSubrange(40..<48, with: bytes(requests * 4))
    header.replaceSubrange(72..<80, with: bytes(requests * 8))
    header.replaceSubrange(248..., with: [UInt8](repeating: 0, count: 8))
    let checksum = header.withUnsafeBytes(XXHash64.checksum)
    header.replaceSubrange(248..., with: bytes(checksum))
    let file = header + small().dropFirst(256)
    let path = folder.file("a.evtrace", file)
    let stored = failure { () throws(TraceError) in _ = try TraceLoader.load(path: path) }
    #expect(
      stored?.description
        == "\(path): byte 448: the header promises 3298534883648 bytes; "
        + "the file is cut off, fetch or record it again")
    #expect(
      message(file, name: "a.evtrace")
        == "a.evtrace: byte 448: the header promises 3298534883648 bytes; "
        + "the file is cut off, fetch or record it again")
  }

  @Test(arguments: [[1, 0], [0, 2], [0, 0], [UInt32.max, 0]])
  func idsThatAreNotInOrderAreRefused(_ ids: [UInt32]) {
    #expect(
      message(small(ids: ids), name: "a.evtrace")
        == "a.evtrace: byte 256: the ids do not number 2 keys in order of first appearance; "
        + "the file is damaged or none of evt; fetch or write it again")
  }

  @Test func idsAreCheckedAtEveryPlace() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(Trace.of([5, 6] + [UInt64](repeating: 5, count: 9)), to: path)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    func said(_ ids: [UInt32]) -> String {
      var file = whole
      file.replaceSubrange(256..<256 + 44, with: ids.flatMap { bytes($0) })
      let checksum = file[256..<320].withUnsafeBytes(XXHash64.checksum)
      file.replaceSubrange(48..<56, with: bytes(checksum))
      sealHeader(of: &file)
      return message(file, name: "a.evtrace")
    }
    for place in 1..<11 {
      var ids = [UInt32](repeating: 0, count: 11)
      ids[place] = 1
      #expect(said(ids) == "11 requests")
      for wrong in [2, 3, UInt32.max] {
        ids[place] = wrong
        #expect(said(ids).contains("do not number 2 keys"), "\(wrong) at \(place)")
      }
    }
  }

  @Test func whatFollowsTheLastColumnIsRefused() {
    let problem = "byte 448: the file goes on behind its last column"
    let path = folder.file("a.evtrace", small() + [0])
    #expect(message(small() + [0], name: "a.evtrace").contains(problem))
    let stored = failure { () throws(TraceError) in _ = try TraceLoader.load(path: path) }
    #expect(stored?.description.contains(problem) == true)
  }

  @Test func valuesThatCannotBeAreRefused() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(full(), to: path)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // Section, a byte of it and what it becomes: the checksums are made to agree.
    for (section, byte, value, name) in [
      (4, 0, 13, "operations hold a value that cannot be"),
      (5, 7, 0x80, "ttls hold a value that cannot be"),
      (6, 7, 0x7F, nil), (7, 0, 2, "classes hold a value that cannot be"),
      (8, 0, 99, "names of classes end within a name or are no UTF-8"),
      (8, 4, 0xFF, "names of classes end within a name or are no UTF-8"),
    ] as [(Int, Int, UInt8, String?)] {
      var file = whole
      let place = 256 + 64 * section
      file[place + byte] = value
      if section == 6 { file[place + 6] = 0xF0 }
      let checksum = file[place..<place + 64].withUnsafeBytes(XXHash64.checksum)
      file.replaceSubrange(40 + 16 * section + 8..<40 + 16 * section + 16, with: bytes(checksum))
      sealHeader(of: &file)
      #expect(
        message(file, name: "a.evtrace", columns: .all)
          == "a.evtrace: byte \(place): the \(name ?? "costs hold a value that cannot be"); "
          + "the file is damaged or none of evt; fetch or write it again")
    }
  }

  @Test func groupsComeBack() throws {
    let trace = Trace.of([5, 6, 5, 7], groupStarts: [0, 3])
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(trace, to: path)
    expectEqual(try TraceLoader.load(path: path, columns: .all), trace)
    let first = try TraceLoader.load(path: path, columns: .groups, limit: 3)
    #expect(first.groupStarts.map(Array.init) == [0])
    var file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(file.count == 256 + 3 * 64 && file[384 + 8] == 3)
    for (place, value) in [(384 + 8, UInt8(4)), (384 + 8, 0)] {
      file[place] = value
      let checksum = file[384..<448].withUnsafeBytes(XXHash64.checksum)
      file.replaceSubrange(208..<216, with: bytes(checksum))
      sealHeader(of: &file)
      #expect(
        message(file, name: "a.evtrace", columns: .all)
          == "a.evtrace: byte 384: the groups hold a value that cannot be; "
          + "the file is damaged or none of evt; fetch or write it again")
    }
  }

  /// Makes the header's checksum agree.
  private func sealHeader(of file: inout [UInt8]) {
    file.replaceSubrange(248..<256, with: [UInt8](repeating: 0, count: 8))
    let checksum = file[..<256].withUnsafeBytes(XXHash64.checksum)
    file.replaceSubrange(248..<256, with: bytes(checksum))
  }

  @Test func sizesThatAddUpToTooMuchAreRefused() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(Trace.of([5, 6], sizes: [1 << 62, 1 << 61]), to: path)
    let trace = try TraceLoader.load(path: path, columns: .all)
    let copy = folder.path + "/b.evtrace"
    try TraceWriter.write(trace, to: copy)
    let error = failure { () throws(TraceError) in
      _ = try TraceLoader.load(paths: [path, copy], columns: .all)
    }
    #expect(error == .tooManyBytes(file: "a.evtrace+b.evtrace"))
    var file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    file[384 + 15] = 0x7F
    let checksum = file[384..<448].withUnsafeBytes(XXHash64.checksum)
    file.replaceSubrange(80..<88, with: bytes(checksum))
    sealHeader(of: &file)
    #expect(message(file, name: "a", columns: .sizes).contains("2^63 bytes or more"))
    #expect(message(file, name: "a") == "2 requests")
  }

  @Test func whatIsLoadedStaysWhenTheFileIsShortened() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(full(), to: path)
    let trace = try TraceLoader.load(path: path, columns: .all)
    #expect(truncate(path, 1) == 0)
    expectEqual(trace, try full())
  }

  @Test func columnsThatNobodyWantsArePassedOver() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(full(), to: path)
    let whole = try full()
    for path in [path, "\(folder.path)/a.evtrace.zst"] {
      try TraceWriter.write(whole, to: path)
      let trace = try TraceLoader.load(path: path, columns: .ttls)
      #expect(ids(trace) == ids(whole) && trace.sizes == nil)
      #expect(trace.ttls.map(Array.init) == whole.ttls.map(Array.init))
    }
  }

  @Test func loadingTellsHowFarItIsAndStops() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(SyntheticWorkload(phases: ["zipf:keys=1e5:requests=1e6"]), to: path)
    let size = try Data(contentsOf: URL(filePath: path)).count
    var seen: [Int] = []
    _ = try TraceLoader.load(path: path) { progress in
      #expect(progress.totalBytes == size)
      seen.append(progress.bytes)
      return true
    }
    #expect(seen.count >= 3 && seen == seen.sorted())
    let stopped = failure { () throws(TraceError) in
      _ = try TraceLoader.load(path: path) { _ in false }
    }
    #expect(stopped == .cancelled(file: path))
  }

  @Test func whatIsLoadedStaysWhenTheFileIsReplaced() throws {
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(full(), to: path)
    let trace = try TraceLoader.load(path: path, columns: .all)
    try TraceWriter.write(SyntheticWorkload(phases: ["zipf:keys=9:requests=5"]), to: path)
    expectEqual(trace, try full())
    #expect(try TraceLoader.load(path: path).requests == 5)
  }
}

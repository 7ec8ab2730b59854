import Testing
import Traces

@Suite struct BinaryFormatTests {
  private func keys(_ format: String, _ bytes: [UInt8]) throws -> [UInt64] {
    let trace = try TraceLoader.load(bytes: bytes, name: "a.trace", format: format)
    return ids(trace).compactMap { trace.integerKey(of: $0) }
  }

  @Test func keysHaveTheWidthAndTheOrderAskedFor() throws {
    let bytes: [UInt8] = [0, 0, 0, 1, 2, 0, 0, 0]
    #expect(try keys("binary", bytes) == [0x1_0200_0000])
    #expect(try keys("binary:order=little", bytes) == [0x2_0100_0000])
    #expect(try keys("binary:bits=32", bytes) == [1, 0x0200_0000])
    #expect(try keys("binary:bits=32:order=little", bytes) == [0x0100_0000, 2])
  }

  @Test func aLimitEndsWithinABlock() throws {
    let trace = try TraceLoader.load(
      bytes: [UInt8](repeating: 0, count: 4_000), name: "a.trace", format: "binary:bits=32",
      limit: 7)
    #expect(trace.requests == 7 && trace.distinct == 1)
  }

  @Test func aCutOffKeyIsAnError() {
    #expect(
      message([0, 0, 0, 1, 2], name: "a.trace", format: "binary:bits=32")
        == "a.trace: byte 4: 1 bytes are left of a record of 4; "
        + "the file is cut off, fetch or record it again")
  }

  @Test func noFileIsTakenForBinaryUnasked() {
    #expect(message([0, 0, 0, 1, 2, 0, 0, 0], name: "a.trace").contains("binary data"))
  }

  @Test func aRecordsFieldsBecomeColumns() throws {
    let data =
      bytes(UInt32(1), UInt32(512), UInt32(9), UInt16(3), UInt16(7), UInt64(900), UInt64(1_500))
      + bytes(UInt32(2), UInt32(40), UInt32(9), UInt16(1), UInt16(8), UInt64(5), UInt64(2_500))
      + bytes(UInt32(3), UInt32(0), UInt32(0), UInt16(9), UInt16(7), UInt64(900), UInt64(9_999))
    let trace = try TraceLoader.load(
      bytes: data, name: "a",
      format: "binary:format=<IIIHHQQ:key=6:size=2:time=7:op=4:ttl=3:class=5:unit=ms",
      columns: .all)
    #expect(ids(trace) == [0, 1, 0])
    #expect(trace.integerKey(of: 0) == 900 && trace.integerKey(of: 1) == 5)
    #expect(trace.sizes.map(Array.init) == [512, 40, 0])
    #expect(trace.times.map(Array.init) == [1_500_000_000, 2_500_000_000, 9_999_000_000])
    #expect(trace.operations.map(Array.init) == [.set, .get, .delete])
    #expect(trace.ttls.map(Array.init) == [9_000_000, 9_000_000, 0])
    #expect(trace.classes.map(Array.init) == [0, 1, 0] && trace.classNames == ["7", "8"])
    let bare = try TraceLoader.load(
      bytes: data, name: "a", format: "binary:format=<3I2HQQ:key=6:size=2")
    #expect(ids(bare) == [0, 1, 0] && bare.columns == [])
  }

  @Test func everyLetterIsWhatPythonPacks() throws {
    // struct.pack("<bBhHiIlLqQfd?c", -2, 254, -3, 65533, …), one key at a time.
    let small: [UInt8] = [0xFE, 0xFE, 0xFD, 0xFF, 0xFD, 0xFF]
    let middle = bytes(Int32(-4), UInt32.max, Int32(5), UInt32(6), Int64(-7), UInt64.max)
    let data =
      small + middle + bytes(Float(2.5).bitPattern, Double(8.75).bitPattern) + [1]
      + Array("r".utf8)
    let expected: [UInt64] = [
      .max - 1, 254, .max - 2, 65533, .max - 3, UInt64(UInt32.max), 5, 6, .max - 6, .max,
    ]
    let notation = "binary:format=<bBhHiIlLqQfd?c"
    for (index, key) in expected.enumerated() {
      #expect(try keys("\(notation):key=\(index + 1)", data) == [key])
    }
    #expect(try keys("\(notation):key=13", data) == [1])
    let trace = try TraceLoader.load(
      bytes: data, name: "a", format: "\(notation):key=2:time=11:size=12:op=14", columns: .all)
    #expect(trace.times.map(Array.init) == [2_500_000_000])
    #expect(trace.sizes.map(Array.init) == [8])
    #expect(trace.operations.map(Array.init) == [.read])
  }

  @Test func theFirstCharacterIsTheOrderAndTheAlignment() throws {
    let data: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    #expect(try keys("binary:format=<HxB:key=1", data) == [0x201, 0x605, 0xA09, 0xE0D])
    #expect(try keys("binary:format=>HBx:key=1", data) == [0x102, 0x506, 0x90A, 0xD0E])
    #expect(try keys("binary:format=!HBx:key=2", data) == [3, 7, 11, 15])
    #expect(try keys("binary:format==BIBH:key=2", data) == [0x0504_0302, 0x0D0C_0B0A])
    // A C compiler puts a 4-byte number at byte 4, and an 8-byte one at byte 8.
    #expect(try keys("binary:format=@BI2I:key=2", data) == [0x0807_0605])
    #expect(try keys("binary:format=Bl:key=2", data) == [0x100F_0E0D_0C0B_0A09])
    #expect(try keys("binary:format=<4xI8x", data) == [0x0807_0605])
  }

  @Test func aTextIsAKeyWithoutTheZerosAtItsEnd() throws {
    let data = Array("ab\0\0abcda\0b\0".utf8)
    let trace = try TraceLoader.load(bytes: data, name: "a", format: "binary:format=4s")
    let plain = try load("ab\nabcd\na\0b\n".replacing("\0", with: "_"))
    #expect(ids(trace) == [0, 1, 2] && trace.integerKey(of: 0) == nil)
    #expect(Array(trace.keyHashes())[0..<2] == Array(plain.keyHashes())[0..<2])
  }

  @Test(arguments: [
    ("<IIZ", "no field is called 'Z', at character 4"),
    ("<I<", "no field is called '<', at character 3"),
    ("", "there is no field"), ("<", "there is no field"), ("4x", "there is no field"),
    ("<I3", "nothing follows the count 3"),
    ("<I99999999999999999999I", "a count that is too large at character 9"),
    ("1000000Q", "a record of more than 1 MiB at character 8"),
    ("0s", "a text of no bytes at character 2"),
    ("<N", "no field is called 'N', at character 2"),
    ("3 I", "no field is called ' ', at character 2"),
  ])
  func badNotationIsRefusedByItsPlace(_ notation: String, _ problem: String) {
    #expect(
      message([1], name: "a", format: "binary:format=\(notation)")
        == "binary:format=\(notation): \(problem); write Python's struct notation, "
        + "fields b B h H i I l L q Q f d c s ? and x, for instance <IIIHHQQ")
  }

  @Test(arguments: [
    ("binary:format=<IQ", "nothing says which of 2 fields is the key; name it, for instance key=1"),
    ("binary:format=<IQ:key=3", "there is no field 3 for key; the record has 2, numbered from 1"),
    ("binary:format=<I4s:key=1:size=2", "field 2 is a text and no size; name a number's field"),
    ("binary:format=<d", "field 1 is floating point and no key; name another field"),
    (
      "binary:key=1",
      "binary:key needs the fields of a record; "
        + "give them, for instance binary:format=<IIIHHQQ:key=6:size=2"
    ),
    (
      "binary:bits=32:format=<I",
      "binary:bits and binary:format say the same thing; "
        + "leave bits away; the first character of format is the order, < or >"
    ),
    ("binary:format=<I:key=0", "binary: key=0 is out of range; give a whole number 1…1048576"),
  ])
  func parametersThatDoNotFitAreRefused(_ format: String, _ problem: String) {
    let text = message([1], name: "a", format: format)
    #expect(text.hasSuffix(problem), "\(text)")
    #expect(
      failure { () throws(TraceError) in _ = try TraceFormats.format(format) }?.kind == .usage)
  }

  @Test(arguments: [
    ("size=2", Int64(-1), "a size of -1"),
    ("time=2", Int64.max, "a time of 9223372036854775807 does not fit"),
    ("ttl=2", Int64(-3), "a time to live below 0"),
    ("op=2", Int64(99), "99 is no operation"),
  ])
  func valuesThatCannotBeAreRefusedByTheirRecord(
    _ parameter: String, _ value: Int64, _ problem: String
  ) {
    let data = bytes(UInt32(1), Int64(1), UInt32(2), value)
    #expect(
      message(data, name: "a", format: "binary:format=<Iq:key=1:\(parameter)", columns: .all)
        == "a: byte 12: \(problem); is the format the right one, the file undamaged?")
    #expect(
      message(data, name: "a", format: "binary:format=<Iq:key=1:\(parameter)") == "2 requests")
  }

  @Test(arguments: [Double.nan, .infinity, 1e300, -1])
  func floatingPointThatIsNoSizeIsRefused(_ value: Double) {
    let data = bytes(UInt32(1), value.bitPattern)
    #expect(
      message(data, name: "a", format: "binary:format=<Id:key=1:size=2", columns: .sizes)
        .contains("byte 0: \(value) is no size"))
  }

  @Test func aLimitDoesNotLookBeyondItself() throws {
    let data = bytes(UInt32(1), Int64(1), UInt32(2), Int64(-1))
    let trace = try TraceLoader.load(
      bytes: data, name: "a", format: "binary:format=<Iq:key=1:size=2", columns: .all, limit: 1)
    #expect(trace.requests == 1 && trace.sizes?.count == 1)
  }

  @Test func anyBytesWhateverAreReadOrRefused() {
    let seed: UInt64 = 13
    var random = SeededNumbers(seed)
    let formats = [
      "binary", "binary:format=<bfdqHcI2s:key=7:size=2:time=3:ttl=4:op=6:class=5:unit=ns", "twr",
      "binary:format=@BQ3s:key=3:size=1:time=2", "twrNS", "vscsi", "lcs", "evt", "oracleGeneral",
      "address:line=64",
    ]
    for round in 0..<60 {
      let count = Int.random(in: 0..<200, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      for format in formats {
        let error = failure { () throws(TraceError) in
          _ = try TraceLoader.load(bytes: bytes, name: "x", format: format, columns: .all)
        }
        #expect(error == nil || error?.kind == .data, "seed \(seed), round \(round), \(format)")
      }
    }
  }
}

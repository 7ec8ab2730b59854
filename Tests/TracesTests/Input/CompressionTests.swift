import Testing
import Traces

@Suite struct CompressionTests {
  static let text = Array((0..<40).map { "key:\($0 % 9)\n" }.joined().utf8)

  @Test(arguments: Compression.allCases)
  func packedTextIsReadAsItIs(_ packing: Compression) throws {
    let packed = packing.pack(Self.text)
    for name in ["keys.txt" + packing.suffix, "anything"] {
      let trace = try TraceLoader.load(bytes: packed, name: name)
      #expect(trace.requests == 40 && trace.distinct == 9 && trace.format == "plain")
    }
  }

  @Test(arguments: Compression.allCases)
  func severalPackedPartsAreOneText(_ packing: Compression) throws {
    let trace = try TraceLoader.load(
      bytes: packing.pack(Self.text) + packing.pack([]) + packing.pack(Self.text), name: "keys")
    #expect(trace.requests == 80 && trace.distinct == 9)
  }

  @Test(arguments: Compression.allCases)
  func largeContentComesOutWhole(_ packing: Compression) throws {
    var random = SeededNumbers(3)
    // More than the mebibyte from which on reading goes ahead on a thread of its own.
    let keys = (0..<60_000).map { _ in random.next() % 20_000 }
    let packed = packing.pack(keys.flatMap { record(key: $0) })
    let trace = try TraceLoader.load(bytes: packed, name: "x.oracleGeneral" + packing.suffix)
    #expect(trace.requests == keys.count)
    #expect(keys.indices.allSatisfy { trace.integerKey(of: trace.ids[$0]) == keys[$0] })
  }

  @Test(arguments: Compression.allCases)
  func aCutIsAnErrorWhereverItIs(_ packing: Compression) {
    let packed = packing.pack(Self.text)
    for count in 0..<packed.count {
      let error = failure { () throws(TraceError) in
        _ = try TraceLoader.load(
          bytes: Array(packed.prefix(count)), name: "keys" + packing.suffix)
      }
      #expect(error?.kind == .data, "cut to \(count) of \(packed.count) bytes")
    }
  }

  @Test(arguments: Compression.allCases)
  func aFlippedBitNeverCrashes(_ packing: Compression) {
    let packed = packing.pack(Self.text)
    for bit in 0..<packed.count * 8 {
      var damaged = packed
      damaged[bit / 8] ^= 1 << (bit % 8)
      let error = failure { () throws(TraceError) in
        _ = try TraceLoader.load(bytes: damaged, name: "keys" + packing.suffix)
      }
      #expect(error == nil || error?.kind == .data, "bit \(bit)")
    }
  }

  @Test func dictionaryOfHalfAGibibyteIsRefused() {
    let packed: [UInt8] = [
      0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00, 0x00, 0xFF, 0x12, 0xD9, 0x41, 0x02, 0x00,
      0x21, 0x01, 0x22, 0x00, 0x00, 0x00, 0x82, 0x40, 0xAC, 0xDC, 0x01, 0x00, 0x03, 0x61,
      0x0A, 0x62, 0x0A, 0x00, 0x00, 0x01, 0x14, 0x04, 0x67, 0xA6, 0x45, 0x09, 0x06, 0x72,
      0x9E, 0x7A, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x59, 0x5A,
    ]
    #expect(
      message(packed, name: "keys.txt.xz")
        == "keys.txt.xz: byte 24: the xz data needs over 128 MiB of memory; "
        + "pack the file again with a smaller dictionary")
  }

  @Test func windowOfAGibibyteIsRefusedForWhatItIs() {
    // A frame with a window of 1 GiB (RFC 8878, 3.1.1.1.2: exponent 20, no mantissa), and `a`, a line end.
    let packed: [UInt8] = [
      0x28, 0xB5, 0x2F, 0xFD, 0x00, 20 << 3, 0x11, 0x00, 0x00, 0x61, 0x0A,
    ]
    #expect(
      message(packed, name: "keys.txt.zst").hasSuffix(
        ": the zstd data needs over 128 MiB of memory; "
          + "pack the file again without --long, or unpack it with zstd -d --long=31"))
    var usual = packed
    usual[5] = 17 << 3
    #expect(message(usual, name: "keys.txt.zst") == "1 requests")
  }

  @Test func messagesSayWhereAPackedFileIsDamaged() {
    // A place in each packing whose bits can't all be turned.
    let cases = [(Compression.gzip, "gzip", 10), (.zstd, "zstd", 4), (.xz, "xz", 20)]
    for (packing, name, place) in cases {
      let file = "keys" + packing.suffix
      let packed = packing.pack(Self.text)
      #expect(
        message(Array(packed.dropLast(3)), name: file)
          == "\(file): byte \(packed.count - 3): the \(name) data ends too early; "
          + "the file is cut off, fetch or record it again")
      var damaged = packed
      damaged[place] ^= 0xFF
      let text = message(damaged, name: file)
      #expect(text.hasPrefix("\(file): byte "))
      #expect(
        text.hasSuffix(": the \(name) data is damaged; fetch or pack the file again"))
    }
    let member = Compression.gzip.pack(Self.text)
    #expect(
      message(member + [1, 2, 3], name: "keys.gz")
        == "keys.gz: byte \(member.count): the gzip data is followed by others; "
        + "fetch or pack the file again")
    #expect(
      message("1\n2\n", name: "keys.zst")
        == "keys.zst: byte 0: the name ends in .zst, the content is not packed so; "
        + "rename the file or fetch it again")
  }

  @Test func gzipMayBePaddedWithZeros() throws {
    let padded = Compression.gzip.pack(Self.text) + [UInt8](repeating: 0, count: 1000)
    #expect(try TraceLoader.load(bytes: padded, name: "keys.gz").requests == 40)
  }
}

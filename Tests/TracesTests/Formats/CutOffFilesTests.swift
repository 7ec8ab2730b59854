import Foundation
import Testing
import Traces

/// Files that are cut off, at every byte: what does not hold a first record or header is refused, and what holds more is
/// refused or read as what it is, be its format named or told. A line of text is a record without its end as well, where
/// it is complete.
@Suite struct CutOffFilesTests {
  /// A file, its format, and which part of it is the least that can be read.
  struct Sample: Sendable, CustomTestStringConvertible {
    var format: String
    var name: String
    var bytes: [UInt8]
    /// Bytes of the first line's content, or of the first record or header.
    var first: Int
    /// Bytes from which on the format is told, where it is not named.
    var told: Int

    var testDescription: String { "\(format) \(name)" }

    init(_ format: String, _ name: String, _ bytes: [UInt8], first: Int) {
      (self.format, self.name, self.bytes) = (format, name, bytes)
      (self.first, told) = (first, first)
    }

    /// A text whose first `remarks` lines tell nothing.
    init(_ format: String, _ name: String, _ text: String, remarks: Int = 0) {
      let ends = text.utf8.enumerated().filter { $0.element == 0x0A }.map(\.offset)
      self.init(format, name, Array(text.utf8), first: ends[0] + 1)
      if remarks > 0 { told = ends[remarks] }
    }

    /// A file that the writer of a format writes.
    init(writing format: String, _ name: String, first: Int) throws {
      let folder = TemporaryFolder()
      let path = folder.path + "/" + name
      try TraceWriter.write(
        load("65 1 0 0\n16705 1 0 1\n65 1 0 2\n", name: "a.lis"), to: path, format: format)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      self.init(format, name, Array(bytes), first: first)
    }

    /// The shortest lengths, and those around what is first and before the end.
    var lengths: [Int] {
      let lengths = [1...64, first - 9...first + 9, bytes.count - 9...bytes.count - 1]
      return Set(lengths.joined().filter { 1..<bytes.count ~= $0 }).sorted()
    }
  }

  static let samples = Result {
    try TextSample.all.map {
      Sample(
        $0.format, $0.name, $0.text,
        remarks: ["redis", "memcached", "haproxy", "w3c", "baleen"].contains($0.format) ? 1 : 0)
    } + [
      Sample("csv", "a.csv", "time,op,size,lbn\n5633898,2a,512,42932745\n5633899,28,8,7\n"),
      Sample("csv", "a.tsv", "key\tsize\nuser:17\t512\nuser:4\t600\n"),
      Sample("csv", "keys.csv", "key\nuser:17\nuser:4\n"),
      Sample("lis", "OLTP.lis", "12 3 0 0\n513 1 0 1\n"),
      Sample("address", "gcc.trace", "l 0x1fffff50 1\ns 0x1fffff58 4\n"),
      Sample(
        "address", "lackey.log", "==1== x\nI  0400d7d4,8\n S 1ffeffe7d0,8\n", remarks: 1),
      Sample("plain", "keys.txt", "user:17\nuser:4\n"),
      Sample(writing: "evt", "a.evtrace", first: 256),
      Sample(writing: "lcs", "a.lcs", first: 8192),
      Sample(writing: "oracleGeneral", "a.oracleGeneral.bin", first: 24),
      // Bytes that a text may have as well.
      Sample("twr", "a.twr", [UInt8](repeating: 0x21, count: 19) + [1, 0x21], first: 20),
      Sample("twrNS", "a.twrNS", [UInt8](repeating: 0x21, count: 19) + [1, 0x21, 0x21], first: 22),
      Sample("binary", "scarab.trace", [UInt8](repeating: 0x41, count: 16), first: 8),
      Sample(
        "vscsi", "w106.vscsi",
        bytes(
          UInt32(0x4141_4141), UInt32(512), UInt32(1), UInt16(0x28), UInt16(0x0100), UInt64(7),
          UInt64(9)) + [1], first: 32),
    ]
  }

  @Test func everyFormatHasASample() throws {
    let formats = Set(try Self.samples.get().map(\.format))
    #expect(formats == Set(TraceFormats.all.map { $0.information.name }))
  }

  @Test(arguments: try samples.get())
  func whatIsCutOffIsRefusedOrReadAsWhatItIs(_ sample: Sample) {
    for length in sample.lengths {
      let part = Array(sample.bytes.prefix(length))
      for format in [sample.format, nil] {
        let text = Comment("\(length) bytes, \(format ?? "told")")
        do throws(TraceError) {
          let trace = try TraceLoader.load(
            bytes: part, name: sample.name, format: format, columns: .all)
          let isComplete = sample.isText && trace.format == sample.format
          #expect(length >= sample.first || format == "plain" || isComplete, text)
          #expect(format == nil && length < sample.told || trace.format == sample.format, text)
        } catch {
          #expect(error.kind == .data, text)
          let message = error.description
          if length < sample.first {
            #expect(
              error == .noRequests(file: sample.name)
                || message.wholeMatch(of: /[^ ]+: (line|byte) [0-9]+: .+; .+/) != nil, "\(message)")
          }
        }
      }
    }
  }
}

import Foundation
import TestConditions
import Testing
import Traces

/// No format's text is taken for another's without a word.
@Suite struct DetectionTests {
  /// The outcome of reading: the format, or nil for an error.
  private func format(_ bytes: [UInt8], name: String, format: String? = nil) -> String? {
    do throws(TraceError) {
      return try TraceLoader.load(bytes: bytes, name: name, format: format, columns: .all).format
    } catch {
      return nil
    }
  }

  /// The samples of text formats, those that no ``TextSample`` is among them.
  static let samples = Result { try CutOffFilesTests.samples.get().filter(\.isText) }

  /// What a reader that is named reads of another format's sample, and why that is right.
  private static let readAsNamed: [String: Set<String>] = [
    // A header with a column `key`.
    "cachelib": ["csv"],
    // The same lines; blocks and times are of other units.
    "bailian": ["mooncake"], "mooncake": ["bailian"],
    // Columns of numbers: which is which, only the name says.
    "lis": ["webcachesim"],
    // Text in one column.
    "plain": ["csv"],
  ]

  @Test(arguments: try samples.get())
  func aReaderThatIsNamedReadsItsOwnTextOrRefuses(_ sample: CutOffFilesTests.Sample) {
    for other in TraceFormats.all.filter({ !$0.isBinary }).map({ $0.information.name })
    where other != "plain" && other != sample.format {
      let isRead = format(sample.bytes, name: sample.name, format: other) != nil
      let isRight = Self.readAsNamed[sample.format, default: []].contains(other)
      #expect(!isRead || isRight, "\(sample.format) is read as \(other)")
    }
    #expect(format(sample.bytes, name: sample.name, format: "plain") == "plain")
  }

  /// Names that belong to other formats.
  private static let names = [
    "x", "x.txt", "x.log", "x.csv", "x.tsv", "x.lis", "x.tr", "x.spc", "x.json", "tencent",
    "adaptsize",
    "scarab", "cache2k.trace", "x.oracleGeneral.txt", "w.vscsi", "a.twr", "a.lcs", "a.evtrace",
  ]

  /// The formats that a text fits as well, so that the name chooses: columns of numbers, and one column of keys.
  private static let chosenByName: [String: Set<String>] = [
    "lis": ["webcachesim"], "csv": ["plain"], "plain": ["csv"],
  ]

  @Test(arguments: try samples.get())
  func aNameNeverOverrulesTheContentOfText(_ sample: CutOffFilesTests.Sample) {
    for name in Self.names + [sample.name] {
      for bytes in sample.variants {
        let found = format(bytes, name: name)
        let isOther = found != sample.format && name == sample.name
        let isRight = found.map { Self.chosenByName[sample.format, default: []].contains($0) }
        #expect(
          found == sample.format || !isOther && isRight != false,
          "\(sample.format) as \(name) is \(found ?? "refused")")
      }
    }
  }

  @Test(arguments: try samples.get())
  func theReasonIsTheContentOrTheName(_ sample: CutOffFilesTests.Sample) throws {
    let trace = try TraceLoader.load(bytes: sample.bytes, name: sample.name)
    let isToldByName =
      ["webcachesim", "tencent-block", "tragen"].contains(sample.format)
      || sample.format == "csv" && format(sample.bytes, name: "x") != "csv"
    #expect(trace.formatReasons == [isToldByName ? .name : .content])
    let named = try TraceLoader.load(
      bytes: sample.bytes, name: sample.name, format: sample.format)
    #expect(named.formatReasons == [.given])
  }

  @Test(arguments: try samples.get())
  func whatIsLeftOfTextIsItsOwnOrKeysOrAnError(_ sample: CutOffFilesTests.Sample) {
    for length in stride(from: 1, through: min(sample.bytes.count, 600), by: isOptimized ? 1 : 7) {
      let part = Array(sample.bytes.prefix(length))
      guard let found = format(part, name: sample.name), found != sample.format else { continue }
      let lines = String(decoding: part, as: UTF8.self).split(separator: "\n")
      let areKeys = lines.filter { !$0.hasPrefix("#") }.allSatisfy {
        !$0.trimmingCharacters(in: .whitespaces).contains { " \t,;|\"{[".contains($0) }
      }
      #expect(found == "plain" && areKeys, "\(length) bytes of \(sample.format) are \(found)")
    }
  }

  /// Binary formats do not take a text for theirs either, where its name is not theirs.
  @Test func binaryDataIsToldByItsName() throws {
    for sample in try CutOffFilesTests.samples.get() where !sample.isText {
      let trace = try? TraceLoader.load(bytes: sample.bytes, name: sample.name)
      if let trace {
        let isMagic = ["evt", "lcs"].contains(sample.format)
        #expect(trace.format == sample.format)
        #expect(trace.formatReasons == [isMagic ? .content : .name])
      }
    }
    let trace = try TraceLoader.load(bytes: record(key: 7), name: "a.oracleGeneral.bin")
    #expect(trace.formatReasons == [.name])
  }

  @Test func severalFilesHaveTheirReasons() throws {
    let folder = TemporaryFolder()
    let paths = [
      folder.file("a.txt", Array("\u{FEFF}5\n6\n".utf8)),
      folder.file("b.lis", Array("\u{FEFF}6 3 0 0\n".utf8)),
      folder.file("c.tr", Array("\u{FEFF}1 6 9\n".utf8)),
    ]
    let trace = try TraceLoader.load(paths: paths)
    #expect(trace.format == "plain+lis+webcachesim")
    #expect(trace.formatReasons == [.content, .name])
    // 5, 6 and 6, 7, 8 and 6: the mark of no file is a part of a key.
    #expect(ids(trace) == [0, 1, 1, 2, 3, 1])
    #expect(
      try TraceLoader.load(paths: paths.dropLast(), format: "plain").formatReasons == [.given])
    #expect(Trace.of([1, 2]).formatReasons.isEmpty)
  }

  @Test func aStreamHasItsReason() throws {
    let blocks = try TraceLoader.blocks(
      bytes: Array("a\nb\n".utf8), name: "keys.txt", columns: [], blockRequests: 8)
    let block = try #require(try blocks.next())
    #expect(blocks.formatReasons == [.content])
    let outline = block.outline(name: "k", format: "plain", reasons: blocks.formatReasons)
    #expect(outline.formatReasons == [.content])
    while try blocks.next() != nil {}
  }
}

extension CutOffFilesTests.Sample {
  /// True for formats of text.
  var isText: Bool {
    TraceFormats.all.contains { $0.information.name == format && !$0.isBinary }
  }

  /// The text with a byte order mark, with carriage returns and with blank lines.
  var variants: [[UInt8]] {
    let text = String(decoding: bytes, as: UTF8.self)
    return [
      text, "\u{FEFF}" + text, text.replacing("\n", with: "\r\n"),
      "\n\n" + text.replacing("\n", with: "\n\n"),
      "\u{FEFF}\r\n" + text.replacing("\n", with: "\r\n\r\n"),
    ].map { Array($0.utf8) }
  }
}

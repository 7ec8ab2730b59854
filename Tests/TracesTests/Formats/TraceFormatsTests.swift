import Foundation
import Parameters
import Testing
import Traces

@Suite struct TraceFormatsTests {
  @Test func everyFileOfTheFamiliesIsInItsCatalog() throws {
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/Traces")
    let formats = Set(TraceFormats.all.map { "\($0)" })
    let generators = Set(TraceGenerators.all.map { "\($0)" })
    let sizes = Set(SizeDistributions.all.map { "\($0)" })
    for (folder, suffix, known) in [
      ("Formats", "Format", formats), ("Generators", "Generator", generators),
      ("Generators/Sizes", "Sizes", sizes),
    ] {
      let files = try FileManager.default.contentsOfDirectory(
        atPath: sources.appendingPathComponent(folder).path)
      let members = files.compactMap { file -> String? in
        let name = file.replacing(".swift", with: "")
        let isProtocol = ["TraceFormat", "TraceGenerator"].contains(name)
        return name.hasSuffix(suffix) && !isProtocol ? name : nil
      }
      #expect(Set(members) == known, "\(folder)")
    }
  }

  @Test func namesAreDistinctAndParametersHaveHelp() {
    for entries in [
      TraceFormats.all.map { $0.information } + TraceGenerators.all.map { $0.information },
      ArrivalTimes.kinds, SizeDistributions.all.map { $0.information },
    ] {
      #expect(Set(entries.map(\.name)).count == entries.count)
      check(entries)
    }
    for generator in TraceGenerators.all {
      let names = generator.information.parameters.map(\.name)
      #expect(names.suffix(2) == ["requests", "size"])
    }
  }

  private func check(_ entries: [CatalogEntry]) {
    for entry in entries {
      #expect(!entry.summary.isEmpty && !entry.summary.contains("\n"))
      #expect(entry.parameters.allSatisfy { !$0.help.isEmpty })
    }
  }

  @Test func detectionGoesByNameAndContent() throws {
    func detect(_ text: String, _ name: String) throws(TraceError) -> String {
      try load(text, name: name).format
    }
    #expect(try detect("1\n2\n", "keys.txt") == "plain")
    #expect(message("a,b\nc,d\n", name: "urls.txt").contains("2 columns with commas"))
    #expect(try detect("key,size\nc,4\n", "urls.txt") == "csv")
    #expect(try detect("1 1 0 0\n", "OLTP.lis") == "lis")
    let bytes = record(key: 1)
    #expect(
      try TraceLoader.load(bytes: bytes, name: "W89.OracleGeneral.bin").format
        == "oracleGeneral")
    #expect(
      try TraceLoader.load(bytes: bytes, name: "w", format: "oracleGeneral").format
        == "oracleGeneral")
  }

  @Test func binaryDataIsToldByAWordOfItsName() throws {
    func detect(_ name: String) -> String {
      do throws(TraceError) {
        return try TraceLoader.load(
          bytes: [UInt8](repeating: 5, count: 440), name: name
        ).format
      } catch {
        return "\(error)"
      }
    }
    #expect(detect("cluster-1.twr.bin") == "twr")
    #expect(detect("a.twrNS") == "twrNS")
    #expect(detect("scarab-recs.trace") == "binary")
    #expect(detect("CORDA_vault") == "binary")
    #expect(detect("cache2k.trace") == "binary")
    #expect(detect("cloudphysics-w106.trace") == "binary")
    #expect(detect("cloudphysics_w007") == "binary")
    #expect(detect("w.oracleGeneral").hasPrefix("w.oracleGeneral: byte 432: 8 bytes are left"))
    #expect(
      detect("calcs.lcs") == "calcs.lcs: byte 0: 440 bytes are left of a record of 1024; "
        + "the file is cut off, fetch or record it again")
    for unknown in ["calcs.bin", "twrite", "cloudphysics.bin", "cloudphysics-w.bin", "w106.bin"] {
      #expect(
        detect(unknown)
          == "\(unknown): binary data without a header, and the name names no format; "
          + "which format? name one of evt, lcs, oracleGeneral, vscsi, twrNS, twr, binary")
    }
  }

  @Test func textInUTF16IsNamed() {
    let refusal =
      "the text is UTF-16, and UTF-8 is read; convert it, for instance by iconv -f UTF-16 -t UTF-8"
    let units = Array("\u{FEFF}key,size\na,1\n".utf16)
    for bytes in [units.flatMap { bytes($0) }, units.flatMap { bytes($0.bigEndian) }] {
      for name in ["a.csv", "a.txt", "a"] {
        #expect(message(bytes, name: name) == "\(name): \(refusal)")
      }
      #expect(message(bytes, name: "a", format: "csv") == "a: \(refusal)")
    }
    let mark = [UInt8]([0xFF, 0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF, 0xFE])
    #expect(message(mark, name: "a", format: "binary") == "1 requests", "no text")
  }

  @Test func unknownFormatsAndParametersAreRefused() {
    #expect(
      message("1\n", format: "parquet")
        == "no trace format is called “parquet”; known are \(formatNames)")
    #expect(message("1\n", format: "plain:size=1") == "plain has no parameter “size”; it has none")
    #expect(
      message("1\n", format: "csv:key") == "“csv:key”: “key” is no parameter; write name:key=value")
    let error = failure { () throws(TraceError) in _ = try TraceFormats.format("csv:a=b") }
    #expect(error?.kind == .usage)
  }
}

import Foundation
import Parameters
import TestConditions
import Testing
import Traces

/// A file of columns that is read block by block is checked as one that is loaded.
@Suite struct EvtBlocksTests {
  private let folder = TemporaryFolder()
  private let columns: TraceColumns = [
    .sizes, .times, .operations, .ttls, .costs, .keyLengths,
  ]

  /// A file of five requests for three text keys with every column, and its path.
  private func file() throws -> (bytes: [UInt8], path: String) {
    let trace = try load(
      """
      key,time_ns,size,operation,ttl,cost,class
      a,5,10,get,60,0.5,x
      bb,6,20,set,0,1.5,y
      a,7,10,delete,0,2.5,x
      ccc,8,30,get,0,2.5,x
      bb,9,20,get,0,2.5,x

      """, name: "a.csv",
      format: "csv:key=key:time=time_ns:size=size:ttl=ttl:cost=cost:class=class",
      columns: .all)
    let path = folder.path + "/a.evtrace"
    try TraceWriter.write(trace, to: path)
    return (Array(try Data(contentsOf: URL(fileURLWithPath: path))), path)
  }

  /// The requests that were handed over, and the error after them.
  private struct Outcome: Equatable {
    var requests = 0
    var error: TraceError?

    var text: String { error?.description ?? "no error" }
  }

  /// Reads blocks of two requests.
  private func outcome(
    _ bytes: [UInt8], name: String = "a.evtrace", columns: TraceColumns? = nil, limit: Int? = nil
  ) -> Outcome {
    var outcome = Outcome()
    do throws(TraceError) {
      let blocks = try TraceLoader.blocks(
        bytes: bytes, name: name, columns: columns ?? self.columns, hasHashes: true, limit: limit,
        blockRequests: 2)
      while let block = try blocks.next() { outcome.requests += block.count }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  @Test func aFlippedBitInAColumnThatIsReadIsNoticed() throws {
    let whole = try file().bytes
    // Of classes, which are no part of blocks, nothing is looked at.
    let unread = 256 + 7 * 64..<256 + 9 * 64
    for bit in stride(from: 0, to: 8 * whole.count, by: isOptimized ? 3 : 23)
    where !unread.contains(bit / 8) {
      var bytes = whole
      bytes[bit / 8] ^= 1 << (bit % 8)
      let text = outcome(bytes).text
      let place = bit < 8 * 256 ? "" : "\(bit / 8 / 64 * 64): the "
      let isNoticed = text.hasPrefix("a.evtrace: byte \(place)") || text.contains("2^63 bytes")
      #expect(isNoticed, "bit \(bit): \(text)")
    }
  }

  @Test func aColumnThatNobodyWantsIsNotLookedAt() throws {
    var bytes = try file().bytes
    bytes[256 + 2 * 64] ^= 1
    #expect(outcome(bytes, columns: .ttls) == Outcome(requests: 5))
    #expect(outcome(bytes, columns: .sizes).text.contains("the sizes do not match"))
  }

  @Test func aFileCutOffAnywhereIsAnErrorBeforeItsFirstBlock() throws {
    let whole = try file().bytes
    for count in 1..<whole.count {
      let found = outcome(Array(whole.prefix(count)))
      let place = count < 256 ? "0: \(count) bytes are left of a record of 256" : "\(count): "
      #expect(found.requests == 0 && found.text.hasPrefix("a.evtrace: byte \(place)"), "\(found)")
      #expect(found.text.hasSuffix("the file is cut off, fetch or record it again"), "\(found)")
    }
    let longer = outcome(whole + [0])
    let problem = "byte \(whole.count): the file goes on behind its last column"
    #expect(longer.requests == 0 && longer.text.contains(problem), "\(longer)")
  }

  @Test func aPackedFileCutOffOrTooLongIsAnError() throws {
    let whole = try file().bytes
    for count in 256..<whole.count {
      let packed = Compression.zstd.pack(Array(whole.prefix(count)))
      let text = outcome(packed, name: "a.evtrace.zst").text
      #expect(text.hasPrefix("a.evtrace.zst: unpacked byte \(count): "), "\(text)")
    }
    let packed = Compression.zstd.pack(whole + [0])
    let text = outcome(packed, name: "a.evtrace.zst").text
    #expect(text.contains("the file goes on behind its last column"), "\(text)")
    #expect(outcome(Compression.zstd.pack(whole), name: "a.evtrace.zst") == Outcome(requests: 5))
  }

  @Test func aHeaderThatPromisesATebibyteAllocatesNothing() throws {
    var bytes = try file().bytes
    let requests = UInt64(1) << 38
    // The header is consistent in itself: ids and identities alone.
    bytes.replaceSubrange(16..<24, with: Self.little(requests))
    bytes.replaceSubrange(32..<40, with: Self.little(256 + requests * 4 + 64))
    bytes.replaceSubrange(40..<48, with: Self.little(requests * 4))
    bytes.replaceSubrange(72..<216, with: [UInt8](repeating: 0, count: 144))
    sealHeader(of: &bytes)
    let promise = "the header promises 1099511628096 bytes; the file is cut off"
    #expect(outcome(bytes).text.contains(promise))
    let packed = outcome(Compression.zstd.pack(bytes), name: "a.evtrace.zst")
    #expect(packed.requests == 0 && packed.text.contains(promise), "\(packed)")
    // A header whose numbers alone are absurd.
    bytes.replaceSubrange(24..<32, with: Self.little(UInt64(1) << 60))
    sealHeader(of: &bytes)
    #expect(
      outcome(bytes).text
        == "a.evtrace: byte 24: the header promises 1152921504606846976 distinct keys; the file is "
        + "damaged or none of evt; fetch or write it again")
  }

  @Test func aLimitEndsTheBlocksAndTheColumnsAreCheckedNevertheless() throws {
    var bytes = try file().bytes
    #expect(outcome(bytes, limit: 3) == Outcome(requests: 3))
    // The last request's id.
    bytes[256 + 16] ^= 1
    let text = outcome(bytes, limit: 3).text
    #expect(text.hasPrefix("a.evtrace: byte 256: the ids do not match their checksum"), "\(text)")
  }

  @Test func whatAFileOfColumnsTellsIsWhatItHolds() throws {
    let path = try file().path
    let told = try #require(
      TraceLoader.told(byFile: path, name: "a", format: nil, columns: [.sizes, .ttls, .groups]))
    #expect(told.requests == 5 && told.distinct == 3)
    #expect(told.outline.requests == 1 && told.outline.columns == [.sizes, .ttls])
    let packed = folder.file("a.evtrace.zst", Compression.zstd.pack(try file().bytes))
    let text = folder.file("a.txt", Array("1\n2\n".utf8))
    let cutOff = folder.file("b.evtrace", Array(try file().bytes.dropLast()))
    for path in [packed, text, cutOff, folder.path + "/none.evtrace"] {
      #expect(TraceLoader.told(byFile: path, name: "a", format: nil, columns: []) == nil)
    }
  }

  private static func little(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// Makes the header's checksum agree.
  private func sealHeader(of file: inout [UInt8]) {
    file.replaceSubrange(248..<256, with: [UInt8](repeating: 0, count: 8))
    let checksum = file[..<256].withUnsafeBytes(XXHash64.checksum)
    file.replaceSubrange(248..<256, with: Self.little(checksum))
  }
}

import Testing
import Traces

@Suite struct LCSFormatTests {
  private static let magic: UInt64 = 0x1234_5678_9abc_def0

  private func header(_ version: UInt64, requests: Int64 = 0, end: UInt64 = magic) -> [UInt8] {
    bytes(Self.magic, version, Int64(1), requests) + [UInt8](repeating: 0, count: 8152) + bytes(end)
  }

  /// Two requests as `lcs.h` lays them out.
  private func records(_ version: Int) -> [UInt8] {
    [(UInt32(5), UInt64(900), 70, 3, 2, 60), (UInt32(6), UInt64(7), 80, 1, 1, 0)]
      .flatMap { (time: UInt32, key: UInt64, size: Int, op: UInt32, tenant: UInt32, ttl: UInt32) in
        switch version {
        case 1: return bytes(time, key, UInt32(size), Int64(-1))
        case 2: return bytes(time, key, UInt32(size), op | tenant << 8, Int64(-1))
        default:
          let features = version == 3 ? 0 : 1 << (version - 4)
          return bytes(time, key, Int64(size), op | tenant << 8, ttl, Int64.max)
            + [UInt8](repeating: 0xEE, count: 4 * features)
        }
      }
  }

  @Test(arguments: 1...8)
  func everyVersionIsRead(_ version: Int) throws {
    let file = header(UInt64(version), requests: 2) + records(version)
    let size = [24, 28, 36, 40, 44, 52, 68, 100][version - 1]
    #expect(file.count == 8192 + 2 * size)
    let trace = try TraceLoader.load(bytes: file, name: "a", columns: .all)
    #expect(trace.format == "lcs")
    #expect(ids(trace) == [0, 1] && trace.integerKey(of: 0) == 900)
    #expect(trace.sizes.map(Array.init) == [70, 80])
    #expect(trace.times.map(Array.init) == [5_000_000_000, 6_000_000_000])
    #expect(trace.operations.map(Array.init) == (version > 1 ? [.set, .get] : nil))
    #expect(trace.classes.map(Array.init) == (version > 1 ? [0, 1] : nil))
    #expect(trace.classNames == (version > 1 ? ["2", "1"] : []))
    #expect(trace.ttls.map(Array.init) == (version > 2 ? [60_000_000_000, 0] : nil))
  }

  @Test(arguments: [1, 2])
  func theFirstHeadersAreRead(_ version: Int) throws {
    let start = bytes(Self.magic, UInt64(version), Int64(1), Int64(2))
    let header = start + [UInt8](repeating: 0, count: 1016 - start.count) + bytes(Self.magic)
    let trace = try TraceLoader.load(
      bytes: header + records(version), name: "a", columns: .sizes)
    #expect(trace.format == "lcs" && ids(trace) == [0, 1])
    #expect(trace.sizes.map(Array.init) == [70, 80])
    let cut = message(Array((header + records(version)).dropLast()), name: "a.lcs")
    #expect(cut.hasSuffix("the file is cut off, fetch or record it again"))
  }

  @Test func aTimeToLiveThatIsUnknownIsNone() throws {
    let record = bytes(UInt32(5), UInt64(9), Int64(1), UInt32(255), UInt32.max, Int64.max)
    let trace = try TraceLoader.load(bytes: header(3) + record, name: "a", columns: .all)
    #expect(trace.ttls.map(Array.init) == [0] && trace.operations.map(Array.init) == [.get])
  }

  @Test func aHeaderThatLiesIsRefused() {
    let remedy = "is it an lcs file? fetch it again or name its format"
    let text = { (file: [UInt8]) in message(file, name: "a.lcs") }
    #expect(text(header(9)) == "a.lcs: byte 8: lcs version 9; 1 to 8 are known; \(remedy)")
    #expect(text(header(0)) == "a.lcs: byte 8: lcs version 0; 1 to 8 are known; \(remedy)")
    #expect(
      text(header(1, end: 4)) == "a.lcs: byte 8184: the header's magic number is wrong; \(remedy)")
    #expect(
      text([0] + header(1).dropFirst())
        == "a.lcs: byte 0: the header's magic number is wrong; \(remedy)")
    #expect(
      text(header(1, requests: -1)) == "a.lcs: byte 24: the header counts -1 requests; \(remedy)")
    #expect(
      text(header(1, requests: 1) + records(1))
        == "a.lcs: byte 24: the header counts 1 requests, the file holds 2; \(remedy)")
    #expect(
      text(header(1, requests: .max) + records(1))
        == "a.lcs: byte 8240: 2 of the header's 9223372036854775807 requests; "
        + "the file is cut off, fetch or record it again")
    #expect(
      text(header(1)) == "a.lcs: 0 requests, at most a header or comments; fetch or record it again"
    )
  }

  @Test func aSizeBelowZeroIsRefused() {
    let record = bytes(UInt32(5), UInt64(9), Int64(-8), UInt32(1), UInt32(0), Int64.max)
    #expect(
      message(header(3) + record, name: "a.lcs", columns: .sizes)
        == "a.lcs: byte 8192: a size of -8; is the format the right one, the file undamaged?")
  }

  @Test func aFileCutOffAnywhereIsAnError() {
    let file = header(3, requests: 2) + records(3)
    for count in Array(0...40) + Array(8180..<file.count) {
      let text = message(Array(file.prefix(count)), name: "a.lcs")
      #expect(text.hasPrefix("a.lcs: "), "\(count): \(text)")
    }
  }

  @Test func aLimitEndsBeforeTheHeadersCount() throws {
    let trace = try TraceLoader.load(
      bytes: header(2, requests: 2) + records(2), name: "a", limit: 1)
    #expect(trace.requests == 1)
  }
}

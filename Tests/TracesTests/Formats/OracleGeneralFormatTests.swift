import Testing
import Traces

@Suite struct OracleGeneralFormatTests {
  private let bytes =
    record(time: 1, key: 900, size: 10) + record(time: 2, key: 0, size: 20, next: 7)
    + record(time: UInt32.max, key: 900, size: UInt32.max)

  @Test func recordsAreRead() throws {
    let trace = try TraceLoader.load(bytes: bytes, name: "a.oracleGeneral.bin", columns: .all)
    #expect(ids(trace) == [0, 1, 0])
    #expect(trace.integerKey(of: 0) == 900)
    #expect(trace.sizes.map(Array.init) == [10, 20, UInt64(UInt32.max)])
    #expect(
      trace.times.map(Array.init)
        == [1_000_000_000, 2_000_000_000, Int64(UInt32.max) * 1_000_000_000])
    #expect(trace.columns == [.sizes, .times])
  }

  @Test func columnsStayAwayUnlessAskedFor() throws {
    let trace = try TraceLoader.load(bytes: bytes, name: "a.oracleGeneral")
    #expect(trace.columns == [])
  }

  @Test func aLimitCutsEveryColumn() throws {
    let trace = try TraceLoader.load(
      bytes: bytes, name: "a.oracleGeneral", columns: .all, limit: 2)
    #expect(trace.requests == 2 && trace.sizes?.count == 2 && trace.times?.count == 2)
  }

  @Test func anythingButWholeRecordsIsAnError() throws {
    for count in 0...bytes.count {
      let text = message(Array(bytes.prefix(count)), name: "a.oracleGeneral")
      let left = count % 24
      if count == 0 {
        #expect(
          text
            == "a.oracleGeneral: 0 requests, at most a header or comments; fetch or record it again"
        )
      } else if left == 0 {
        #expect(text == "\(count / 24) requests")
      } else {
        #expect(
          text
            == "a.oracleGeneral: byte \(count - left): \(left) bytes are left of a record of 24; "
            + "the file is cut off, fetch or record it again")
      }
    }
  }

  @Test func aPlaceInAPackedFileIsSaidToBeUnpacked() {
    let packed = Compression.zstd.pack(Array(bytes.prefix(30)))
    #expect(
      message(packed, name: "a.oracleGeneral.zst")
        == "a.oracleGeneral.zst: unpacked byte 24: 6 bytes are left of a record of 24; "
        + "the file is cut off, fetch or record it again")
  }
}

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
}

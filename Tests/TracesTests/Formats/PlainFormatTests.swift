import Testing
import Traces

@Suite struct PlainFormatTests {
  @Test func aKeyIsItsLineWithoutWhiteSpaceAround() throws {
    let trace = try load("a b\n  a b\t\r\n\u{B}a b\u{C}\na  b\n", format: "plain")
    #expect(ids(trace) == [0, 0, 0, 1])
    #expect(trace.format == "plain" && trace.formatReasons == [.given])
  }

  @Test func keysAreNeverParsedAsNumbers() throws {
    #expect(ids(try load("007\n7\n0x7\n7.0\n7\n")) == [0, 1, 2, 3, 1])
  }

  @Test func commentsBlanksAndALoneStarAreNoRequests() throws {
    #expect(ids(try load("# comment\n\n1\n *\n   \n#\n**\n*1\n1")) == [0, 1, 2, 0])
  }

  @Test func aLimitCountsRequestsAndForgetsTheRest() throws {
    let trace = try load("a\nb\na\nc\nd\n", limit: 3)
    #expect(ids(trace) == [0, 1, 0])
    #expect(trace.distinct == 2)
  }

  @Test func onlyCommentsAreNoTrace() {
    #expect(
      message("# nothing\n\n")
        == "keys.txt: 0 requests, at most a header or comments; fetch or record it again")
  }

  @Test func binaryDataIsRefused() {
    #expect(
      message([1, 2, 0, 9, 10, 0], name: "some.bin")
        == "some.bin: binary data without a header, and the name names no format; "
        + "which format? name one of evt, lcs, oracleGeneral, vscsi, twrNS, twr, binary")
    #expect(
      message([65, 10, 66, 0, 67, 10], name: "some.bin", format: "plain")
        == "some.bin: line 2: the line holds a zero byte; "
        + "is this a text file? name its format")
  }

  @Test func keyLengthsAreKeptWhenAskedFor() throws {
    let trace = try load("abc\n  de \nabc\n", columns: .all)
    #expect(trace.keyLengths.map(Array.init) == [3, 2])
    #expect(trace.columns == .keyLengths)
    #expect(try load("abc\n").keyLengths == nil)
  }
}

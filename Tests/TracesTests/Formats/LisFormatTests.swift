import Testing
import Traces

@Suite struct LisFormatTests {
  @Test func aLineAsksForSoManyBlocks() throws {
    let trace = try load("12 3 0 0\n13 1 0 1\r\n\n 5  2 0 2 \n", name: "t.lis")
    #expect(ids(trace) == [0, 1, 2, 1, 3, 4])
    #expect((0..<5).map { trace.integerKey(of: $0) } == [12, 13, 14, 5, 6])
    #expect(trace.format == "lis")
  }

  @Test func contentAloneTellsTheFormat() throws {
    #expect(try load("1 1 0 0\n2 1 0 1\n", name: "anything").format == "lis")
    #expect(
      message("1 1 0\n2 1 0\n", name: "anything").contains("3 columns with blanks between them"))
    #expect(
      message("1 1 0 7\n2 1 0 3\n", name: "anything").contains("4 columns with blanks"),
      "requests are numbered in their order")
  }

  @Test func aLimitMayEndWithinALine() throws {
    let trace = try load("1 1000000 0 0\n", name: "t.lis", limit: 700)
    #expect(trace.requests == 700 && trace.distinct == 700)
  }

  @Test func aMalformedLineIsAnErrorWithItsNumber() {
    let remedy = "correct the line or name another format"
    for line in ["1 2 0", "1 2 0 0 0", "a 2 0 0", "1 2 0 x", "-1 2 0 0", "1.5 2 0 0"] {
      #expect(
        message("1 1 0 0\n\(line)\n", name: "t.lis")
          == "t.lis: line 2: not four numbers 'start count ignored request'; \(remedy)")
    }
  }

  @Test func anAbsurdCountIsRefused() {
    let remedy = "a count is 1 … 1048576; correct the line"
    for count in ["0", "1048577", "4294967297", "18446744073709551615"] {
      #expect(
        message("7 \(count) 0 0\n", name: "t.lis")
          == "t.lis: line 1: a count of \(count) blocks from 7; \(remedy)")
    }
    #expect(
      message("18446744073709551615 2 0 0\n", name: "t.lis")
        == "t.lis: line 1: a count of 2 blocks from 18446744073709551615; \(remedy)")
  }
}

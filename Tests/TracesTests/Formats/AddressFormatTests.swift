import Testing
import Traces

@Suite struct AddressFormatTests {
  private let lackey = """
    ==15482== Lackey, an example Valgrind tool
    ==15482==
    --15482-- Reading syms
    I  004014f0,2
     L 1fff00063c,8

     S 1fff000640,8
     M 00401502,2\r
    ==15482== Exit code:       0
    """

  private func keys(_ trace: Trace) -> [UInt64] {
    ids(trace).compactMap { trace.integerKey(of: $0) }
  }

  @Test func loadsAndStoresAreRequests() throws {
    let trace = try load(
      "l 0x1fffff50 1\ns 0x1FFFFF58 4\nl 0xffffffffffffffff 0\nl 0x1fffff50 2", columns: .all)
    #expect(trace.format == "address" && trace.columns == .operations)
    #expect(keys(trace) == [0x1fff_ff50, 0x1fff_ff58, .max, 0x1fff_ff50])
    #expect(trace.operations.map(Array.init) == [.read, .write, .read, .read])
  }

  @Test func whatLackeyPrintsIsRead() throws {
    let trace = try load(lackey, columns: .all)
    #expect(trace.format == "address")
    #expect(
      keys(trace) == [0x40_14f0, 0x1f_ff00_063c, 0x1f_ff00_0640, 0x40_1502, 0x40_1502])
    #expect(trace.operations.map(Array.init) == [.read, .read, .write, .read, .write])
    let data = try load(lackey, format: "address:references=data")
    #expect(keys(data) == [0x1f_ff00_063c, 0x1f_ff00_0640, 0x40_1502, 0x40_1502])
    #expect(keys(try load(lackey, format: "address:references=instructions")) == [0x40_14f0])
  }

  @Test func aReferenceThatSpansLinesRequestsEach() throws {
    let trace = try load(lackey, format: "address:line=64", columns: .all)
    #expect(
      keys(trace)
        == [0x1_0053, 0x7ffc_0018, 0x7ffc_0019, 0x7ffc_0019, 0x1_0054, 0x1_0054])
    #expect(trace.operations.map(Array.init) == [.read, .read, .read, .write, .read, .write])
    let bytes = try load(" L 10,4\n", format: "address:line=1")
    #expect(keys(bytes) == [16, 17, 18, 19])
    let end = try load(" L fffffffffffffff8,64\n", format: "address:line=8")
    #expect(keys(end) == [.max >> 3])
    // The number behind an address of the other notation is no size.
    #expect(keys(try load("l 0x40 4096\n", format: "address:line=64")) == [1])
  }

  @Test func aLimitCutsAReference() throws {
    let trace = try load(" L 10,4\n", format: "address:line=1", columns: .all, limit: 2)
    #expect(trace.requests == 2 && trace.operations?.count == 2)
  }

  @Test(arguments: [
    "l 1fffff50 1", "x 0x1fffff50 1", "l 0x 1", "l 0x1g 1", "l 0x1ffffffffffffffff 1", "l 0x10",
    "l 0x10 x", " L 0x10,8", " L 10", " L 10,", " L 10,0", " L 10,65537", " L 10 8", "I", "L10,8",
  ])
  func anythingElseIsRefusedByItsLine(_ line: String) {
    let text = message("l 0x10 1\n\(line)\n", name: "a", format: "address")
    let quoted = line.drop { $0 == " " }
    #expect(
      text == "a: line 2: '\(quoted)' is no reference to memory; "
        + "write l|s 0xADDRESS COUNT, or I|L|S|M ADDRESS,BYTES; or name another format")
    #expect(message("l 0x10 1\n\(line)\n").contains("no format that is known"))
  }

  @Test func aLineOfAnOddSizeIsRefused() {
    #expect(
      message(" L 10,4\n", format: "address:line=48")
        == "address: a cache line of 48 bytes; give a power of two, for instance line=64")
  }

  @Test func remarksAloneAreNoTraceOfAddresses() throws {
    #expect(message("== heading\n== other\n").contains("2 columns with blanks between them"))
    #expect(message("==1== x\n", format: "address").contains("0 requests"))
  }
}

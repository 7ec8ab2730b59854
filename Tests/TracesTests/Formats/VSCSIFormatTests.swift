import Testing
import Traces

@Suite struct VSCSIFormatTests {
  private func first(_ number: UInt32, _ command: UInt16, _ block: UInt64) -> [UInt8] {
    bytes(number, UInt32(512), UInt32(1), command, UInt16(0x0100), block, UInt64(7_000_001))
  }

  private func second(_ number: UInt32, _ command: UInt16, _ block: UInt64) -> [UInt8] {
    bytes(
      command, UInt16(0x0201), number, UInt32(4096), UInt32(1), block, UInt64(8_000_000), UInt64(30)
    )
  }

  @Test(arguments: ["a", "a.vscsi"])
  func bothVersionsAreToldByTheirContent(_ name: String) throws {
    let one = try TraceLoader.load(
      bytes: first(1, 0x2A, 70) + first(2, 0x28, 71) + first(3, 0x88, 70), name: name,
      columns: .all)
    #expect(one.format == "vscsi")
    #expect(ids(one) == [0, 1, 0] && one.integerKey(of: 1) == 71)
    #expect(one.sizes.map(Array.init) == [512, 512, 512])
    #expect(one.times.map(Array.init)?.first == 7_000_001_000)
    #expect(one.operations.map(Array.init) == [.write, .read, .read])
    let two = try TraceLoader.load(
      bytes: second(1, 0x28, 70) + second(2, 0x8A, 71), name: name, columns: .all)
    #expect(ids(two) == [0, 1] && two.integerKey(of: 0) == 70)
    #expect(two.sizes.map(Array.init) == [4096, 4096])
    #expect(two.times.map(Array.init) == [8_000_000_000, 8_000_000_000])
    #expect(two.operations.map(Array.init) == [.read, .write])
  }

  @Test func recordsOfNoVersionAreRefused() {
    let other = first(1, 0x2A, 70).map { $0 == 1 ? 3 : $0 }
    #expect(
      message(other, name: "a.vscsi")
        == "a.vscsi: byte 0: the first records are of neither version of vscsi; "
        + "fetch the file again or name its format")
    #expect(message(other + other, name: "a").contains("binary data without a header"))
    // One record of a nameless file could be anything.
    #expect(message(first(1, 0x2A, 70), name: "a").contains("binary data without a header"))
  }

  @Test func aCommandThatIsNeitherReadNorWriteIsRefusedWhereItMatters() {
    let file = first(1, 0x2A, 70) + first(2, 0x35, 71)
    #expect(message(file, name: "a.vscsi") == "2 requests")
    #expect(
      message(file, name: "a.vscsi", columns: .operations)
        == "a.vscsi: byte 32: 53 is no operation; "
        + "is the format the right one, the file undamaged?")
  }

  @Test func aFileCutOffAnywhereIsAnErrorOrShorter() {
    let file = first(1, 0x2A, 70) + first(2, 0x28, 71)
    for count in 0..<file.count {
      let text = message(Array(file.prefix(count)), name: "a.vscsi")
      #expect(count == 32 ? text == "1 requests" : text.hasPrefix("a.vscsi: "), "\(count): \(text)")
    }
  }
}

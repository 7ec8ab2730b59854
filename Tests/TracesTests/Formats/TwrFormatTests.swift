import Testing
import Traces

@Suite struct TwrFormatTests {
  private func record(
    _ time: UInt32, _ key: UInt64, keySize: UInt32, valueSize: UInt32, op: UInt32, ttl: UInt32
  ) -> [UInt8] {
    bytes(time, key, keySize << 22 | valueSize, op << 24 | ttl)
  }

  private var records: [[UInt8]] {
    [
      record(9, 900, keySize: 20, valueSize: 4_000_000, op: 3, ttl: 86400),
      record(10, 7, keySize: 1023, valueSize: 0, op: 1, ttl: 0),
      record(11, 900, keySize: 20, valueSize: 5, op: 9, ttl: 0xFF_FFFF),
    ]
  }

  @Test func thePackedPartsComeApart() throws {
    let trace = try TraceLoader.load(
      bytes: records.flatMap { $0 }, name: "cluster.twr", columns: .all)
    #expect(trace.format == "twr" && ids(trace) == [0, 1, 0] && trace.integerKey(of: 1) == 7)
    #expect(trace.times.map(Array.init) == [9_000_000_000, 10_000_000_000, 11_000_000_000])
    #expect(trace.sizes.map(Array.init) == [4_000_020, 1023, 25])
    #expect(trace.operations.map(Array.init) == [.set, .get, .delete])
    #expect(trace.ttls.map(Array.init) == [86_400_000_000_000, 0, 16_777_215_000_000_000])
    #expect(trace.classes == nil && trace.keyLengths.map(Array.init) == [20, 1023])
    let other = try TraceLoader.load(bytes: records[0], name: "cluster.twr", columns: .sizes)
    #expect(other.keyLengths == nil)
  }

  @Test func aNameSpaceIsAClass() throws {
    let file = zip(records, [UInt16(5), 6, 5]).flatMap { $0 + bytes($1) }
    let trace = try TraceLoader.load(bytes: file, name: "cluster.twrNS.bin", columns: .all)
    #expect(trace.format == "twrNS" && ids(trace) == [0, 1, 0])
    #expect(trace.sizes.map(Array.init) == [4_000_020, 1023, 25])
    #expect(trace.classes.map(Array.init) == [0, 1, 0] && trace.classNames == ["5", "6"])
  }

  @Test func anUnknownOperationIsRefused() {
    let file = record(9, 900, keySize: 1, valueSize: 1, op: 77, ttl: 0)
    #expect(
      message(file, name: "a.twr", columns: .operations)
        == "a.twr: byte 0: 77 is no operation; is the format the right one, the file undamaged?")
  }

  @Test func aFileCutOffAnywhereIsAnErrorOrShorter() {
    for (name, size) in [("a.twr", 20), ("a.twrNS", 22)] {
      let file = [UInt8](repeating: 1, count: 2 * size)
      for count in 1..<file.count {
        let text = message(Array(file.prefix(count)), name: name)
        #expect(
          count == size ? text == "1 requests" : text.contains("bytes are left of a record of"))
      }
    }
  }
}

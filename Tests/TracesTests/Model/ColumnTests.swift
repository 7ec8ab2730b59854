import Foundation
import Testing
import Traces

@Suite struct ColumnTests {
  @Test func holdsWhatWasAppended() {
    for count in [0, 1, 63, 64, 65, 10_000, 200_000] {
      let column = Column((0..<count).map(UInt32.init))
      #expect(column.count == count)
      #expect(column.elementsEqual((0..<count).map(UInt32.init)))
      column.withUnsafeBufferPointer { #expect($0.count == count) }
    }
  }

  @Test func keepsItsMemoryWhereItIsReadForTheLastTime() throws {
    let text = Array((0..<300_000).map(String.init).joined(separator: "\n").utf8)
    let ids = try TraceLoader.load(bytes: text, name: "keys.txt").ids.map(UInt64.init)
    #expect(ids.elementsEqual(0..<300_000))
  }

  @Test func growsByHalfAndIsTrimmed() {
    var buffer = ColumnBuffer<UInt64>()
    var most = 0.0
    for value in 0..<UInt64(1_000_000) {
      buffer.append(value)
      if value > 50_000 {
        // A huge page may be empty yet.
        most = max(most, Double(buffer.allocatedBytes - 2 << 20) / Double(buffer.count * 8))
      }
    }
    #expect(most < 1.51)
    #expect(buffer.freeze().last == 999_999)
  }

  @Test func memoryKeepsItsContentAcrossEverySize() throws {
    var memory = RawMemory()
    let border = RawMemory.mappedFrom
    var written: [UInt8] = []
    for size in [1, 100, border - 1, border, border * 3, border * 9, border * 2, border - 5, 10] {
      let isEnough = memory.resize(to: size)
      let held = memory.byteCount
      try #require(isEnough && held >= size)
      let bytes = UnsafeMutableRawBufferPointer(start: memory.base, count: size)
      #expect(bytes.prefix(min(size, 10)).starts(with: written.prefix(size)), "\(size) bytes")
      written = (0..<min(size, 10)).map(UInt8.init)
      bytes.copyBytes(from: written)
    }
  }

  @Test func zeroedMemoryIsZero() throws {
    for size in [1, 1000, RawMemory.mappedFrom] {
      let memory = RawMemory(zeroed: size)
      guard let memory else {
        Issue.record("no memory")
        return
      }
      let bytes = UnsafeMutableRawBufferPointer(start: memory.base, count: size)
      #expect(bytes.allSatisfy { $0 == 0 })
    }
  }
}

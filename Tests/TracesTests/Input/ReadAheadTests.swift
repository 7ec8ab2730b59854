import Testing
import Traces

@Suite struct ReadAheadTests {
  /// Counts up from 0, byte by byte, and fails or ends after so many.
  private final class Counting: ByteSource {
    private(set) var consumedBytes = 0
    let count: Int
    let fails: Bool
    var totalBytes: Int? { count }

    init(_ count: Int, fails: Bool = false) {
      self.count = count
      self.fails = fails
    }

    func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
      let taken = min(target.count, count - consumedBytes, 100_001)
      if taken == 0, fails {
        throw .truncated(file: "numbers", place: .byte(count), problem: "cut")
      }
      for index in 0..<taken {
        target[index] = UInt8(truncatingIfNeeded: consumedBytes + index)
      }
      consumedBytes += taken
      return taken
    }
  }

  private func drain(_ source: any ByteSource, step: Int) throws(TraceError) -> Int {
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 1)
    defer { target.deallocate() }
    var total = 0
    while case let count = try source.read(into: target), count > 0 {
      #expect(target[0] == UInt8(truncatingIfNeeded: total))
      #expect(target[count - 1] == UInt8(truncatingIfNeeded: total + count - 1))
      total += count
      #expect(source.consumedBytes >= total)
    }
    return total
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 5 << 20], [1 << 12, 1 << 20])
  func bytesComeInOrderAndToTheEnd(_ count: Int, _ step: Int) throws {
    let source = ReadAhead(Counting(count))
    #expect(try drain(source, step: step) == count)
    #expect(try drain(source, step: step) == 0)
    #expect(source.consumedBytes == count)
  }

  @Test(arguments: [1000, 3 << 20, 3_333_333])
  func aFailureComesAfterWhatWasReadBefore(_ count: Int) {
    let source = ReadAhead(Counting(count, fails: true))
    for _ in 0..<2 {
      let error = failure { () throws(TraceError) in _ = try drain(source, step: 70_000) }
      #expect(error == .truncated(file: "numbers", place: .byte(count), problem: "cut"))
    }
  }

  @Test func readingMayStopAnywhere() throws {
    for blocks in 0..<20 {
      let source = ReadAhead(Counting(20 << 20))
      let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 300_000, alignment: 1)
      defer { target.deallocate() }
      for _ in 0..<blocks { _ = try source.read(into: target) }
    }
  }
}

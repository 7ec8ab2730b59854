import Testing
import Traces

@Suite struct TraceInputTests {
  /// Hands over a few bytes at a time.
  private final class Dribble: ByteSource {
    private let source: MemorySource
    private let step: Int

    init(_ bytes: [UInt8], step: Int) {
      source = MemorySource(bytes)
      self.step = step
    }

    var consumedBytes: Int { source.consumedBytes }
    var totalBytes: Int? { nil }

    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
      source.read(into: UnsafeMutableRawBufferPointer(rebasing: target.prefix(step)))
    }
  }

  @Test func linesAreTheSameHoweverTheBytesArrive() throws {
    let text = "one\ntwo\n\nthree\r\n  four  \nlast"
    for step in 1...8 {
      let trace = try TraceLoader.load(
        Dribble(Array(text.utf8), step: step), file: "keys", format: nil, columns: .keyLengths,
        limit: nil, progress: nil)
      #expect(trace.requests == 5)
      #expect(trace.keyLengths.map(Array.init) == [3, 3, 5, 4, 4])
    }
  }

  @Test func quotedRecordsAreTheSameHoweverTheBytesArrive() throws {
    let text = "key,size\n\"a\nb\",1\n\"c,\"\"d\"\"\",2\nplain,3\n\"a\nb\",4"
    for step in 1...12 {
      let trace = try TraceLoader.load(
        Dribble(Array(text.utf8), step: step), file: "keys.csv", format: nil,
        columns: [.sizes, .keyLengths], limit: nil, progress: nil)
      #expect(ids(trace) == [0, 1, 2, 0])
      #expect(trace.keyLengths.map(Array.init) == [3, 5, 5])
      #expect(trace.sizes.map(Array.init) == [1, 2, 3, 4])
    }
  }

  @Test func aLineMayBeLongButNotEndless() throws {
    let long = String(repeating: "x", count: TraceInput.longestLine - 1)
    #expect(try load("a\n" + long + "\n", format: "csv:key=1:header=no").requests == 2)
    #expect(
      message("a\nb\n" + long + "xx\nc\n", format: "csv:key=1:header=no")
        == "keys.txt: line 3: the line is longer than 1 MiB; "
        + "cut it, or name the format if it is another")
  }

  @Test func memoryDoesNotGrowWithTheFile() throws {
    /// Makes records, and notes which pages of memory it is asked to write them to.
    final class Endless: ByteSource {
      private var made: UInt64 = 0
      private(set) var pages: Set<Int> = []
      let requests: UInt64
      var consumedBytes: Int { Int(made) * 24 }
      var totalBytes: Int? { nil }

      init(_ requests: UInt64) { self.requests = requests }

      func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count / 24, Int(requests - made), 2000)
        for index in 0..<count {
          target.storeBytes(of: 0, toByteOffset: index * 24, as: UInt32.self)
          target.storeBytes(
            of: (made &+ UInt64(index)) % 1000, toByteOffset: index * 24 + 4, as: UInt64.self)
          target.storeBytes(of: 1, toByteOffset: index * 24 + 12, as: UInt32.self)
          target.storeBytes(of: -1, toByteOffset: index * 24 + 16, as: Int64.self)
        }
        if count > 0 {
          let first = Int(bitPattern: target.baseAddress)
          pages.formUnion(first >> 12...(first + count * 24 - 1) >> 12)
        }
        made += UInt64(count)
        return count * 24
      }
    }
    let requests = 500_000
    let source = Endless(UInt64(requests))
    let trace = try TraceLoader.load(
      source, file: "endless", format: TraceFormats.format("oracleGeneral"),
      columns: [], limit: nil, progress: nil)
    #expect(trace.requests == requests && trace.distinct == 1000)
    // 12 MB went through the same two buffers. The process's own size would tell more, but other
    // tests run beside this one; what the keys take is bounded in `KeyTableTests`.
    #expect(source.pages.count << 12 < 2 << 20)
  }
}

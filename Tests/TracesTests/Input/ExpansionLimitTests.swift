import Testing
import Traces

@Suite struct ExpansionLimitTests {
  /// Records of 64 KiB, so that much content is read at once.
  private static let format = "binary:format=Q65528x"
  private static let zeros = [UInt8](repeating: 0, count: 16 << 20)

  /// A source that is read by its beginning alone, as a pipe is.
  private final class Endless: ByteSource {
    private let source: MemorySource

    init(_ bytes: [UInt8]) { source = MemorySource(bytes) }

    var totalBytes: Int? { nil }
    var consumedBytes: Int { source.consumedBytes }
    func read(into target: UnsafeMutableRawBufferPointer) -> Int { source.read(into: target) }
  }

  private func load(
    _ source: any ByteSource, _ name: String, _ limit: ExpansionLimit, format: String = format,
    requests: Int? = nil
  ) throws(TraceError) -> Trace {
    try TraceLoader.load(
      source, file: name, format: TraceFormats.format(format), columns: [], limit: requests,
      expansion: limit, progress: nil)
  }

  private func refusal(_ name: String, _ problem: String) -> String {
    "\(name): \(problem) for each byte stored; give a larger --expansion if you trust it, or a --limit"
  }

  @Test(arguments: Compression.allCases)
  func bombIsRefusedAtItsRatio(_ packing: Compression) throws {
    let packed = packing.pack(Self.zeros)
    let name = "bomb" + packing.suffix
    let limit = ExpansionLimit(freeBytes: 1 << 20)
    let allowed = max(1 << 20, packed.count * 1000)
    for source in [MemorySource(packed), Endless(packed)] as [any ByteSource] {
      let error = failure { () throws(TraceError) in _ = try load(source, name, limit) }
      guard case .malformed(name, .unpackedByte(let place), _, _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.kind == .data && place > allowed && place <= allowed + 256 << 10)
      #expect(
        error?.description
          == refusal(name, "unpacked byte \(place): it unpacks to more than 1000 bytes"))
    }
    // Said to be fine, small enough, or not read so far.
    let trusted = ExpansionLimit(ratio: 100_000, freeBytes: 1 << 20)
    #expect(try load(MemorySource(packed), name, trusted).requests == 256)
    #expect(try load(MemorySource(packed), name, ExpansionLimit()).requests == 256)
    #expect(try load(MemorySource(packed), name, limit, requests: 3).requests == 3)
  }

  @Test func gibibyteFromAHundredKilobytesIsRefusedByDefault() {
    let packed = Compression.zstd.pack(Self.zeros)
    let bomb = (0..<65).flatMap { _ in packed }
    #expect(bomb.count < 200_000)
    let text = message(bomb, name: "bomb.zst", format: Self.format)
    #expect(text.hasSuffix(refusal("", "it unpacks to more than 1000 bytes").dropFirst(2)))
  }

  @Test func requestsThatLinesStandForAreBounded() throws {
    let line = "0 1048576 0 0\n"
    #expect(message(line, name: "a.lis") == "1048576 requests")
    let lines = String(repeating: line, count: 17)
    #expect(
      message(lines, name: "a.lis")
        == refusal("a.lis", "byte \(lines.utf8.count): it holds more than 1000 requests"))
    for ratio in [10_000, 100_000] {
      let limit = ExpansionLimit(ratio: ratio, freeRequests: 1 << 16)
      let error = failure { () throws(TraceError) in
        _ = try load(MemorySource(Array(line.utf8)), "a.lis", limit, format: "lis")
      }
      #expect((error == nil) == (ratio * line.utf8.count >= 1 << 20))
    }
  }

  @Test func smallPackedTextStandsForBoundedRequests() {
    let text = [UInt8]("7\n".utf8)
    let packed = Compression.zstd.pack((0..<1 << 19).flatMap { _ in text })
    let error = failure { () throws(TraceError) in
      _ = try load(
        MemorySource(packed), "keys.zst", ExpansionLimit(freeRequests: 1 << 12), format: "plain")
    }
    #expect(packed.count * 1000 < 1 << 19)
    #expect(
      error?.description
        == refusal("keys.zst", "byte \(packed.count): it holds more than 1000 requests"))
  }
}

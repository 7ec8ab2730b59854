import Parameters

/// libCacheSim's `lcs` files: a header of 8192 bytes, then records, all little-endian.
///
///     0     uint64  0x123456789abcdef0
///     8     uint64  version, 1 … 8
///     16    8000 bytes of statistics: int64 their version, requests, objects, bytes requested,
///           bytes of objects, first and last time, reads, writes, deletes, and more
///     8184  uint64  0x123456789abcdef0
///
///     version 1: 24 bytes  uint32 time, uint64 object, uint32 size, int64 next access
///     version 2: 28 bytes  … uint32 size, uint32 operation and tenant × 256, int64 next access
///     version 3: 36 bytes  … int64 size, uint32 operation and tenant × 256, uint32 time to live,
///                          int64 next access
///     version 4 … 8        version 3 and 1, 2, 4, 8, 16 features of 4 bytes (not read)
///
/// Times and times to live are seconds. Requests of no bytes are requests (libCacheSim skips
/// them unless told otherwise). When the header counts requests and the file holds others, it
/// is refused. The header of the first files, of versions 1 and 2, has 1024 bytes, of which the
/// last eight are the second magic number. As `lcs.h` in https://github.com/1a1a11a/libCacheSim defines it.
struct LCSFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "lcs", summary: "libCacheSim's binary records behind a header, versions 1 to 8")

  static let magic: UInt64 = 0x1234_5678_9abc_def0
  static let headerSize = 8192
  private static let firstHeaderSize = 1024
  static let isBinary = true

  let keys = KeyKind.integer

  static func recognition(of sample: TraceSample) -> Recognition {
    let begin = withUnsafeBytes(of: magic.littleEndian) { Array($0) }
    return sample.head.starts(with: begin)
      ? .certain : sample.recognition(ofBinary: sample.isNamed("lcs"))
  }

  /// The records of a version; nil when there is no such version.
  static func layout(version: UInt64) -> RecordLayout? {
    var layout = RecordLayout(
      size: 24, key: .unsigned(8, at: 4), sizes: [.unsigned(4, at: 12)], time: .unsigned(4, at: 0))
    if version == 1 { return layout }
    guard (2...8).contains(version) else { return nil }
    let flags = version == 2 ? 16 : 20
    layout.operation = .unsigned(1, at: flags)
    layout.classNumber = .unsigned(4, at: flags, shift: 8)
    layout.size = 28
    if version == 2 { return layout }
    layout.sizes = [RecordField(offset: 12, kind: .signed(bytes: 8))]
    layout.ttl = .unsigned(4, at: 24)
    // What a converter writes for a source without times to live.
    layout.unlimitedTTL = UInt64(UInt32.max)
    layout.size = 36
    if version > 3 { layout.size += 4 << Int(version - 4) }
    return layout
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    guard var block = try input.nextRecords(of: Self.firstHeaderSize) else { return }
    var headerSize = Self.firstHeaderSize
    if block.uint64(at: headerSize - 8) != Self.magic {
      headerSize = Self.headerSize
      input.returnLast(block.count)
      guard let longer = try input.nextRecords(of: headerSize) else { return }
      block = longer
    }
    input.returnLast(block.count - headerSize)
    func refusal(_ byte: Int, _ problem: String) -> TraceError {
      input.malformed(
        byte: byte, problem, "is it an lcs file? fetch it again or name its format")
    }
    for byte in [0, headerSize - 8] where block.uint64(at: byte) != Self.magic {
      throw refusal(byte, "the header's magic number is wrong")
    }
    let version = block.uint64(at: 8)
    guard let layout = Self.layout(version: version) else {
      throw refusal(8, "lcs version \(version); 1 to 8 are known")
    }
    let promised = Int64(bitPattern: block.uint64(at: 24))
    if promised < 0 { throw refusal(24, "the header counts \(promised) requests") }
    try layout.read(from: input, into: &builder)
    if promised == 0 || builder.requests == promised || builder.isFull { return }
    if builder.requests < promised {
      throw .truncated(
        file: input.file, place: input.place(ofByte: input.offset),
        problem: "\(builder.requests) of the header's \(promised) requests")
    }
    throw refusal(
      24, "the header counts \(promised) requests, the file holds \(builder.requests)")
  }
}

import Parameters

/// Keys as whole numbers of fixed width, one after the other and nothing else: the traces of cache2k
/// and Scarab (big-endian), CloudPhysics w106 (32 bits, little-endian).
///
/// Nothing in such a file says what it is, so the format must be named.
struct BinaryFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "binary",
    summary: "keys as whole numbers of fixed width and nothing else; must be named",
    parameters: [
      Parameter(
        "bits", .choice(["32", "64"]), default: .text("64"), help: "the width of a key"),
      Parameter(
        "order", .choice(["big", "little"]), default: .text("big"), help: "the order of its bytes"),
    ])

  let keys = KeyKind.integer

  private let width: Int
  private let isBigEndian: Bool

  init(_ arguments: Arguments) {
    width = arguments.text("bits") == "32" ? 4 : 8
    isBigEndian = arguments.text("order") == "big"
  }

  static func recognition(of sample: TraceSample) -> Recognition { .no }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    while !builder.isFull, let block = try input.nextRecords(of: width) {
      for offset in stride(from: 0, to: block.count, by: width) {
        try builder.append(key: key(in: block, at: offset))
        if builder.isFull { return }
      }
    }
  }

  private func key(in block: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    if width == 4 {
      let key = block.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return UInt64(isBigEndian ? key.bigEndian : key.littleEndian)
    }
    let key = block.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return isBigEndian ? key.bigEndian : key.littleEndian
  }
}

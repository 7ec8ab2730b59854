import Parameters

/// libCacheSim's binary records of 24 bytes, little-endian:
///
///     0   uint32  time, seconds
///     4   uint64  object
///     12  uint32  size, bytes
///     16  int64   the request that asks for the object next (not read)
struct OracleGeneralFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "oracleGeneral",
    summary: "libCacheSim's binary records of time, id, size and next access; told by its name")

  static let recordSize = 24

  let keys = KeyKind.integer

  init(_ arguments: Arguments) {}

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.name.contains("oraclegeneral") ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let size = Self.recordSize
    let wanted = builder.wanted
    while !builder.isFull, let block = try input.nextRecords(of: size) {
      let base = block.baseAddress.unsafelyUnwrapped
      let count = block.count / size
      try builder.append(keysAt: base + 4, stride: size, count: count)
      if wanted.contains(.sizes) {
        for index in 0..<count {
          let bytes = base.loadUnaligned(fromByteOffset: index * size + 12, as: UInt32.self)
          builder.append(size: UInt64(bytes.littleEndian))
        }
      }
      if wanted.contains(.times) {
        for index in 0..<count {
          let seconds = base.loadUnaligned(fromByteOffset: index * size, as: UInt32.self)
          builder.append(time: Int64(seconds.littleEndian) * 1_000_000_000)
        }
      }
    }
  }
}

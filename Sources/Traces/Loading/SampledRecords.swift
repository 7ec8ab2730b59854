/// The records of an oracleGeneral trace whose keys are in a spatial sample, as they come: no more than a block
/// of the others is ever in memory.
final class SampledRecords: ByteSource {
  private let source: any ByteSource
  private let threshold: UInt64
  private let seed: UInt64
  /// The bytes of whole records, and of the beginning of one more.
  private let block = UnsafeMutableRawBufferPointer.allocate(
    byteCount: SampledRecords.recordSize << 13, alignment: 8)
  private var filled = 0
  /// The sampled records of the block, at its beginning.
  private var sampled = 0
  private var taken = 0
  /// The bytes of the record that follows them.
  private var rest = 0..<0
  private var isAtEnd = false

  private static let recordSize = OracleGeneralFormat.layout.size
  private static let keyPlace = 4

  /// - Parameters:
  ///   - source: The unpacked records.
  ///   - rate: About this fraction of the keys, above 0 and at most 1: those that `Trace.sample` keeps.
  ///   - seed: Varies the hash.
  init(_ source: any ByteSource, rate: Double, seed: UInt64) {
    precondition(rate > 0 && rate <= 1, "a rate is above 0 and at most 1")
    self.source = source
    self.seed = seed
    threshold = rate == 1 ? .max : UInt64(rate * 0x1p64)
  }

  deinit { block.deallocate() }

  var consumedBytes: Int { source.consumedBytes }
  var totalBytes: Int? { source.totalBytes }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    while taken == sampled && !isAtEnd { try refill() }
    let count = min(target.count, sampled - taken)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[taken..<taken + count]))
    taken += count
    return count
  }

  /// Reads a block and moves its sampled records to its beginning.
  private func refill() throws(TraceError) {
    block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[rest]))
    filled = rest.count
    while filled < block.count {
      let free = UnsafeMutableRawBufferPointer(rebasing: block[filled...])
      let count = try source.read(into: free)
      if count == 0 {
        isAtEnd = true
        break
      }
      filled += count
    }
    let size = SampledRecords.recordSize
    let whole = filled / size * size
    (sampled, taken) = (0, 0)
    for place in stride(from: 0, to: whole, by: size) {
      let key = UInt64(
        littleEndian: block.loadUnaligned(
          fromByteOffset: place + SampledRecords.keyPlace, as: UInt64.self))
      if KeyHash(decimal: key).low.varied(by: seed) >= threshold { continue }
      keep(place..<place + size)
    }
    rest = whole..<filled
    // A record that was cut off is the reader's to refuse.
    if isAtEnd { keep(rest) }
  }

  private func keep(_ bytes: Range<Int>) {
    if bytes.lowerBound > sampled {
      UnsafeMutableRawBufferPointer(rebasing: block[sampled...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[bytes]))
    }
    sampled += bytes.count
  }
}

extension TraceLoader {
  /// Reads a spatial sample of a trace in oracleGeneral, packed or not; of the others nothing stays in memory.
  ///
  /// The sample is that of `Trace.sample(_:seed:)`.
  ///
  /// - Parameters:
  ///   - source: The stored bytes.
  ///   - file: The name of the source in messages.
  ///   - name: The trace's name.
  ///   - rate: The fraction of the keys.
  ///   - seed: Varies the hash.
  package static func load(
    sampling source: any ByteSource, file: String, name: String, rate: Double, seed: UInt64 = 42
  ) throws(TraceError) -> Trace {
    let records = SampledRecords(
      try Compression.unpack(source, file: file), rate: rate, seed: seed)
    return try load(
      records, file: file, name: name,
      format: try TraceFormats.format(OracleGeneralFormat.information.name),
      columns: [.sizes, .times], limit: nil, progress: nil)
  }
}

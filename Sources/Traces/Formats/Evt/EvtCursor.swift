import Parameters

/// Reads one section of an ``EvtFormat`` file piece by piece, beside others that are at their places in the
/// same file.
final class EvtCursor {
  let input: TraceInput
  private let header: EvtHeader
  private let section: EvtSection
  /// The bytes that are still to come, with the zeros that follow the section.
  private var left: Int
  private var checksum = XXHash64()
  /// The bytes behind the last whole stripe of the checksum.
  private var tail: [UInt8] = []
  /// The bytes that are read and checked at a time, which the nearer caches hold.
  private static let pieceBytes = 256 << 10

  /// Goes to the beginning of a section.
  ///
  /// - Parameters:
  ///   - input: The file from its first byte on.
  ///   - header: The header that the file had when it was opened first.
  ///   - section: One that the file has.
  init(
    _ input: TraceInput, of header: EvtHeader, at section: EvtSection
  ) throws(TraceError) {
    self.input = input
    self.header = header
    self.section = section
    left = header[section].extent
    tail.reserveCapacity(XXHash64.stripe)
    guard try EvtHeader(from: input) == header else {
      throw input.malformed(
        byte: 0, "the file was replaced while it was read", "run the command again")
    }
    try skip(header.place(of: section) - EvtHeader.size)
  }

  /// Appends the next values to a column.
  func read<Value>(_ count: Int, into column: inout ColumnBuffer<Value>) throws(TraceError) {
    let bytes = count * MemoryLayout<Value>.stride
    precondition(bytes <= left, "more is read than the header promises")
    try read(into: UnsafeMutableRawBufferPointer(start: column.reserve(count), count: bytes))
    column.commit(count)
  }

  /// Reads what is left of the section; throws unless all of it is what was written.
  func finish() throws(TraceError) {
    let rest = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(left, Self.pieceBytes), alignment: 64)
    defer { rest.deallocate() }
    while left > 0 {
      try read(into: UnsafeMutableRawBufferPointer(rebasing: rest[..<min(left, rest.count)]))
    }
    var whole = XXHash64()
    swap(&whole, &checksum)
    guard whole.finish() == header[section].checksum else {
      throw header.damage(input, section, "do not match their checksum")
    }
  }

  /// Passes over what is behind the section; throws unless the file ends there where the header says.
  func finishFile() throws(TraceError) {
    try skip(header.fileBytes - header.place(of: section) - header[section].extent)
    if try input.nextRecords(of: 1) != nil { throw header.goesOn(input) }
  }

  private func skip(_ count: Int) throws(TraceError) {
    if try input.skip(count) < count { throw header.cutOff(input, atByte: input.offset) }
  }

  private func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) {
    var filled = 0
    while filled < target.count {
      let end = min(target.count, filled + Self.pieceBytes)
      let piece = UnsafeMutableRawBufferPointer(rebasing: target[filled..<end])
      if try input.read(into: piece) < piece.count {
        throw header.cutOff(input, atByte: input.offset)
      }
      check(UnsafeRawBufferPointer(piece))
      filled = end
    }
    left -= target.count
  }

  /// Takes bytes into the checksum, whose stripes begin where those before ended.
  private func check(_ bytes: UnsafeRawBufferPointer) {
    let missing = tail.isEmpty ? 0 : min(bytes.count, XXHash64.stripe - tail.count)
    tail += bytes[..<missing]
    if tail.count == XXHash64.stripe {
      tail.withUnsafeBytes { checksum.update($0) }
      tail.removeAll(keepingCapacity: true)
    }
    let stripes = (bytes.count - missing) & ~(XXHash64.stripe - 1)
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[missing..<missing + stripes]))
    tail += bytes[(missing + stripes)...]
  }
}

import Parameters

/// The unpacked bytes of a trace, handed to a format's reader in blocks.
///
/// One reusable buffer of 1 MiB holds the block and what follows it, and grows where a reader allows longer lines and
/// one comes; a file of several lines is never held whole.
package final class TraceInput {
  /// The longest line, and the longest record, that is read, unless a reader allows longer ones.
  package static let longestLine = 1 << 20
  /// The longest document of JSON, and the longest key of a line of its own.
  package static let longestDocument = 256 << 20

  /// The mark of the order of bytes that a text in UTF-8 may begin with.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Bytes read at a time, which the nearer caches hold beside the table of keys.
  private static let readSize = 256 << 10

  /// The file as messages name it.
  package let file: String

  private let source: any ByteSource
  private let monitor: ProgressMonitor?
  private var buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TraceInput.longestLine, alignment: 64)
  /// The memory of the buffer once it has grown.
  private var grown = RawMemory()
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The place of the next block's first byte among the unpacked bytes.
  package private(set) var offset = 0

  init(_ source: any ByteSource, file: String, monitor: ProgressMonitor? = nil) {
    self.source = source
    self.file = file
    self.monitor = monitor
  }

  deinit { if grown.base == nil { buffer.deallocate() } }

  /// The bytes that are still to come, where the file's size tells.
  var storedBytesLeft: Int? {
    source.isUnpacked ? nil : source.totalBytes.map { $0 - offset }
  }

  /// Tells beforehand the requests of a file and the bytes that they take in memory.
  func announce(requests: Int, bytes: Int) throws(TraceError) {
    try monitor?.announce(requests: requests, bytes: bytes)
  }

  /// The place of an unpacked byte, as an error names it.
  package func place(ofByte offset: Int) -> TraceError.Place {
    source.isUnpacked ? .unpackedByte(offset) : .byte(offset)
  }

  /// The error that a line is wrong.
  func malformed(line: Int, _ problem: String, _ remedy: String) -> TraceError {
    .malformed(file: file, place: .line(line), problem: problem, remedy: remedy)
  }

  /// The error that an unpacked byte is wrong.
  func malformed(byte: Int, _ problem: String, _ remedy: String) -> TraceError {
    .malformed(file: file, place: place(ofByte: byte), problem: problem, remedy: remedy)
  }

  /// The next block of whole records of `size` bytes; nil at the end. Valid until the next call.
  ///
  /// Throws `truncated` when the content ends within a record, and what the source throws.
  package func nextRecords(of size: Int) throws(TraceError) -> UnsafeRawBufferPointer? {
    precondition(size > 0 && size <= buffer.count, "no such record")
    while end - start < size {
      if isAtEnd {
        if start == end { return nil }
        throw .truncated(
          file: file, place: place(ofByte: offset),
          problem: "\(end - start) bytes are left of a record of \(size)")
      }
      try fill()
    }
    return take((end - start) / size * size)
  }

  /// The next block of whole lines, the last of which may lack its line end only at the end of
  /// the content; nil at the end. Valid until the next call.
  ///
  /// `line` is the number of the block's first line, for the error when a line is longer than
  /// `longest` bytes. After ``returnLast(_:)``, `beyond` bytes are returned again only with at
  /// least one further line behind them; nil when there is none.
  package func nextLines(
    from line: Int, beyond: Int = 0, longest: Int = TraceInput.longestLine
  ) throws(TraceError) -> UnsafeRawBufferPointer? {
    var searched = start + beyond
    while true {
      if let newline = buffer[searched..<end].lastIndex(of: 0x0A) {
        return take(newline + 1 - start)
      }
      if isAtEnd { return end - start <= beyond ? nil : take(end - start) }
      if end - start == buffer.count { try grow(line: line, to: min(2 * buffer.count, longest)) }
      let known = end - start
      try fill()
      searched = start + known
    }
  }

  /// Gives back the last bytes of the block handed over last: they begin the next one.
  package func returnLast(_ count: Int) {
    precondition(count <= start, "more bytes are returned than were handed over")
    start -= count
    offset -= count
  }

  /// Passes over a text's mark of the order of bytes, where the content begins with one.
  func skipByteOrderMark() {
    let mark = TraceInput.byteOrderMark
    if offset == 0, buffer[start..<end].starts(with: mark) { _ = take(mark.count) }
  }

  /// The first bytes, at most `wanted`, and true where they are the whole content; they stay to be read.
  func head(_ wanted: Int) throws(TraceError) -> (bytes: [UInt8], isWhole: Bool) {
    while end - start < wanted, !isAtEnd { try fill() }
    return (
      [UInt8](buffer[start..<min(end, start + wanted)]), isAtEnd && end - start <= wanted
    )
  }

  /// Reads the next bytes into memory and returns how many; fewer than fit only at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    var filled = min(end - start, target.count)
    target.copyMemory(from: take(filled))
    while filled < target.count {
      let size = min(buffer.count, target.count - filled)
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + size]))
      if count == 0 { break }
      filled += count
      offset += count
      try monitor?.advance()
    }
    return filled
  }

  /// Passes over the next bytes and returns how many; fewer than requested only at the end.
  func skip(_ count: Int) throws(TraceError) -> Int {
    var skipped = take(min(end - start, count)).count
    if source.skip(count - skipped) {
      offset += count - skipped
      return count
    }
    while skipped < count {
      if start == end { try fill() }
      if isAtEnd { break }
      skipped += take(min(end - start, count - skipped)).count
    }
    return skipped
  }

  /// Makes room for a longer line, once the caller agrees to the memory.
  private func grow(line: Int, to size: Int) throws(TraceError) {
    if size <= buffer.count {
      throw malformed(
        line: line, "the line is longer than \(buffer.count >> 20) MiB",
        "cut it, or name the format if it is another")
    }
    try announce(requests: 0, bytes: size)
    let isFirst = grown.base == nil
    guard grown.resize(to: size), let base = grown.base else {
      throw .io(
        file: file, action: "hold a line of more than \(buffer.count >> 20) MiB", byte: offset,
        code: ENOMEM)
    }
    if isFirst {
      base.copyMemory(from: buffer.baseAddress.unsafelyUnwrapped, byteCount: end)
      buffer.deallocate()
    }
    buffer = UnsafeMutableRawBufferPointer(start: base, count: size)
  }

  private func take(_ count: Int) -> UnsafeRawBufferPointer {
    defer {
      start += count
      offset += count
    }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<start + count])
  }

  /// Moves what is left to the front and reads more behind it.
  private func fill() throws(TraceError) {
    if start > 0 {
      let base = buffer.baseAddress.unsafelyUnwrapped
      base.copyMemory(from: UnsafeRawPointer(base + start), byteCount: end - start)
      end -= start
      start = 0
    }
    let size = min(Self.readSize, buffer.count - end)
    let count = try source.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + size]))
    end += count
    isAtEnd = count == 0
    try monitor?.advance()
  }
}

/// A source of what the stored bytes of another unpack to.
protocol Unpacker: ByteSource {
  var stored: StoredBytes { get }
}

extension Unpacker {
  var isUnpacked: Bool { true }
  var totalBytes: Int? { stored.totalBytes }
  var consumedBytes: Int { stored.consumedBytes }
}

/// The stored bytes of a source, buffered: what tells how they are packed, and unpackers feed on.
final class StoredBytes: ByteSource {
  private let source: any ByteSource
  private let file: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
  private var start = 0
  private var end = 0

  init(_ source: any ByteSource, file: String) {
    self.source = source
    self.file = file
  }

  deinit { buffer.deallocate() }

  var totalBytes: Int? { source.totalBytes }
  var consumedBytes: Int { source.consumedBytes }

  /// Once nothing is buffered any more.
  package func skip(_ count: Int) -> Bool { start == end && source.skip(count) }

  /// The place of the next byte in the stored file.
  var offset: Int { source.consumedBytes - (end - start) }

  /// The error that the data is wrong at the next byte.
  func malformed(
    _ problem: String, _ remedy: String = "fetch or pack the file again"
  ) -> TraceError {
    .malformed(file: file, place: .byte(offset), problem: problem, remedy: remedy)
  }

  /// The error that the data ends too early.
  func cutOff(_ packing: Compression) -> TraceError {
    .truncated(
      file: file, place: .byte(offset), problem: "the \(packing) data ends too early")
  }

  /// The bytes that are buffered and not consumed; valid until the next call.
  var window: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// Counts bytes of the window as consumed.
  func consume(_ count: Int) {
    assert(count <= end - start)
    start += count
  }

  /// Makes the window hold at least `count` bytes, or all that is left. False at the end.
  func fill(_ count: Int = 1) throws(TraceError) -> Bool {
    assert(count <= buffer.count)
    if end - start >= count { return true }
    if start > 0 {
      let rest = window
      buffer.baseAddress.unsafelyUnwrapped.copyMemory(
        from: UnsafeRawPointer(rest.baseAddress.unsafelyUnwrapped), byteCount: rest.count)
      end -= start
      start = 0
    }
    while end < count {
      let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      if read == 0 { break }
      end += read
    }
    return end - start > 0
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    if start == end { return try source.read(into: target) }
    let count = min(target.count, end - start)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<start + count]))
    start += count
    return count
  }
}

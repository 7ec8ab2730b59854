import CZstd

/// Unpacks zstd, frame after frame.
final class ZstdSource: ByteSource {
  private let stored: StoredBytes
  private let file: String
  private let stream: OpaquePointer
  private var isInFrame = true

  init(_ stored: StoredBytes, file: String) {
    guard let stream = ZSTD_createDStream() else { fatalError("out of memory: zstd") }
    self.stored = stored
    self.file = file
    self.stream = stream
  }

  deinit { ZSTD_freeDStream(stream) }

  var isUnpacked: Bool { true }
  var totalBytes: Int? { stored.totalBytes }
  var consumedBytes: Int { stored.consumedBytes }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    while output.pos == 0 {
      let isMore = try stored.fill()
      if !isMore, !isInFrame { return 0 }
      let window = stored.window
      var input = ZSTD_inBuffer(src: window.baseAddress, size: window.count, pos: 0)
      let status = ZSTD_decompressStream(stream, &output, &input)
      stored.consume(input.pos)
      if ZSTD_isError(status) != 0 {
        if ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge {
          throw .malformed(
            file: file, place: .byte(stored.offset),
            problem: "the zstd data needs over 128 MiB of memory",
            remedy: "pack the file again without --long, or unpack it with zstd -d --long=31")
        }
        throw .malformed(
          file: file, place: .byte(stored.offset), problem: "the zstd data is damaged",
          remedy: "fetch or pack the file again")
      }
      isInFrame = status != 0
      if !isMore, output.pos == 0, isInFrame {
        throw .truncated(
          file: file, place: .byte(stored.offset), problem: "the zstd data ends too early")
      }
    }
    return output.pos
  }
}

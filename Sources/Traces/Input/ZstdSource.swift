import CZstd

/// Unpacks zstd, frame after frame.
final class ZstdSource: Unpacker {
  let stored: StoredBytes
  private let stream: OpaquePointer
  private var isInFrame = true

  init(_ stored: StoredBytes) {
    guard let stream = ZSTD_createDStream() else { fatalError("out of memory: zstd") }
    self.stored = stored
    self.stream = stream
  }

  deinit { ZSTD_freeDStream(stream) }

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
          throw stored.malformed(
            "the zstd data needs over 128 MiB of memory",
            "pack the file again without --long, or unpack it with zstd -d --long=31")
        }
        throw stored.malformed("the zstd data is damaged")
      }
      isInFrame = status != 0
      if !isMore, output.pos == 0, isInFrame { throw stored.cutOff(.zstd) }
    }
    return output.pos
  }
}

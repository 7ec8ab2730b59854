import CLZMA

/// Unpacks xz, stream after stream.
final class XZSource: Unpacker {
  /// Memory that a file may ask for to be unpacked, like zstd's largest window: the strongest usual
  /// setting needs 65 MiB.
  private static let memory: UInt64 = 128 << 20

  let stored: StoredBytes
  private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
  private var isDone = false

  init(_ stored: StoredBytes) {
    self.stored = stored
    stream.initialize(to: lzma_stream())
    let status = lzma_stream_decoder(stream, Self.memory, evl_lzma_concatenated)
    precondition(status == LZMA_OK, "liblzma refused to start")
  }

  deinit {
    lzma_end(stream)
    stream.deallocate()
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = target.count
    while stream.pointee.avail_out == target.count, !isDone {
      let isMore = try stored.fill()
      let window = stored.window
      stream.pointee.next_in = UnsafePointer(
        window.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = window.count
      let status = lzma_code(stream, isMore ? LZMA_RUN : LZMA_FINISH)
      stored.consume(window.count - stream.pointee.avail_in)
      try check(status, isMore: isMore)
    }
    return target.count - stream.pointee.avail_out
  }

  private func check(_ status: lzma_ret, isMore: Bool) throws(TraceError) {
    switch status {
    case LZMA_OK: break
    case LZMA_STREAM_END: isDone = true
    case LZMA_MEMLIMIT_ERROR:
      throw stored.malformed(
        "the xz data needs over 128 MiB of memory", "pack the file again with a smaller dictionary")
    case LZMA_BUF_ERROR where !isMore: throw stored.cutOff(.xz)
    default: throw stored.malformed("the xz data is damaged")
    }
  }
}

import CZlib

/// Unpacks gzip, member after member.
final class GzipSource: Unpacker {
  let stored: StoredBytes
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isInMember = true

  init(_ stored: StoredBytes) {
    self.stored = stored
    stream.initialize(to: z_stream())
    // 15 bits of window, plus 16: gzip's header and no other.
    let status = inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib refused to start")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(target.count)
    while Int(stream.pointee.avail_out) == target.count {
      guard try stored.fill() else {
        if isInMember { throw stored.cutOff(.gzip) }
        return 0
      }
      if !isInMember { try startMember() }
      if !isInMember { return 0 }
      try inflateWindow()
    }
    return target.count - Int(stream.pointee.avail_out)
  }

  private func inflateWindow() throws(TraceError) {
    let window = stored.window
    stream.pointee.next_in = window.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(window.count)
    let status = inflate(stream, Z_NO_FLUSH)
    stored.consume(window.count - Int(stream.pointee.avail_in))
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isInMember = false
    default: throw stored.malformed("the gzip data is damaged")
    }
  }

  /// Goes on with the next member; zeros to the end are padding, anything else is damage.
  private func startMember() throws(TraceError) {
    if stored.window.first == 0x1F {
      inflateReset(stream)
      isInMember = true
      return
    }
    while try stored.fill() {
      let zeros = stored.window.prefix { $0 == 0 }.count
      stored.consume(zeros)
      if stored.window.isEmpty { continue }
      throw stored.malformed("the gzip data is followed by others")
    }
  }
}

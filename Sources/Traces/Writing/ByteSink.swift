import CZstd

/// A destination of bytes.
protocol ByteSink: AnyObject {
  /// Takes all of the bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(TraceError)

  /// Makes what was written last: without it, a file is as it was before.
  func finish() throws(TraceError)

  /// Bytes stored so far.
  var storedBytes: Int { get }
}

extension ByteSink {
  /// Takes bytes of an array.
  func write(_ bytes: [UInt8]) throws(TraceError) {
    try bytes.withUnsafeBufferPointer { bytes throws(TraceError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// Packs what it is given by zstd, with a checksum.
final class ZstdSink: ByteSink {
  private let sink: any ByteSink
  private let stream: OpaquePointer
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)

  init(_ sink: any ByteSink, level: Int32 = 3) {
    guard let stream = ZSTD_createCCtx() else { fatalError("out of memory: zstd") }
    self.sink = sink
    self.stream = stream
    ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    ZSTD_freeCCtx(stream)
    buffer.deallocate()
  }

  var storedBytes: Int { sink.storedBytes }

  func write(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
    try pack(bytes, ZSTD_e_continue)
  }

  func finish() throws(TraceError) {
    try pack(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end)
    try sink.finish()
  }

  private func pack(
    _ bytes: UnsafeRawBufferPointer, _ directive: ZSTD_EndDirective
  ) throws(TraceError) {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var isMore = true
    while isMore {
      var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let rest = ZSTD_compressStream2(stream, &output, &input, directive)
      precondition(ZSTD_isError(rest) == 0, "zstd cannot pack")
      try sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<output.pos]))
      isMore = directive == ZSTD_e_end ? rest > 0 : input.pos < input.size
    }
  }
}

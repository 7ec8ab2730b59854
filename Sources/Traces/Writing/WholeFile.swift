/// Reads and writes files that are held in memory as a whole.
package enum WholeFile {
  /// Reads a file, a pipe or a device to its end, or standard input when the path is `-`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - longest: its bytes, at most.
  /// - Throws: `missing`, `folder`, `io`; `malformed` for more bytes.
  package static func read(
    _ path: String, longest: Int = 1 << 30
  ) throws(TraceError) -> [UInt8] {
    let source = try FileSource(path: path)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
    defer { piece.deallocate() }
    var bytes: [UInt8] = []
    while case let count = try source.read(into: piece), count > 0 {
      if bytes.count + count > longest {
        throw .malformed(
          file: source.path, place: .byte(longest), problem: "there is more than is read",
          remedy: "is this the document?")
      }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Writes a text to a file, whole or not at all, or to standard output when the path is `-`.
  ///
  /// A file that exists is replaced only once the new one is on the disk.
  ///
  /// - Throws: `missing`, `folder`, `io`.
  package static func write(_ text: String, to path: String) throws(TraceError) {
    let sink = try FileSink(path: path)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: text.utf8)
    try sink.write(UnsafeRawBufferPointer(bytes))
    try sink.finish()
  }
}

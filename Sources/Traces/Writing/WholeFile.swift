/// Writes texts that were made in memory.
public enum WholeFile {
  /// Writes a text to a file, whole or not at all, or to standard output when the path is `-`.
  ///
  /// A file that exists is replaced only once the new one is on the disk.
  ///
  /// - Throws: `missing`, `folder`, `io`.
  public static func write(_ text: String, to path: String) throws(TraceError) {
    let sink = try FileSink(path: path)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: text.utf8)
    try sink.write(UnsafeRawBufferPointer(bytes))
    try sink.finish()
  }
}

/// Writes traces.
public enum TraceWriter {
  /// What can be written; a new one is one type and one line here.
  static let encodings: [any TraceEncoding.Type] = [
    OracleGeneralEncoding.self,
    PlainEncoding.self,
  ]

  /// The names of the formats that can be written.
  public static var formats: [String] { encodings.map { $0.name } }

  /// Writes a generated trace to a file, whole or not at all, or to standard output when the path
  /// is `-`; packed by zstd when the path ends in `.zst`.
  ///
  /// O(requests), about ten million a second; constant memory.
  ///
  /// - Parameters:
  ///   - generator: the generator.
  ///   - path: the file. One that exists is replaced.
  ///   - format: `oracleGeneral` or `plain`; nil writes `oracleGeneral` where the file's name
  ///     holds that word and `plain` elsewhere.
  ///   - progress: called now and then; returning false stops, and leaves no file.
  /// - Returns: the bytes stored.
  /// - Throws: `usage` for a format that isn't written, `missing`, `folder`, `io`, `cancelled`.
  @discardableResult
  public static func write(
    _ generator: any TraceGenerator, to path: String, format: String? = nil,
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Int {
    let encoding = try encoding(format, path: path)
    let file = try FileSink(path: path)
    let sink: any ByteSink = path.lowercased().hasSuffix(".zst") ? ZstdSink(file) : file
    var stream = generator
    let keys = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 8192)
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: keys.count * encoding.longest, alignment: 64)
    defer {
      keys.deallocate()
      bytes.deallocate()
    }
    var made = 0
    var nextReport = 1 << 20
    while made < generator.requests {
      let block = UnsafeMutableBufferPointer(
        rebasing: keys[..<min(keys.count, generator.requests - made)])
      stream.fill(block)
      let requests = RequestBlock(first: made, keys: block, size: generator.objectSize)
      let count = encoding.encode(requests, into: bytes)
      try sink.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      made += block.count
      if let progress, made >= nextReport {
        nextReport = made + 1 << 20
        let report = TraceProgress(bytes: sink.storedBytes, totalBytes: nil, requests: made)
        if !progress(report) { throw .cancelled(file: path) }
      }
    }
    try sink.finish()
    return sink.storedBytes
  }

  private static func encoding(
    _ format: String?, path: String
  ) throws(TraceError) -> any TraceEncoding {
    let file = path.lowercased().split(separator: "/").last ?? ""
    let name = format ?? (file.contains("oraclegeneral") ? "oracleGeneral" : "plain")
    guard let encoding = encodings.first(where: { $0.name == name }) else {
      throw .usage(
        problem: "traces are not written as '\(name)'",
        remedy: "choose one of \(formats.joined(separator: ", "))")
    }
    return encoding.init()
  }
}

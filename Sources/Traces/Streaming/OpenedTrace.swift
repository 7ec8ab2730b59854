/// A trace's bytes whose format is known, before the first request is read.
struct OpenedTrace {
  private let file: String
  private let input: TraceInput
  private let monitor: ProgressMonitor
  private let reader: any TraceFormat

  /// Reads the first bytes.
  ///
  /// - Parameters:
  ///   - source: The stored bytes.
  ///   - path: The file; `-` for standard input.
  ///   - format: The format; nil detects it.
  ///   - expansion: The most unpacked bytes, and requests, for each byte of the file as stored.
  ///   - progress: Called now and then; returning false stops.
  init(
    _ source: any ByteSource, file path: String, format: (any TraceFormat)?,
    expansion: ExpansionLimit, progress: TraceProgress.Callback?
  ) throws(TraceError) {
    file = path == "-" ? "standard input" : path
    let unpacked = try Compression.unpack(source, file: file)
    let ahead: any ByteSource =
      unpacked.isUnpacked
      ? ReadAhead(VouchedSource(unpacked, limit: expansion, file: file)) : unpacked
    monitor = ProgressMonitor(file: file, source: ahead, limit: expansion, callback: progress)
    input = TraceInput(ahead, file: file, monitor: monitor)
    let sample = try input.sample()
    if sample.head.isEmpty { throw .noRequests(file: file) }
    reader = try TraceFormats.reader(format, of: sample, file: file)
    if sample.isOpenLine, !type(of: reader).isBinary, !(format is PlainFormat) {
      throw .malformed(
        file: file, place: .line(1), problem: "the only line does not end",
        remedy:
          "end it if it is whole, or say --trace-format plain; else fetch or record the file again")
    }
  }

  private var format: String { type(of: reader).information.name }

  /// Reads the whole trace.
  func trace(name: String, columns: TraceColumns, limit: Int?) throws(TraceError) -> Trace {
    var builder = TraceBuilder(
      name: name, file: file, format: format, keys: reader.keys, columns: columns, limit: limit,
      advance: monitor.advance)
    try reader.read(from: input, into: &builder)
    return try builder.finish()
  }

  /// Reads the trace block by block. Requests that were read before the reading was stopped are handed over.
  func read(
    into blocks: TraceBlocks, name: String, columns: TraceColumns, limit: Int?
  ) throws(TraceError) {
    if reader is EvtFormat {
      throw .usage(
        problem: "\(file): .evtrace holds one column behind the other, and is not read in blocks",
        remedy: "leave out --stream, or convert it to a format of records, such as oracleGeneral")
    }
    blocks.begin(format: format)
    var builder = TraceBuilder(
      name: name, file: file, format: format, keys: reader.keys, columns: columns, limit: limit,
      blocks: blocks, advance: monitor.advance)
    do throws(TraceError) {
      try reader.read(from: input, into: &builder)
    } catch {
      if error.kind != .cancelled || !blocks.cancellation.isCancelled { throw error }
      if builder.requests == 0 { throw error }
    }
    try builder.finishBlocks()
  }
}

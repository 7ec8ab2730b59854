/// A trace's bytes whose format is known, before the first request is read.
struct OpenedTrace {
  private let file: String
  private let expansion: ExpansionLimit
  /// False for standard input and pipes.
  private let canReadAgain: Bool
  private let input: TraceInput
  private let monitor: ProgressMonitor
  private let reader: any TraceFormat
  private let reason: FormatReason

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
    self.expansion = expansion
    canReadAgain = path != "-" && source.totalBytes != nil
    let ahead = try Self.unpacked(source, file: file, expansion)
    monitor = ProgressMonitor(file: file, source: ahead, limit: expansion, callback: progress)
    input = TraceInput(ahead, file: file, monitor: monitor)
    let sample = try input.sample()
    if sample.head.isEmpty { throw .noRequests(file: file) }
    (reader, reason) = try TraceFormats.reader(format, of: sample, file: file)
    if !type(of: reader).isBinary { input.skipByteOrderMark() }
  }

  /// The bytes of a file, unpacked as far as those that are stored vouch for them.
  private static func unpacked(
    _ source: any ByteSource, file: String, _ expansion: ExpansionLimit
  ) throws(TraceError) -> any ByteSource {
    let unpacked = try Compression.unpack(source, file: file)
    return unpacked.isUnpacked
      ? ReadAhead(VouchedSource(unpacked, limit: expansion, file: file)) : unpacked
  }

  private var format: String { type(of: reader).information.name }

  /// Reads the whole trace into memory.
  func trace(
    name: String, columns: TraceColumns, limit: Int?
  ) throws(TraceError) -> Trace {
    var builder = TraceBuilder(
      name: name, file: file, format: format, keys: reader.keys, columns: columns, limit: limit,
      advance: monitor.advance)
    builder.formatReasons = [reason]
    try reader.read(from: input, into: &builder)
    return try builder.finish()
  }

  /// Reads the trace block by block. Requests that were read before the reading was stopped are handed over.
  ///
  /// - Parameters:
  ///   - blocks: Those that are filled.
  ///   - name: The trace's name.
  ///   - columns: The columns that are wanted.
  ///   - limit: The most requests; nil for all.
  ///   - again: Opens the bytes another time.
  func read(
    into blocks: TraceBlocks, name: String, columns: TraceColumns, limit: Int?,
    again: () throws(TraceError) -> any ByteSource
  ) throws(TraceError) {
    blocks.begin(format: format, reason: reason, isNumbered: reader is EvtFormat)
    if reader is EvtFormat {
      return try readColumns(into: blocks, columns: columns, limit: limit ?? .max, again: again)
    }
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

  /// Reads a file of columns, one behind the other, at as many places as columns are wanted.
  private func readColumns(
    into blocks: TraceBlocks, columns: TraceColumns, limit: Int,
    again: () throws(TraceError) -> any ByteSource
  ) throws(TraceError) {
    if !canReadAgain {
      throw .usage(
        problem: "\(file): .evtrace holds one column behind the other, and a pipe is read once",
        remedy: "give it as a file, or leave out --stream")
    }
    let reader = try EvtBlockReader(
      header(), wanted: columns, hasHashes: blocks.hasHashes
    ) { () throws(TraceError) in
      TraceInput(try Self.unpacked(again(), file: file, expansion), file: file)
    }
    do throws(TraceError) {
      try reader.read(into: blocks, limit: limit) { () throws(TraceError) in
        try monitor.advance(requests: reader.requests, share: reader.share)
      }
    } catch {
      if error.kind != .cancelled || !blocks.cancellation.isCancelled { throw error }
      if reader.requests == 0 { throw error }
    }
  }

  /// The header of a file of columns, which has the length that it promises where that is known.
  private func header() throws(TraceError) -> EvtHeader {
    let header = try EvtHeader(from: input)
    if let left = input.storedBytesLeft {
      let bytes = EvtHeader.size + left
      if bytes < header.fileBytes { throw header.cutOff(input, atByte: bytes) }
      if bytes > header.fileBytes { throw header.goesOn(input) }
    }
    return header
  }

  /// The numbers of requests and keys that a file of columns tells, and a trace of one request with such columns of
  /// it as are wanted.
  ///
  /// - Returns: Nil for other files, and for packed ones, whose size vouches for nothing.
  func told(
    name: String, columns: TraceColumns
  ) throws(TraceError) -> (requests: Int, distinct: Int, outline: Trace)? {
    guard reader is EvtFormat, input.storedBytesLeft != nil else { return nil }
    let header = try header()
    func has(_ section: EvtSection) -> Bool {
      header[section].extent > 0 && section.column.map(columns.contains) ?? true
    }
    let block = TraceBlock()
    if has(.sizes) { block.sizeColumn.append(1) }
    if has(.times) { block.timeColumn.append(0) }
    if has(.operations) { block.operationColumn.append(.get) }
    if has(.ttls) { block.ttlColumn.append(0) }
    if has(.costs) { block.costColumn.append(1) }
    if has(.keyLengths) { block.lengthsOfNewKeys.append(1) }
    return (
      header.requests, header.distinct, block.outline(name: name, format: format, reasons: [reason])
    )
  }
}

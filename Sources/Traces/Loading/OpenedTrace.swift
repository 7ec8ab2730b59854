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
  ///
  /// - Parameter sessions: Those of the files before this one; afterwards, of this one, too.
  func trace(
    name: String, columns: TraceColumns, limit: Int?, sessions: inout ReadSessions
  ) throws(TraceError) -> Trace {
    var builder = TraceBuilder(
      name: name, file: file, format: format, keys: reader.keys, columns: columns, limit: limit,
      advance: monitor.advance)
    builder.formatReasons = [reason]
    builder.sessions = sessions
    try reader.read(from: input, into: &builder)
    sessions = builder.sessions
    return try builder.finish()
  }

  /// Reads the trace block by block. Requests that were read before the reading was stopped are handed over.
  ///
  /// - Parameters:
  ///   - blocks: Those that are filled.
  ///   - name: The trace's name.
  ///   - columns: The columns that are wanted.
  ///   - limit: The most requests; nil for all.
  ///   - lost: Told at the end of what the trace lacks.
  ///   - again: Opens the bytes another time.
  func read(
    into blocks: TraceBlocks, name: String, columns: TraceColumns, limit: Int?,
    lost: (@Sendable (RecordingLoss) -> Void)? = nil,
    again: @escaping () throws(TraceError) -> any ByteSource
  ) throws(TraceError) {
    blocks.begin(format: format, reason: reason, isNumbered: type(of: reader).numbersKeys)
    let unpackedAgain = { () throws(TraceError) in
      TraceInput(try Self.unpacked(again(), file: file, expansion), file: file)
    }
    try reader.read(
      StreamedInput(
        input: input, name: name, file: file, format: format, columns: columns, limit: limit,
        monitor: monitor, again: canReadAgain ? unpackedAgain : nil,
        lost: lost), into: blocks)
  }

  /// The numbers of requests and keys that a file tells of itself, and a trace of one request with such columns of
  /// it as are wanted.
  ///
  /// - Returns: Nil for a file that tells none, and for packed ones, whose size vouches for nothing.
  func told(
    name: String, columns: TraceColumns
  ) throws(TraceError) -> (requests: Int, distinct: Int, outline: Trace)? {
    guard input.storedBytesLeft != nil,
      let told = try reader.told(of: input, columns: columns)
    else { return nil }
    return (
      told.requests, told.distinct,
      told.block.outline(name: name, format: format, reasons: [reason])
    )
  }
}

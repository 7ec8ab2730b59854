/// Writes traces.
public enum TraceWriter {
  /// The formats that are written request by request; a new one is one type and one line here.
  static let encodings: [any TraceEncoding.Type] = [
    OracleGeneralEncoding.self,
    LCSEncoding.self,
    LisEncoding.self,
    PlainEncoding.self,
  ]

  /// Bytes that are written at a time, at most, where one request's are not more.
  private static let blockBytes = 512 << 10

  /// The names of the formats that can be written.
  public static var formats: [String] { [EvtWriter.name] + encodings.map { $0.name } }

  /// Writes a generated trace to a file, whole or not at all, or to standard output when the path
  /// is `-`; packed by zstd when the path ends in `.zst`.
  ///
  /// O(requests), about ten million a second; constant memory, except for `evt` and `lcs`, whose
  /// first bytes depend on the last request, that of the whole trace.
  ///
  /// - Parameters:
  ///   - workload: the phases, times and sizes.
  ///   - path: the file. One that exists is replaced.
  ///   - format: one of ``formats``; nil goes by the file's name: `evt` where it ends in
  ///     `.evtrace`, `oracleGeneral`, `lcs` or `lis` where it holds that word, `plain` where it ends in `.txt` or in
  ///     nothing.
  ///   - progress: called about every megabyte, and before the file gets its name; returning false stops,
  ///     and leaves no file.
  /// - Returns: the bytes stored.
  /// - Throws: `usage` for a format that isn't written, `missing`, `folder`, `io`, `cancelled`.
  @discardableResult
  public static func write(
    _ workload: SyntheticWorkload, to path: String, format: String? = nil,
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Int {
    guard let encoding = try encoding(format, path: path), !type(of: encoding).needsWhole else {
      let trace = try TraceGenerators.trace(workload, columns: .all, progress: progress)
      return try write(trace, to: path, format: format, progress: progress)
    }
    return try whole(path, progress) { sink throws(TraceError) in
      try encode(workload, encoding, to: sink)
    }
  }

  /// Writes a trace to a file as the other function does a generated one.
  ///
  /// `evt` keeps every column. `lcs` keeps sizes, times, times to live (in seconds), operations
  /// and classes, `oracleGeneral` sizes and times, and both know each request's next one; in them
  /// a text key is its stable 64-bit hash (``Trace/keyHash(of:)``). `plain` and `lis` keep the keys:
  /// numbers, or texts of a trace that was read with its ``TraceColumns/keyTexts``, which for `lis`
  /// must be those of numbers.
  ///
  /// - Throws: also `usage` for what the format can't hold, `noRequests`.
  @discardableResult
  public static func write(
    _ trace: Trace, to path: String, format: String? = nil,
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Int {
    let encoding = try encoding(format, path: path)
    if trace.requests == 0 { throw .noRequests(file: trace.name) }
    if let encoding, let refusal = encoding.refusal(of: trace) {
      throw .usage(
        problem: "\(trace.name) can't be written as \(type(of: encoding).name): \(refusal)",
        remedy: "write evt: name the file .evtrace")
    }
    return try whole(path, progress) { sink throws(TraceError) in
      guard let encoding else { return try EvtWriter(trace, to: sink).write() }
      try sink.write(encoding.header(of: trace))
      let requests = TraceRequests(trace, writing: type(of: encoding).columns)
      try encode(requests, encoding, to: sink)
    }
  }

  /// Writes a file, whole or not at all; returns its bytes.
  static func whole(
    _ path: String, _ progress: TraceProgress.Callback?,
    _ body: (MonitoredSink) throws(TraceError) -> Void
  ) throws(TraceError) -> Int {
    let file = try FileSink(path: path)
    let sink = MonitoredSink(
      path.lowercased().hasSuffix(".zst") ? ZstdSink(file) : file, file: path, progress: progress)
    try body(sink)
    try sink.finish()
    return sink.storedBytes
  }

  private static func encode(
    _ source: some RequestSource, _ encoding: any TraceEncoding, to sink: MonitoredSink
  ) throws(TraceError) {
    var source = source
    let block = RequestBlock()
    block.texts = source.texts
    let longest = max(encoding.longest, (source.texts?.longest ?? 0) + 1)
    let most = min(RequestBlock.capacity, max(1, Self.blockBytes / longest))
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: most * longest, alignment: 64)
    defer { bytes.deallocate() }
    var made = 0
    while made < source.requests {
      block.count = min(most, source.requests - made)
      source.fill(block, from: made)
      let count = encoding.encode(block, into: bytes)
      made += block.count
      sink.requests = made
      try sink.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  /// The name of the format in which a file is written: the one given, else what the file's name
  /// asks for. Throws `usage` for one that isn't written.
  package static func format(_ format: String?, path: String) throws(TraceError) -> String {
    let encoding = try encoding(format, path: path)
    return encoding.map { type(of: $0).name } ?? EvtWriter.name
  }

  /// The columns of a trace that a format, one of ``formats``, has a place for.
  package static func columns(of format: String) -> TraceColumns {
    encodings.first { $0.name == format }?.columns ?? .all
  }

  /// The encoding of a format; nil for `evt`, which has no requests of its own.
  private static func encoding(
    _ format: String?, path: String
  ) throws(TraceError) -> (any TraceEncoding)? {
    let name = if let format { format } else { try self.format(of: path) }
    if let packing = Compression.allCases.first(where: { path.lowercased().hasSuffix($0.suffix) }),
      packing != .zstd
    {
      throw .usage(
        problem: "\(path): traces are not packed as \(packing)", remedy: "name the file .zst")
    }
    if name == EvtWriter.name { return nil }
    guard let encoding = encodings.first(where: { $0.name == name }) else {
      throw .usage(
        problem: "traces are not written as '\(name)'",
        remedy: "choose one of \(formats.joined(separator: ", "))")
    }
    return encoding.init()
  }

  /// The format that a file's name asks for. Throws `usage` for an ending that none has.
  private static func format(of path: String) throws(TraceError) -> String {
    let name = TraceSample.stem(of: path.split(separator: "/").last.map(String.init) ?? "")
    if name.hasSuffix(EvtFormat.suffix) { return EvtWriter.name }
    if name.contains("oraclegeneral") { return OracleGeneralEncoding.name }
    let words = TraceSample.words(of: name)
    if let word = [LCSEncoding.name, LisEncoding.name].first(where: words.contains) { return word }
    // A number behind a point is no ending: zipf-0.9.
    guard let ending = name.firstMatch(of: /\.\p{L}[^.]*$/)?.output else {
      return PlainEncoding.name
    }
    let known = [EvtFormat.suffix] + encodings.map { ".\($0.name)" } + [".txt"]
    if ending == ".txt" || ending == ".\(PlainEncoding.name)" { return PlainEncoding.name }
    throw .usage(
      problem: "\(path): no trace is written as '\(ending)'",
      remedy: "end the name in one of \(known.joined(separator: ", "))")
  }
}

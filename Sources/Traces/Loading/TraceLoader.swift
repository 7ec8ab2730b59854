import Parameters

/// Reads traces.
public enum TraceLoader {
  /// Reads a trace from a file, or from standard input when the path is `-`.
  ///
  /// The file may be packed by gzip, zstd or xz, told by its first bytes; it is read as a stream,
  /// once. Memory for the keys alone is at most 6 bytes a request and 48 a distinct key, whatever
  /// the file's size. O(requests); several ten million requests a second from memory.
  ///
  /// `expansion` limits what a few bytes turn into, as packed bytes may unpack to any number and a line may
  /// stand for many requests: 1 GiB unpacked and 2^24 requests may come of any file, more only in proportion
  /// to its size (of a pipe, to what was read of it).
  ///
  /// A text of one line that does not end is refused, unless its format is named as `plain`: where it
  /// was cut off, if it was, nothing in it tells.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - format: a specification such as `oracleGeneral` or `csv:key=lbn:size=size`; nil detects
  ///     the format from name and content.
  ///   - columns: the optional columns to keep, where the file has them.
  ///   - limit: the most requests to read; nil reads all.
  ///   - expansion: the most unpacked bytes, and requests, for each byte of the file as stored.
  ///   - progress: called now and then; returning false stops.
  /// - Throws: every kind of ``TraceError``.
  public static func load(
    path: String, format: String? = nil, columns: TraceColumns = [], limit: Int? = nil,
    expansion: Int = ExpansionLimit.usualRatio, progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Trace {
    try load(
      paths: [path], format: format, columns: columns, limit: limit, expansion: expansion,
      progress: progress)
  }

  /// Reads several files, such as the days of one recording, as one trace: one space of keys, and the
  /// columns that all files have.
  ///
  /// Each file has its own compression, and its own format where none is given. Times stay as
  /// they are. Prompts that have times are put in order of time. Memory is twice that of the whole trace. O(requests).
  ///
  /// - Parameters:
  ///   - paths: the files in their order, at least one.
  ///   - name: the trace's name; nil for the files' names without their folders, with `+` between them.
  ///   - format: that of all files; nil tells each from its name and content.
  ///   - columns: what is kept beside the keys, where the files have it.
  ///   - limit: the most requests of all files together to read; nil reads all.
  ///   - expansion: the most unpacked bytes, and requests, for each byte of a file as stored.
  ///   - progress: called now and then with what was read of the file that is being read;
  ///     returning false stops.
  /// - Throws: every kind of ``TraceError``; `usage` without a path.
  public static func load(
    paths: [String], name: String? = nil, format: String? = nil, columns: TraceColumns = [],
    limit: Int? = nil, expansion: Int = ExpansionLimit.usualRatio,
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Trace {
    let reader = try format.map(TraceFormats.format)
    let name = name ?? paths.map(self.name(of:)).joined(separator: "+")
    var traces: [Trace] = []
    var left = limit
    var sessions = ReadSessions()
    for path in paths {
      if left == 0, !traces.isEmpty { break }
      let trace = try load(
        FileSource(path: path), file: path, name: name, format: reader, columns: columns,
        limit: left, expansion: ExpansionLimit(ratio: expansion), sessions: &sessions,
        progress: progress)
      left = left.map { $0 - trace.requests }
      traces.append(trace)
    }
    guard let first = traces.first else {
      throw .usage(problem: "there is no file to read", remedy: "name at least one")
    }
    if paths.count == 1 { return first }
    let formats = traces.map(\.format).reduce(into: [String]()) { known, format in
      if !known.contains(format) { known.append(format) }
    }
    return try Trace.joined(
      traces, name: name, format: formats.joined(separator: "+"))
  }

  /// The files of a trace that is named by one file, by a pattern such as `weka-*.json`, in the order of their names, or by
  /// several of these with `+` between them.
  ///
  /// A file of the whole name is that file; so is the longest beginning of what is left, up to a
  /// `+`, that names one. Files that don't exist are between two `+`.
  package static func files(ofTrace name: String) -> [String] {
    parts(ofTrace: name).flatMap { isPattern($0) ? FilePattern.files(of: $0) : [$0] }
  }

  /// The files and patterns that name a trace.
  private static func parts(ofTrace name: String) -> [String] {
    func exists(_ path: Substring) -> Bool { access(String(path), F_OK) == 0 }
    if isPattern(name) { return [name] }
    var files: [String] = []
    var rest = name[...]
    while !exists(rest) {
      let ends = rest.indices.filter { rest[$0] == "+" }
      guard let end = ends.last(where: { exists(rest[..<$0]) }) ?? ends.first else { break }
      files.append(String(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    files.append(String(rest))
    return files.contains("") ? [name] : files
  }

  /// Returns true for a pattern that names files, of which none has that name itself.
  private static func isPattern(_ name: String) -> Bool {
    name.contains("*") && access(name, F_OK) != 0 && !FilePattern.files(of: name).isEmpty
  }

  /// The names of traces, each of one file, of several with `+` between them, or of a pattern: the files, or the pattern,
  /// without their folders, except for as many folders as tell apart the traces that would share a name.
  package static func names(ofTraces traces: [String]) -> [String] {
    let paths = traces.map { trace in
      parts(ofTrace: trace).map(FileNames.components)
    }
    func name(_ trace: Int, folders: Int) -> String {
      paths[trace].map { $0.suffix(folders + 1).joined(separator: "/") }.joined(separator: "+")
    }
    var names = traces.indices.map { name($0, folders: 0) }
    for folders in 0..<(paths.joined().map(\.count).max() ?? 0) {
      for alike in Dictionary(grouping: traces.indices, by: { names[$0] }).values
      where Set(alike.map { paths[$0] }).count > 1 {
        for trace in alike { names[trace] = name(trace, folders: folders) }
      }
    }
    return names
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Reads a trace from bytes in memory as if they were a file of that name.
  public static func load(
    bytes: [UInt8], name: String, format: String? = nil, columns: TraceColumns = [],
    limit: Int? = nil, expansion: Int = ExpansionLimit.usualRatio,
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Trace {
    let reader = try format.map(TraceFormats.format)
    return try load(
      MemorySource(bytes), file: name, format: reader, columns: columns, limit: limit,
      expansion: ExpansionLimit(ratio: expansion), progress: progress)
  }

  package static func load(
    _ source: any ByteSource, file path: String, name: String? = nil, format: (any TraceFormat)?,
    columns: TraceColumns, limit: Int?, expansion: ExpansionLimit = ExpansionLimit(),
    progress: TraceProgress.Callback?
  ) throws(TraceError) -> Trace {
    var sessions = ReadSessions()
    return try load(
      source, file: path, name: name ?? self.name(of: path), format: format, columns: columns,
      limit: limit, expansion: expansion, sessions: &sessions, progress: progress)
  }

  private static func load(
    _ source: any ByteSource, file path: String, name: String, format: (any TraceFormat)?,
    columns: TraceColumns, limit: Int?, expansion: ExpansionLimit, sessions: inout ReadSessions,
    progress: TraceProgress.Callback?
  ) throws(TraceError) -> Trace {
    let opened = try OpenedTrace(
      source, file: path, format: format, expansion: expansion, progress: progress)
    return try opened.trace(name: name, columns: columns, limit: limit, sessions: &sessions)
  }

  /// The name and the first bytes of a file, unpacked, and whether it is packed.
  ///
  /// - Throws: `missing`, `folder`, `io`, and what a packed file that is broken throws.
  package static func sample(
    ofFile path: String
  ) throws(TraceError) -> (sample: TraceSample, isPacked: Bool) {
    let source = try Compression.unpack(FileSource(path: path), file: path)
    return (try TraceInput(source, file: path).sample(), source.isUnpacked)
  }

  /// Throws what reading a file as a trace would throw at its beginning: `unrecognised` for another file.
  package static func recognise(file path: String) throws(TraceError) {
    _ = try TraceFormats.reader(nil, of: sample(ofFile: path).sample, file: path)
  }

  /// The SHA-256 of a file's bytes as stored (packed as they are), as 64 hexadecimal digits.
  ///
  /// A separate pass over the file, so that loading doesn't wait for it. O(size), about 1 ns a
  /// byte where the processor has instructions for it and 5 elsewhere.
  package static func sha256(ofFile path: String) throws(TraceError) -> String {
    let file = try FileSource(path: path)
    var digest = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return digest.hexadecimal()
  }
}

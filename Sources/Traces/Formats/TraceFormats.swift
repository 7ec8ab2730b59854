import Parameters

/// The catalog of trace formats.
package enum TraceFormats {
  /// Every format; a new one is one file and one line here. Where two are equally sure of a file,
  /// the first wins.
  package static let all: [any TraceFormat.Type] = [
    EvtFormat.self,
    LCSFormat.self,
    OracleGeneralFormat.self,
    VSCSIFormat.self,
    TwrNSFormat.self,
    TwrFormat.self,
    AddressFormat.self,
    LisFormat.self,
    TwitterFormat.self,
    CacheLibFormat.self,
    CacheLibBlockFormat.self,
    MSRFormat.self,
    SystorFormat.self,
    AlibabaBlockFormat.self,
    TencentBlockFormat.self,
    SPCFormat.self,
    FIUFormat.self,
    BlkparseFormat.self,
    FioFormat.self,
    BaleenFormat.self,
    RocksDBFormat.self,
    MetaCDNFormat.self,
    IBMObjectFormat.self,
    TencentPhotoFormat.self,
    TragenFormat.self,
    WebCacheSimFormat.self,
    WikipediaFormat.self,
    WikibenchFormat.self,
    YCSBFormat.self,
    RedisFormat.self,
    MemcachedFormat.self,
    AccessLogFormat.self,
    W3CFormat.self,
    ELBFormat.self,
    S3Format.self,
    HAProxyFormat.self,
    SquidFormat.self,
    BailianFormat.self,
    WekaFormat.self,
    RAGPulseFormat.self,
    MooncakeFormat.self,
    KVEventsFormat.self,
    MoEFormat.self,
    JSONFormat.self,
    CSVFormat.self,
    PlainFormat.self,
    BinaryFormat.self,
  ]

  /// The format of a specification such as `lis` or `csv:key=lbn`. Throws `usage` when there is
  /// no such format or a parameter is wrong.
  package static func format(_ text: String) throws(TraceError) -> any TraceFormat {
    let (type, arguments) = try CatalogEntry.choose(
      text, among: all, "trace format", suggestions: BinaryFormat.specifications
    ) { $0.information }
    return try type.init(arguments)
  }

  /// The reason why a trace of a format is nothing for a cache of prefixes, and what to do; nil where none is special.
  package static func prefixRefusal(ofFormat name: String) -> String? {
    all.first { $0.information.name == name }?.prefixRefusal
  }

  /// The ratio of prompts that those report who published traces of a format, and the command that counts so.
  package static func publishedRatio(ofFormat name: String) -> String? {
    all.first { $0.information.name == name }?.publishedRatio
  }

  /// The problem of a file that belongs to another one, which has the prompts.
  package static let listOfChunks = "lengths of chunks and no prompt"
  /// The problem of columns, where prompts are wanted.
  package static let columnsOfPrompts =
    "columns name no blocks of prompts, and lengths alone (Azure LLM, BurstGPT) do not tell which prompts share a prefix"

  /// The reader of a file, and the reason for it: the one given, else that of the format that is surest of it.
  /// Throws `unrecognised` when none is, or when the file is a text in UTF-16.
  static func reader(
    _ given: (any TraceFormat)?, of sample: TraceSample, file: String
  ) throws(TraceError) -> (any TraceFormat, FormatReason) {
    if given == nil, let lengths = sample.lengthsOfPrompts {
      throw .unrecognised(
        file: file, problem: "\(lengths) has lengths of prompts and no identity of their blocks",
        remedy: "nothing tells which prompts share a prefix; use a trace with hash_ids")
    }
    let format = given.map { type(of: $0) } ?? surest(of: sample)
    if format?.isBinary != true, let unread = UnreadFile(contentOf: sample) {
      throw .unrecognised(file: file, problem: unread.problem, remedy: unread.remedy)
    }
    guard let format, format.isBinary || !sample.isUTF16 else {
      throw refusal(of: sample, file: file)
    }
    if let given { return (given, .given) }
    let reader = try format.init(format.information.arguments(format.specification(of: sample)))
    return (reader, surest(of: sample.named("")) == format ? .content : .name)
  }

  /// The format that is surest of a file; nil when none is.
  private static func surest(of sample: TraceSample) -> (any TraceFormat.Type)? {
    var best: (any TraceFormat.Type)?
    var surest = Recognition.no
    for format in all {
      let recognition = format.recognition(of: sample)
      if recognition > surest {
        surest = recognition
        best = format
      }
    }
    return best
  }

  /// The error that no format is a file's: what it looks like, and the options that read it.
  private static func refusal(of sample: TraceSample, file: String) -> TraceError {
    if sample.isUTF16 {
      return .unrecognised(
        file: file, problem: "the text is UTF-16, and UTF-8 is read",
        remedy: "convert it, for instance by iconv -f UTF-16 -t UTF-8")
    }
    if let unread = UnreadFile(nameOf: sample) {
      return .unrecognised(file: file, problem: unread.problem, remedy: unread.remedy)
    }
    guard let structure = sample.structure else {
      let names = all.filter { $0.isBinary }.map { $0.information.name }.joined(separator: ", ")
      return .unrecognised(
        file: file, problem: "binary data without a header, and the name names no format",
        remedy: "which format? name one of \(names)")
    }
    if sample.isOpenLine, structure.kind == .keys {
      return .unrecognised(
        file: file, problem: "line 1: the only line does not end",
        remedy:
          "end it if it is whole, or say --trace-format plain; else fetch or record the file again")
    }
    let options = all.compactMap { $0.specification(for: structure) }
    let way =
      options.isEmpty
      ? "convert it to columns or to one key per line"
      : "say what the key is, for instance --trace-format \(options.joined(separator: " or "))"
    let end = sample.isOpenLine ? " without an end" : ""
    return .unrecognised(
      file: file,
      problem:
        "line \(structure.line): \(structure.description)\(end), and no format that is known",
      remedy: way + ", or --trace-format plain if a whole line is the key")
  }
}

extension Trace {
  /// True if the groups are chains of blocks, as those of prompts are.
  package var hasChains: Bool {
    groupStarts != nil && TraceFormats.prefixRefusal(ofFormat: format) == nil
  }
}

extension TraceSample {
  /// The name of the traces whose header the file has, if they hold the lengths of prompts alone.
  fileprivate var lengthsOfPrompts: String? {
    let header = String(decoding: firstLine.prefix(200), as: UTF8.self)
      .split(separator: ",").map { $0.trimmingSpaces.lowercased() }
    let names = Set(header)
    if names.isSuperset(of: ["timestamp", "contexttokens", "generatedtokens"]) {
      return "Azure's LLM inference trace"
    }
    if names.isSuperset(of: ["timestamp", "request tokens", "response tokens"]) {
      return "BurstGPT"
    }
    return nil
  }

  /// True when the content is that of a format, or each line is one word: a list of keys, or no line has a letter: rows
  /// of numbers, which a report never is. The name counts for binary data only.
  package var isTrace: Bool {
    let sample = isText ? TraceSample(name: "", head: head, isWhole: isWhole) : self
    if TraceFormats.all.contains(where: { $0.recognition(of: sample) >= .likely }) { return true }
    if !isText || isOpenLine || head.isEmpty { return false }
    let lines = lines(100).filter { $0.first != UInt8(ascii: "#") }
    return lines.allSatisfy { !$0.contains { [0x20, 0x2C, 0x09].contains($0) } }
      || lines.allSatisfy { $0.allSatisfy { $0 < 0x80 && ($0 | 0x20) &- 0x61 >= 26 } }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard let first = firstIndex(where: { !isSpace($0) }) else { return "" }
    return self[first...(lastIndex { !isSpace($0) } ?? first)]
  }
}

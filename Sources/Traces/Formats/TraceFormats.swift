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
    WebCacheSimFormat.self,
    WikipediaFormat.self,
    WikibenchFormat.self,
    YCSBFormat.self,
    RedisFormat.self,
    MemcachedFormat.self,
    AccessLogFormat.self,
    BailianFormat.self,
    WekaFormat.self,
    MooncakeFormat.self,
    CSVFormat.self,
    PlainFormat.self,
    BinaryFormat.self,
  ]

  /// The format of a specification such as `lis` or `csv:key=lbn`. Throws `usage` when there is
  /// no such format or a parameter is wrong.
  package static func format(_ text: String) throws(TraceError) -> any TraceFormat {
    let (type, arguments) = try CatalogEntry.choose(
      text, among: all, "trace format"
    ) { $0.information }
    return try type.init(arguments)
  }

  /// The reader of a file: the one given, else that of the format that is surest of it. Throws
  /// `unrecognised` when none is, or when the file is a text in UTF-16.
  static func reader(
    _ given: (any TraceFormat)?, of sample: TraceSample, file: String
  ) throws(TraceError) -> any TraceFormat {
    if given == nil, let lengths = sample.lengthsOfPrompts {
      throw .unrecognised(
        file: file, problem: "\(lengths) has lengths of prompts and no identity of their blocks",
        remedy: "nothing tells which prompts share a prefix; use a trace with hash_ids")
    }
    let reader = if let given { Optional(given) } else { try detect(sample) }
    if let reader, type(of: reader).isBinary || !sample.isUTF16 { return reader }
    if sample.isUTF16 {
      throw .unrecognised(
        file: file, problem: "the text is UTF-16, and UTF-8 is read",
        remedy: "convert it, for instance by iconv -f UTF-16 -t UTF-8")
    }
    let names = all.filter { $0.isBinary }.map { $0.information.name }.joined(separator: ", ")
    throw .unrecognised(
      file: file, problem: "binary data without a header, and the name names no format",
      remedy: "which format? name one of \(names)")
  }

  /// The format that is surest of a file; nil when none is.
  private static func detect(_ sample: TraceSample) throws(TraceError) -> (any TraceFormat)? {
    var best: (any TraceFormat.Type)?
    var surest = Recognition.no
    for format in all {
      let recognition = format.recognition(of: sample)
      if recognition > surest {
        surest = recognition
        best = format
      }
    }
    guard let best else { return nil }
    return try best.init(best.information.arguments(best.specification(of: sample)))
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

  /// True when the content is that of a format, or each line is one word: a list of keys. The name counts
  /// for binary data only.
  package var isTrace: Bool {
    let sample = isText ? TraceSample(name: "", head: head, isWhole: isWhole) : self
    if TraceFormats.all.contains(where: { $0.recognition(of: sample) >= .likely }) { return true }
    return isText && !isOpenLine && !head.isEmpty
      && lines(100).allSatisfy { line in
        line.first == UInt8(ascii: "#") || !line.contains { [0x20, 0x2C, 0x09].contains($0) }
      }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard let first = firstIndex(where: { !isSpace($0) }) else { return "" }
    return self[first...(lastIndex { !isSpace($0) } ?? first)]
  }
}

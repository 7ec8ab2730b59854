import Parameters

/// The catalog of trace formats.
public enum TraceFormats {
  /// Every format; a new one is one file and one line here. Where two are equally sure of a file,
  /// the first wins.
  public static let all: [any TraceFormat.Type] = [
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
    MooncakeFormat.self,
    CSVFormat.self,
    PlainFormat.self,
    BinaryFormat.self,
  ]

  /// The format of a specification such as `lis` or `csv:key=lbn`. Throws `usage` when there is
  /// no such format or a parameter is wrong.
  public static func format(_ text: String) throws(TraceError) -> any TraceFormat {
    let (type, arguments) = try CatalogEntry.choose(
      text, among: all, "trace format"
    ) { $0.information }
    return try type.reader(arguments)
  }

  /// The format that is surest of a file. Throws `unrecognised` when none is.
  static func detect(_ sample: TraceSample, file: String) throws(TraceError) -> any TraceFormat {
    var best: (any TraceFormat.Type)?
    var surest = Recognition.no
    for format in all {
      let recognition = format.recognition(of: sample)
      if recognition > surest {
        surest = recognition
        best = format
      }
    }
    guard let best else {
      let names = all.filter { $0.isBinary }.map { $0.information.name }.joined(separator: ", ")
      throw .unrecognised(
        file: file, problem: "binary data without a header, and the name names no format",
        remedy: "which format? name one of \(names)")
    }
    return try best.reader(best.information.arguments(best.specification(of: sample)))
  }
}

extension TraceFormat {
  fileprivate static func reader(_ arguments: Arguments) throws(TraceError) -> any TraceFormat {
    try Self(arguments)
  }
}

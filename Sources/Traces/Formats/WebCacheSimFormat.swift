import Parameters

/// The lines `time id size` of webcachesim, AdaptSize and LRB, with any further columns after them.
///
///     1 0 68
///     2 1 7454
///
/// Columns stand apart by spaces or by tabs. An object is its id alone, as others that read these
/// traces take it: its size may change. Further columns (features, costs) are not read. The times
/// are often sequence numbers; their unit is a second unless the parameter says otherwise.
///
/// Such lines look like many others, so only files whose names hold `adaptsize` or `webcachesim`, or
/// end in `.tr`, are recognised. Source: github.com/dasebe/webcachesim, github.com/sunnyszy/lrb;
/// Berger, Sitaraman and Harchol-Balter, NSDI 2017.
struct WebCacheSimFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "webcachesim",
    summary: "webcachesim's, AdaptSize's and LRB's lines 'time id size …'; told by its name",
    parameters: [.unit(default: "s")])

  private let unit: Int64

  init(_ arguments: Arguments) { unit = arguments.unit }

  static func recognition(of sample: TraceSample) -> Recognition {
    let isNamed =
      sample.name.hasSuffix(".tr") || sample.name.contains("adaptsize")
      || sample.name.contains("webcachesim")
    guard isNamed else { return .no }
    let splitter = FieldSplitter(delimiter: delimiter(of: sample), most: 3)
    return sample.recognised(as: .named) { line in
      splitter.split(line) == 3 && splitter.fields[0].trimmed.wholeNumber != nil
        && splitter.fields[2].trimmed.wholeNumber != nil
    }
  }

  private static func delimiter(of sample: TraceSample) -> UInt8 {
    sample.firstLine.contains(0x09) ? 0x09 : 0x20
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let delimiter = Self.delimiter(of: try input.sample())
    var lines = FieldLines(input, delimiter: delimiter, most: 3)
    var details = RequestDetails([.sizes, .times], wanted: builder.wanted)
    while !builder.isFull, try lines.next() {
      try lines.split()
      if details.has(.sizes) { details.size = try lines.size(2) }
      if details.has(.times) { details.time = try lines.time(0, unit: unit) }
      try builder.append(text: lines.key(1), details)
    }
  }
}

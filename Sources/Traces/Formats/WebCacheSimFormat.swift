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
/// Such lines look like many others. They are recognised in files whose names hold `adaptsize` or `webcachesim`, or end in
/// `.tr`; and by their content where there are three whole numbers in each line, of which the first never falls and the
/// second has the same third as before in nine of ten repetitions, of which there must be one.
///
/// Source: github.com/dasebe/webcachesim, github.com/sunnyszy/lrb;
/// Berger, Sitaraman and Harchol-Balter, NSDI 2017.
struct WebCacheSimFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "webcachesim",
    summary: "webcachesim's, AdaptSize's and LRB's lines 'time id size …', by content or name",
    parameters: [.unit(default: "s")])

  private let unit: Int64

  init(_ arguments: Arguments) { unit = arguments.unit }

  static func recognition(of sample: TraceSample) -> Recognition {
    let isNamed =
      sample.name.hasSuffix(".tr") || sample.name.contains("adaptsize")
      || sample.name.contains("webcachesim")
    guard isNamed else { return isAlike(sample) ? .likely : .no }
    let splitter = FieldSplitter(delimiter: delimiter(of: sample), most: 3)
    return sample.recognised(as: .named) { line in
      splitter.split(line) == 3 && splitter.fields[0].trimmed.wholeNumber != nil
        && splitter.fields[2].trimmed.wholeNumber != nil
    }
  }

  /// True when the lines are three whole numbers whose first doesn't fall and whose second tells the third.
  private static func isAlike(_ sample: TraceSample) -> Bool {
    guard sample.isText else { return false }
    let splitter = FieldSplitter(delimiter: delimiter(of: sample), most: 4)
    let fields = splitter.fields
    var last: UInt64 = 0
    var sizes: [UInt64: UInt64] = [:]
    var (repeated, changed) = (0, 0)
    for line in sample.lines(1 << 13) {
      let isRequest = line.withUnsafeBytes { line -> Bool? in
        let text = line.trimmed
        if text.isEmpty { return nil }
        guard splitter.split(text) == 3, let time = fields[0].wholeNumber, time >= last,
          let key = fields[1].wholeNumber, let size = fields[2].objectSize
        else { return false }
        last = time
        if let known = sizes.updateValue(size, forKey: key) {
          repeated += 1
          if known != size { changed += 1 }
        }
        return true
      }
      if isRequest == false { return false }
    }
    return repeated > 0 && changed * 10 <= repeated && Set(sizes.values).count > 1
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
